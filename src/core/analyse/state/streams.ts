import { oneOf } from '../values/one-of.js'
import { isSensitive } from '../values/repeating-text.js'
import { concat, type Value } from '../values/value.js'

/** The maximum number of versions of a file. Later versions are appended to the last one. */
const MAX_VERSIONS = 6
const NONE = Number.POSITIVE_INFINITY

/** Collects the text written to a pipe, a file or the terminal. */
export class Sink {
  #text: Value = ''
  /** Earlier contents that remain if conditional code did not overwrite them. */
  #versions: Value[] | null = null
  /** The index of the first earlier content that later output is also appended to. */
  #growsFrom = NONE
  /** True for a file with earlier, unknown text. */
  hasEarlierText = false
  /** True if the text can be incomplete, because conditional code overwrote the file. */
  isMixed = false
  /** The condition depth at which a new file was written. At a lower depth the file may not exist. */
  conditionalDepth = 0
  /** True for a file that was opened without truncation and written from its start: its end stays. */
  isPartial = false
  /** The branch that opened it last. Later output in that branch is appended. */
  branch = 0
  /** The last printed line, if it appears only when the command succeeds. `step` is the command's number. */
  conditionalLine: {
    readonly before: Value
    readonly text: string
    readonly after: Value
    readonly step: number
  } | null = null

  write(value: Value): void {
    // The earlier output of a program can be empty.
    const before = this.#text
    const isAlone =
      typeof value === 'string' && typeof before !== 'string' && before.origin === 'output' && isSensitive(value)
    this.#text = concat(isAlone ? { ...before, origin: 'made' } : before, value)
    if (this.#versions !== null && this.#growsFrom < this.#versions.length)
      this.#versions = this.#versions.map((text, i) => (i < this.#growsFrom ? text : concat(text, value)))
  }

  /** Starts a new version that may not replace the current one. */
  mayBegin(): void {
    this.isMixed = true
    this.#growsFrom = NONE
    if ((this.#versions?.length ?? 0) < MAX_VERSIONS) this.mayVanish()
  }

  /** Marks the file as possibly deleted. */
  mayVanish(): void {
    this.#growsFrom = NONE
    if (this.#text === '') return
    this.#versions = [...(this.#versions ?? []), this.#text]
    this.#text = ''
  }

  /** Appends later output at the end. */
  grow(): void {
    this.#growsFrom = 0
  }

  /** Appends later output in conditional code. The current contents may stay as they are. */
  mayGrow(): void {
    const others = this.#versions ?? []
    const all = [...new Set([...others, this.#text])]
    if (all.length > MAX_VERSIONS) {
      this.isMixed = true
      this.grow()
      return
    }
    this.#versions = [...all, ...others]
    this.#growsFrom = all.length
  }

  get text(): Value {
    return this.#versions === null ? this.#text : oneOf([...this.#versions, this.#text])
  }

  /** Discards output written since the sink held this text. */
  restore(text: Value): void {
    this.#text = text
  }
}

/** Text to read, shared by all readers of a descriptor. */
export class Input {
  #rest: Value

  constructor(text: Value) {
    this.#rest = text
  }

  /** Reads the rest. */
  drain(): Value {
    const rest = this.#rest
    if (typeof rest === 'string') this.#rest = ''
    return rest
  }

  /** Tells whether one reader takes known text from the others. */
  get isShared(): boolean {
    return typeof this.#rest === 'string' && this.#rest !== ''
  }

  /** Replaces the rest after another shell read from it. */
  replaceRest(rest: Value): void {
    this.#rest = rest
  }

  copy(): Input {
    return new Input(this.#rest)
  }

  peek(): Value {
    return this.#rest
  }

  /** Reads one line without its delimiter, or null at the end. `complete` is false if the delimiter is missing. */
  line(delimiter: string): { readonly text: Value; readonly complete: boolean } | null {
    if (typeof this.#rest !== 'string') return { text: this.#rest, complete: true }
    if (this.#rest === '') return null
    const at = delimiter === '' ? -1 : this.#rest.indexOf(delimiter)
    const text = at < 0 ? this.#rest : this.#rest.slice(0, at)
    this.#rest = at < 0 ? '' : this.#rest.slice(at + delimiter.length)
    return { text, complete: at >= 0 }
  }

  /** Reads the next `count` characters. */
  take(count: number): Value {
    if (typeof this.#rest !== 'string') return this.#rest
    const text = this.#rest.slice(0, count)
    this.#rest = this.#rest.slice(count)
    return text
  }
}

/** The meaning of a descriptor number. */
export interface Descriptor {
  readonly input: Input | null
  readonly sink: Sink | null
}

/** A descriptor whose output is not followed. */
export const DISCARDED: Descriptor = { input: null, sink: null }
