import { closeSync, openSync, readdirSync, readSync } from 'node:fs'
import type { HelperOptions } from '../../helper-process/helper-process.js'

const O_CLOEXEC = 0o2000000
const SCRATCH_BYTES = 256

/**
 * Finds descriptors that any child would inherit by accident. Their opener, or native code, did not set close-on-exec.
 * Node closes none of them above the first gap, and bubblewrap none at all. A directory among them would lead out of
 * the sandbox.
 */
export class InheritedDescriptors {
  readonly #scratch = Buffer.alloc(SCRATCH_BYTES)
  #devNull: number | null = null

  /** Returns the descriptors above 2, in order. */
  list(): readonly number[] {
    const open = readdirSync('/proc/self/fd').map(Number)
    return open.filter((fd) => fd > 2 && this.#isLeaking(fd)).sort((a, b) => a - b)
  }

  /** Open /dev/null that replaces an inherited descriptor. */
  get devNull(): number {
    this.#devNull ??= openSync('/dev/null', 'r')
    return this.#devNull
  }

  /** Uses this descriptor instead, and closes it with the others. */
  useDevNull(fd: number): void {
    this.close()
    this.#devNull = fd
  }

  close(): void {
    if (this.#devNull !== null) closeSync(this.#devNull)
    this.#devNull = null
  }

  #isLeaking(fd: number): boolean {
    try {
      const info = openSync(`/proc/self/fdinfo/${fd}`, 'r')
      const length = readSync(info, this.#scratch, 0, SCRATCH_BYTES, 0)
      closeSync(info)
      const flags = /flags:\s*([0-7]+)/.exec(this.#scratch.toString('latin1', 0, length))?.[1] ?? '0'
      return (Number.parseInt(flags, 8) & O_CLOEXEC) === 0
    } catch {
      // It was the listing's own descriptor, closed since.
      return false
    }
  }
}

/** Setup of a launcher's helper processes. */
export interface HelperSetup {
  /** Environment variable that identifies them from outside. */
  readonly engineVariable: readonly [string, string]
  readonly inherited: InheritedDescriptors
}

/**
 * Returns the options of a launcher's helper processes: their identifying variable, and no descriptor but their own.
 */
export const helperOptions = (
  engineVariable: readonly [string, string],
  inherited: InheritedDescriptors,
): Required<Pick<HelperOptions, 'env' | 'seal'>> => ({
  env: Object.fromEntries([engineVariable]),
  seal: (stdio) => sealed(stdio, inherited.list(), inherited.devNull),
})

/**
 * Returns `stdio` for spawn: our descriptors, and `devNull` in place of every inherited one. `'ignore'` alone is not
 * enough: above descriptor 2 libuv then keeps the inherited descriptor.
 */
export function sealed<T>(
  wanted: readonly (T | 'ignore')[],
  leaking: readonly number[],
  devNull: number,
): (T | 'ignore' | number)[] {
  const stdio: (T | 'ignore' | number)[] = [...wanted]
  for (const fd of leaking) {
    while (stdio.length <= fd) stdio.push('ignore')
    if (stdio[fd] === 'ignore') stdio[fd] = devNull
  }
  return stdio
}
