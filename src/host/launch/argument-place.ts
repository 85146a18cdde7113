import { closeSync, openSync, readSync, writeSync } from 'node:fs'
import { kernelFile } from './kernel-file.js'

/** Of /proc/<pid>/stat, counted from the state on: where the arguments begin and end in the process's memory. */
const ARG_END = 46

/**
 * The place in the memory of a process where the last of its arguments stands. A shell that has not looked at its script yet can so be
 * given another one, and is then in every respect the shell that was started with it.
 */
export class ArgumentPlace {
  readonly #memory: number
  readonly #at: number
  readonly #length: number
  #isOpen = true

  private constructor(memory: number, at: number, length: number) {
    this.#memory = memory
    this.#at = at
    this.#length = length
  }

  /** Null where the host does not let us, or where `text` is not what stands there. */
  static find(pid: number, text: string): ArgumentPlace | null {
    try {
      const stat = kernelFile(`/proc/${pid}/stat`)
      const end = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[ARG_END])
      const expected = Buffer.from(`${text}\0`)
      const at = end - expected.length
      const memory = openSync(`/proc/${pid}/mem`, 'r+')
      const found = Buffer.alloc(expected.length)
      if (at > 0 && readSync(memory, found, 0, found.length, at) === found.length && found.equals(expected)) {
        return new ArgumentPlace(memory, at, expected.length)
      }
      closeSync(memory)
    } catch {
      // Another user's, not to be traced, or gone.
    }
    return null
  }

  /** Says whether it was done. What is shorter than what stood there is filled up with zeros. */
  replace(text: string): boolean {
    const bytes = Buffer.alloc(this.#length)
    if (!this.#isOpen || Buffer.byteLength(text) >= this.#length) return false
    bytes.write(text)
    try {
      return writeSync(this.#memory, bytes, 0, bytes.length, this.#at) === bytes.length
    } catch {
      return false
    }
  }

  close(): void {
    if (this.#isOpen) closeSync(this.#memory)
    this.#isOpen = false
  }
}
