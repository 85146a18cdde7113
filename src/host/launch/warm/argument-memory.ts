import { closeSync, openSync, readSync, writeSync } from 'node:fs'
import { kernelFile } from '../process/read-kernel-file.js'

/** Index in /proc/<pid>/stat, from the state on, of the end of the arguments in the process's memory. */
const ARG_END = 46

/**
 * Memory of a process's last argument. A shell that has not read its script yet gets another one this way, and is then
 * exactly a shell that was started with it.
 */
export class ArgumentMemory {
  readonly #memory: number
  readonly #at: number
  readonly #length: number
  #isOpen = true

  private constructor(memory: number, at: number, length: number) {
    this.#memory = memory
    this.#at = at
    this.#length = length
  }

  /** Finds the argument in a process. Returns null without permission, or if the memory does not contain `text`. */
  static find(pid: number, text: string): ArgumentMemory | null {
    try {
      const stat = kernelFile(`/proc/${pid}/stat`)
      const end = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[ARG_END])
      const expected = Buffer.from(`${text}\0`)
      const at = end - expected.length
      const memory = openSync(`/proc/${pid}/mem`, 'r+')
      const found = Buffer.alloc(expected.length)
      if (at > 0 && readSync(memory, found, 0, found.length, at) === found.length && found.equals(expected)) {
        return new ArgumentMemory(memory, at, expected.length)
      }
      closeSync(memory)
    } catch {
      // The process belongs to another user, cannot be traced or is gone.
    }
    return null
  }

  /** Replaces the argument, padded with zeros. Returns false on failure. */
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
