import type { Descriptor, Input, Sink } from './streams.js'

/** Maps descriptor numbers to inputs and sinks. Immutable. Fields hold the first three. */
export class Descriptors {
  readonly #input: Descriptor
  readonly #output: Descriptor
  readonly #error: Descriptor
  readonly #others: ReadonlyMap<number, Descriptor> | null

  constructor(
    input: Descriptor,
    output: Descriptor,
    error: Descriptor,
    others: ReadonlyMap<number, Descriptor> | null = null,
  ) {
    this.#input = input
    this.#output = output
    this.#error = error
    this.#others = others
  }

  get(fd: number): Descriptor | undefined {
    if (fd === 0) return this.#input
    if (fd === 1) return this.#output
    return fd === 2 ? this.#error : this.#others?.get(fd)
  }

  get size(): number {
    return 3 + (this.#others?.size ?? 0)
  }

  numbers(): readonly number[] {
    return [0, 1, 2, ...(this.#others?.keys() ?? [])]
  }

  /** Returns a copy with one descriptor replaced. */
  with(fd: number, descriptor: Descriptor): Descriptors {
    if (fd === 0) return new Descriptors(descriptor, this.#output, this.#error, this.#others)
    if (fd === 1) return new Descriptors(this.#input, descriptor, this.#error, this.#others)
    if (fd === 2) return new Descriptors(this.#input, this.#output, descriptor, this.#others)
    return new Descriptors(this.#input, this.#output, this.#error, new Map(this.#others ?? []).set(fd, descriptor))
  }

  /** Returns a copy with each descriptor changed. */
  map(change: (descriptor: Descriptor) => Descriptor): Descriptors {
    const others = this.#others && new Map([...this.#others].map(([fd, one]) => [fd, change(one)]))
    return new Descriptors(change(this.#input), change(this.#output), change(this.#error), others)
  }

  /** Tells whether output can be collected. */
  get hasSink(): boolean {
    return !!(this.#input.sink || this.#output.sink || this.#error.sink || this.#others)
  }

  /** Returns known inputs that each of several branches reads on its own. */
  sharedInputs(): readonly Input[] {
    if (!(this.#others || this.#input.input?.isShared)) return NO_INPUTS
    const inputs = new Set<Input>()
    for (const { input } of [this.#input, ...(this.#others?.values() ?? [])]) if (input?.isShared) inputs.add(input)
    return [...inputs]
  }

  /** Returns all sinks without duplicates. */
  sinks(): readonly Sink[] {
    if (!this.hasSink) return NO_SINKS
    const sinks = new Set<Sink>()
    for (const { sink } of [this.#input, this.#output, this.#error, ...(this.#others?.values() ?? [])])
      if (sink) sinks.add(sink)
    return [...sinks]
  }
}

const NO_SINKS: readonly Sink[] = []
const NO_INPUTS: readonly Input[] = []
