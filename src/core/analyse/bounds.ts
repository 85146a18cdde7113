import { LIMITS } from '../model/limits.js'
import { TooMuch, Work } from './text/work.js'

/** Commands looked at in one analysis, loops and calls unrolled. Past it the script is too much. */
const STEPS = 10_000
/** Compound commands, scripts, functions and substitutions gone into, over all. */
const ENTERED = 20_000
/** Times a loop body is run with what is known, over all loops. Past it bodies are read once, with what they change lost. */
const ITERATIONS = 4_000
/** Commands looked at after which loops are no longer run turn by turn: honest ones go on for longer than there are steps. */
const LOOP_STEPS = STEPS / 2
/** Text parsed again in one analysis: `eval` in `eval`, scripts, pipes into shells. */
const PARSED_CHARS = 2 * LIMITS.scriptBytes
/** Scripts, functions, compound commands and substitutions inside one another: a function that calls itself goes deeper than text does. */
const DEPTH = 4 * LIMITS.nestingDepth

/** How far one analysis goes: into what is nested, along what repeats itself, and over all. */
export class Bounds extends Work {
  #steps = 0
  #entered = 0
  #iterations = 0
  #parsed = 0
  #depth = 0

  /** Is nothing gone into? */
  get isOutermost(): boolean {
    return this.#depth === 0
  }

  /** Counts one command. */
  step(): void {
    if (++this.#steps > STEPS) throw new TooMuch('it runs more commands than the analyser follows')
    this.add(60)
  }

  /** Counts text that is parsed again. */
  spend(chars: number): void {
    this.#parsed += chars
    if (this.#parsed > PARSED_CHARS) throw new TooMuch('it evaluates more text than the analyser follows')
    this.add(20 + chars)
  }

  /** Counts one turn of a loop; false when no more are followed. */
  iterate(): boolean {
    this.add(5)
    return ++this.#iterations <= ITERATIONS && this.#steps <= LOOP_STEPS && !this.isMuch
  }

  /** One level deeper. Wants an `exit`. */
  enter(): void {
    this.add(10)
    if (++this.#entered > ENTERED) throw new TooMuch('it goes into more than the analyser follows')
    if (++this.#depth > DEPTH) throw new TooMuch('it is nested deeper than the analyser follows')
  }

  exit(): void {
    this.#depth--
  }
}
