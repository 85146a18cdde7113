import { closeSync, openSync, readdirSync, readSync } from 'node:fs'
import type { HelperOptions } from '../helper-process/helper-process.js'

const O_CLOEXEC = 0o2000000
const SCRATCH_BYTES = 256

/**
 * Descriptors this process would hand to any child without meaning to: opened without close-on-exec, by whoever started us or by
 * native code. Node closes none of them above the first gap, and bubblewrap none at all; a directory among them is a way out.
 */
export class InheritedDescriptors {
  readonly #scratch = Buffer.alloc(SCRATCH_BYTES)
  #nothing: number | null = null

  /** Numbers above 2, in order. */
  list(): readonly number[] {
    const open = readdirSync('/proc/self/fd').map(Number)
    return open.filter((fd) => fd > 2 && this.#isLeaking(fd)).sort((a, b) => a - b)
  }

  /** /dev/null, to be handed over in place of a real descriptor. */
  get nothing(): number {
    this.#nothing ??= openSync('/dev/null', 'r')
    return this.#nothing
  }

  /** From here on it is this one, which is closed with the others. */
  useAsNothing(fd: number): void {
    this.close()
    this.#nothing = fd
  }

  close(): void {
    if (this.#nothing !== null) closeSync(this.#nothing)
    this.#nothing = null
  }

  #isLeaking(fd: number): boolean {
    try {
      const info = openSync(`/proc/self/fdinfo/${fd}`, 'r')
      const length = readSync(info, this.#scratch, 0, SCRATCH_BYTES, 0)
      closeSync(info)
      const flags = /flags:\s*([0-7]+)/.exec(this.#scratch.toString('latin1', 0, length))?.[1] ?? '0'
      return (Number.parseInt(flags, 8) & O_CLOEXEC) === 0
    } catch {
      // It was the descriptor of the listing itself, closed since.
      return false
    }
  }
}

/** How helper processes of a launcher are started: with the variable by which they are recognised, and no descriptor but their own. */
export const helperOptions = (
  mark: readonly [string, string],
  inherited: InheritedDescriptors,
): Required<Pick<HelperOptions, 'env' | 'seal'>> => ({
  env: Object.fromEntries([mark]),
  seal: (stdio) => sealed(stdio, inherited.list(), inherited.nothing),
})

/**
 * `stdio` for spawn: what we hand over, and `nothing`, an open /dev/null, in the place of everything that would come along unasked.
 * `'ignore'` alone would not do: above descriptor 2 libuv takes it to mean that whatever is there stays.
 */
export function sealed<T>(
  wanted: readonly (T | 'ignore')[],
  leaking: readonly number[],
  nothing: number,
): (T | 'ignore' | number)[] {
  const stdio: (T | 'ignore' | number)[] = [...wanted]
  for (const fd of leaking) {
    while (stdio.length <= fd) stdio.push('ignore')
    if (stdio[fd] === 'ignore') stdio[fd] = nothing
  }
  return stdio
}
