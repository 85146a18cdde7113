import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Start time of a process in clock ticks, which tells it from a later one with the same pid. Null if there is none. */
function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null
  } catch {
    return null
  }
}

const OWN_NAME = `${process.pid}-${startOf(process.pid)}`

/**
 * Engines with a command running in a private home: one file for each, named by pid and start time. The directory's own time says when the
 * home was last used.
 */
export class Uses {
  readonly #directory: string
  #count = 0

  /** `root`: the directory of this home in Cordon's state. */
  constructor(root: string) {
    this.#directory = join(root, 'uses')
  }

  begin(): void {
    this.#count += 1
    if (this.#count > 1) return
    mkdirSync(this.#directory, { recursive: true, mode: 0o700 })
    writeFileSync(join(this.#directory, OWN_NAME), '')
  }

  end(): void {
    this.#count -= 1
    if (this.#count === 0) rmSync(join(this.#directory, OWN_NAME), { force: true })
  }
}

/** Returns the pids of engines with a command running in the home. Removes the files of engines that have died. */
export function usersOf(root: string): readonly number[] {
  const directory = join(root, 'uses')
  let names: readonly string[] = []
  try {
    names = readdirSync(directory)
  } catch {
    return []
  }
  return names.flatMap((name) => {
    const [pid = '', started = ''] = name.split('-')
    if (startOf(Number(pid)) === started) return Number(pid)
    rmSync(join(directory, name), { force: true })
    return []
  })
}
