import { oneOf } from './one-of.js'
import { isTelling } from './repeating.js'
import { concat, type Value } from './value.js'

/** Of a file that is written anew more often than this, what comes after is taken to stand at its end. */
const VERSIONS = 6
const NONE = Number.POSITIVE_INFINITY

/** Text being written: by a pipe, into a file, or to the terminal. */
export class Sink {
  #text: Value = ''
  /** What it held when it was written anew in code that may not run. */
  #others: Value[] | null = null
  /** From which of the others on they are written to as well. */
  #growsFrom = NONE
  /** Set for a file that had text before, which is not known. */
  continues = false
  /** Set where not all of it need be there: a file that was written anew in code that may not run. */
  isMixed = false
  /** How much was undecided where a file was written that was not there before: where less is, it need not be. */
  undecided = 0
  /** Set for a file that was opened as it was and written from its start: what it had beyond that stays. */
  isPartial = false
  /** The branch in which it was opened last: what is written there again comes behind what was written there before. */
  branch = 0

  write(value: Value): void {
    // What a program prints before it may be nothing.
    const before = this.#text
    const isAlone =
      typeof value === 'string' && typeof before !== 'string' && before.source === 'output' && isTelling(value)
    this.#text = concat(isAlone ? { ...before, source: 'made' } : before, value)
    if (this.#others !== null && this.#growsFrom < this.#others.length)
      this.#others = this.#others.map((text, i) => (i < this.#growsFrom ? text : concat(text, value)))
  }

  /** It is written anew, or not: what it holds now may stay. */
  mayBegin(): void {
    this.isMixed = true
    this.#growsFrom = NONE
    if ((this.#others?.length ?? 0) < VERSIONS) this.mayVanish()
  }

  /** It is deleted, or not: there may be nothing to read any more. */
  mayVanish(): void {
    this.#growsFrom = NONE
    if (this.#text === '') return
    this.#others = [...(this.#others ?? []), this.#text]
    this.#text = ''
  }

  /** What is written from now on comes at the end, whatever it holds. */
  grow(): void {
    this.#growsFrom = 0
  }

  /** The same in code that may not run: all it may hold may stay as it is too. */
  mayGrow(): void {
    const others = this.#others ?? []
    const all = [...new Set([...others, this.#text])]
    if (all.length > VERSIONS) {
      this.isMixed = true
      this.grow()
      return
    }
    this.#others = [...all, ...others]
    this.#growsFrom = all.length
  }

  get text(): Value {
    return this.#others === null ? this.#text : oneOf([...this.#others, this.#text])
  }

  /** Takes back what was written since it held this. */
  restore(text: Value): void {
    this.#text = text
  }
}

/** Text being read, shared by everything that reads from the same descriptor. */
export class Input {
  #rest: Value

  constructor(text: Value) {
    this.#rest = text
  }

  /** Everything that is left. */
  drain(): Value {
    const rest = this.#rest
    if (typeof rest === 'string') this.#rest = ''
    return rest
  }

  /** Is there something known to be read that one who reads it takes from all others? */
  get isShared(): boolean {
    return typeof this.#rest === 'string' && this.#rest !== ''
  }

  /** What is left, where it was read by somebody else. */
  leave(rest: Value): void {
    this.#rest = rest
  }

  copy(): Input {
    return new Input(this.#rest)
  }

  peek(): Value {
    return this.#rest
  }

  /** One line without its delimiter; null at the end; `complete` is false when the delimiter was missing. */
  line(delimiter: string): { readonly text: Value; readonly complete: boolean } | null {
    if (typeof this.#rest !== 'string') return { text: this.#rest, complete: true }
    if (this.#rest === '') return null
    const at = delimiter === '' ? -1 : this.#rest.indexOf(delimiter)
    const text = at < 0 ? this.#rest : this.#rest.slice(0, at)
    this.#rest = at < 0 ? '' : this.#rest.slice(at + delimiter.length)
    return { text, complete: at >= 0 }
  }

  /** The next `count` characters. */
  take(count: number): Value {
    if (typeof this.#rest !== 'string') return this.#rest
    const text = this.#rest.slice(0, count)
    this.#rest = this.#rest.slice(count)
    return text
  }
}

/** What a descriptor number stands for. */
export interface Descriptor {
  readonly input: Input | null
  readonly sink: Sink | null
}

/** What is written there is not followed. */
export const NOWHERE: Descriptor = { input: null, sink: null }
