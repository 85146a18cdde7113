import { redirectedTo } from './branch.js'
import type { Descriptors } from './descriptors.js'
import { oneOf } from './one-of.js'
import { type Input, Sink } from './streams.js'
import { unknown, type Value } from './value.js'

/** So many lines of a text are told apart as the one a turn begins with. */
const LINES = 12

/** What is read and written by a loop of which it is not known how often it runs. */
export class LoopStreams {
  readonly #descriptors: Descriptors
  readonly #inputs: readonly { readonly input: Input; readonly start: Value }[]
  readonly #sinks: readonly Sink[]
  /** What the turns that were read wrote, turn by turn. */
  readonly #written: ReadonlyMap<Sink, Sink>[] = []

  constructor(descriptors: Descriptors) {
    this.#descriptors = descriptors
    this.#inputs = descriptors.sharedInputs().map((input) => ({ input, start: input.peek() }))
    this.#sinks = descriptors.sinks()
  }

  /** The descriptors of a turn. The first one begins with all there is to read, the others where one before may have left off. */
  begin(round: number): Descriptors {
    if (round > 0) this.#leave()
    if (this.#sinks.length === 0) return this.#descriptors
    const own = new Map(this.#sinks.map((sink) => [sink, new Sink()]))
    this.#written.push(own)
    return redirectedTo(this.#descriptors, own, NO_INPUTS)
  }

  /** Any number of turns were run: some or none of what there is was read, and each wrote its own. */
  end(): void {
    this.#leave()
    for (const sink of this.#sinks) {
      const texts = this.#written.map((own) => own.get(sink)?.text ?? '')
      if (texts.some((text) => text !== '')) sink.write(repeated(texts))
    }
  }

  #leave(): void {
    for (const { input, start } of this.#inputs) if (input.peek() !== start) input.leave(restOf(start, input.peek()))
  }
}

const NO_INPUTS: ReadonlyMap<Input, Input> = new Map()

/** What may be left of a text of which some lines were read. */
function restOf(start: Value, rest: Value): Value {
  if (typeof start !== 'string') return rest
  const isByLine = typeof rest !== 'string' || rest === '' || start.at(-rest.length - 1) === '\n'
  const tails = [start]
  for (let at = start.indexOf('\n'); at >= 0 && tails.length < LINES; at = start.indexOf('\n', at + 1))
    tails.push(start.slice(at + 1))
  if (isByLine && tails.at(-1) === '') return oneOf(tails)
  if (isByLine && tails.length < LINES) return oneOf([...tails, ''])
  return { ...unknown('output', 'what is left to read'), options: [...tails, ''] }
}

/** What was written once, or several times, or not at all. */
function repeated(texts: readonly Value[]): Value {
  const value = oneOf(['', ...texts])
  return typeof value === 'string'
    ? value
    : { ...value, source: value.source === 'condition' ? 'output' : value.source }
}
