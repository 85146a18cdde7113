import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { type RawPath, raw } from './raw-path.js'

/** O_WRONLY and O_RDWR, of the flags in octal. */
const WRITES = 0o3

/**
 * Returns the files below a directory that other processes have open for writing, relative to it. The command has
 * ended, so they belong to others. An unprivileged user does not see processes of other users.
 */
export function writtenByOthers(root: string): ReadonlySet<RawPath> {
  const top = `${raw(root)}/`
  const found = new Set<RawPath>()
  for (const pid of numbersIn('/proc')) {
    if (pid === `${process.pid}`) continue
    for (const descriptor of numbersIn(`/proc/${pid}/fd`)) {
      const path = targetOf(`/proc/${pid}/fd/${descriptor}`)
      if (path?.startsWith(top) && writes(`/proc/${pid}/fdinfo/${descriptor}`)) found.add(path.slice(top.length))
    }
  }
  return found
}

/** Processes end and descriptors are closed while one looks. */
function orNull<T>(look: () => T): T | null {
  try {
    return look()
  } catch {
    return null
  }
}

const numbersIn = (directory: string): readonly string[] =>
  orNull(() => readdirSync(directory))?.filter((name) => /^\d+$/.test(name)) ?? []

const targetOf = (link: string): RawPath | null => orNull(() => readlinkSync(link, { encoding: 'latin1' }))

function writes(info: string): boolean {
  const flags = /^flags:\s*([0-7]+)$/m.exec(orNull(() => readFileSync(info, 'latin1')) ?? '')?.[1]
  return flags !== undefined && (Number.parseInt(flags, 8) & WRITES) !== 0
}
