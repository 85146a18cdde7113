import type { Span } from '../../model/basics/span.js'

/** The position of the command being analysed in the request's text. */
export class SourceLocation {
  #here: Span = [0, 0]
  #source: string
  #fixed: Span | null = null

  constructor(source: string) {
    this.#source = source
  }

  /** The span of the current command. */
  get here(): Span {
    return this.#here
  }

  /** The text that the spans of the current nodes point into. */
  get source(): string {
    return this.#source
  }

  /** Converts the span of a node to a span in the text of the request. */
  of(span: Span): Span {
    return this.#fixed ?? span
  }

  /** Runs a function with the command at this span as the current one. */
  at(span: Span, run: () => void): void {
    const outer = this.#here
    this.#here = this.of(span)
    try {
      run()
    } finally {
      this.#here = outer
    }
  }

  /** Runs a function on other text than the request's. All its spans stand for the current command. */
  within<T>(source: string | null, run: () => T): T {
    const outer = { fixed: this.#fixed, source: this.#source }
    this.#fixed ??= this.#here
    if (source !== null) this.#source = source
    try {
      return run()
    } finally {
      this.#fixed = outer.fixed
      this.#source = outer.source
    }
  }
}
