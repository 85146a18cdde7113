import type { EnvFact, Facts, HostFact, Invocation, Opaque, PathFact, Shape } from '../model/facts.js'
import type { Span } from '../model/span.js'
import { TooMuch } from './text/work.js'

/** The most facts of one kind that are listed. */
const FACTS = 5_000

/** Facts of one kind, each once. */
class FactList<T extends { readonly span: Span }> {
  readonly list: T[] = []
  readonly #keyOf: (fact: T) => string
  readonly #places = new Map<string, number>()

  constructor(keyOf: (fact: T) => string) {
    this.#keyOf = keyOf
  }

  /** Adds a fact, or returns the index of the one that says the same at the same place. Facts past the limit must not go missing silently. */
  add(fact: T, limit = FACTS): number | null {
    const key = `${fact.span[0]} ${this.#keyOf(fact)}`
    const place = this.#places.get(key)
    if (place !== undefined) return place
    if (this.list.length >= limit) throw new TooMuch('it does more than the analyser lists')
    this.#places.set(key, this.list.length)
    this.list.push(fact)
    return null
  }
}

const pathKey = ({ by, recursive, partial, path }: PathFact): string => `${by} ${recursive} ${partial} ${path}`

const invocationKey = ({ via, argv }: Invocation): string =>
  `${via.join('\u0001')}\u0002${argv.map((arg) => (typeof arg === 'string' ? arg : `\u0003${arg.glob ?? ''}`)).join('\u0001')}`

/** Collects facts, each once. */
export class Findings {
  readonly #invocations = new FactList(invocationKey)
  readonly #paths = {
    reads: new FactList(pathKey),
    writes: new FactList(pathKey),
    deletes: new FactList(pathKey),
  }
  readonly #hosts = new FactList<HostFact>(({ host, port }) => `${port} ${host}`)
  readonly #environment = new FactList<EnvFact>(({ name, value }) => `${name} ${value}`)
  readonly #opaque = new FactList<Opaque>(({ kind, reason }) => `${kind} ${reason}`)
  readonly #shapes: Shape[] = []
  /** Set by a program that may change what it does not name. */
  changesAnything = false

  /** Says that the rest was not read. */
  giveUp(reason: string, span: Span): void {
    this.#opaque.add({ kind: 'unknown', reason, span }, Number.POSITIVE_INFINITY)
    this.shape('too-complex', span)
  }

  invocation(invocation: Invocation): void {
    const same = this.#invocations.add(invocation)
    // What was found to run under a condition runs without one too.
    if (same !== null && !invocation.conditional && this.invocations[same]?.conditional)
      this.#invocations.list[same] = invocation
  }

  get hasWrites(): boolean {
    return this.#paths.writes.list.length > 0
  }

  /** May a program before have made a file or directory of this path? One that clones, unpacks or generates may make any. */
  mayHaveMade(path: string): boolean {
    if (this.changesAnything) return true
    return this.#paths.writes.list.some(
      (fact) => fact.partial || path === fact.path || path.startsWith(`${fact.path}/`),
    )
  }

  /** Paths that are written, so many of them. */
  written(count: number): readonly string[] {
    return this.#paths.writes.list.slice(0, count).map(({ path }) => path)
  }

  path(kind: 'reads' | 'writes' | 'deletes', fact: PathFact): void {
    this.#paths[kind].add(fact)
  }

  host(fact: HostFact): void {
    this.#hosts.add(fact)
  }

  variable(fact: EnvFact): void {
    this.#environment.add(fact)
  }

  shape(kind: Shape['kind'], span: Span): void {
    if (!this.#shapes.some((shape) => shape.kind === kind)) this.#shapes.push({ kind, span })
  }

  spot(spot: Opaque): void {
    this.#opaque.add(spot)
  }

  /** Is there code that the shell runs and that cannot be named? */
  get hasUnknown(): boolean {
    return this.#opaque.list.some(({ kind }) => kind === 'unknown')
  }

  get invocations(): readonly Invocation[] {
    return this.#invocations.list
  }

  get environment(): readonly EnvFact[] {
    return this.#environment.list
  }

  get opaque(): readonly Opaque[] {
    return this.#opaque.list
  }

  facts(): Facts {
    const { opaque } = this
    const { reads, writes, deletes } = this.#paths
    return {
      invocations: this.invocations,
      reads: reads.list,
      writes: writes.list,
      deletes: deletes.list,
      hosts: this.#hosts.list,
      environment: this.environment,
      shapes: this.#shapes,
      writesAnything:
        this.changesAnything ||
        writes.list.length > 0 ||
        deletes.list.length > 0 ||
        opaque.some(({ inherent }) => !inherent),
      opaque,
    }
  }
}
