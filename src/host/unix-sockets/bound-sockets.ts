import {
  accessSync,
  constants,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** A list of sockets such as /proc/net/unix, and where the paths in it lead on the host; nowhere if that is null. */
export interface SocketTable {
  readonly file: string
  outside(path: string): string | null
}

/** The name a socket was bound to: absolute, or relative to the directory its process was in. Abstract names begin with `@`. */
const NAME = /^(?:\S+ +){7}([^@\n].*)$/gm

function namesIn({ file }: SocketTable): readonly string[] {
  try {
    return [...readFileSync(file, 'utf8').matchAll(NAME)].flatMap(([, name = '']) => (name === 'Path' ? [] : name))
  } catch {
    // Of a process that is gone.
    return []
  }
}

function workingDirectories(): readonly string[] {
  const found = readdirSync('/proc').flatMap((pid) => {
    try {
      return /^\d+$/.test(pid) ? readlinkSync(`/proc/${pid}/cwd`) : []
    } catch {
      return []
    }
  })
  return [...new Set(found)]
}

function isSocket(path: string): boolean {
  try {
    return lstatSync(path).isSocket()
  } catch {
    return false
  }
}

function socketsBeside(path: string): readonly string[] {
  try {
    const directory = dirname(path)
    const entries = readdirSync(directory, { withFileTypes: true })
    return entries.filter((entry) => entry.isSocket()).map(({ name }) => join(directory, name))
  } catch {
    return []
  }
}

/** The path without links in its directories; none where that has gone. */
function realPlace(path: string): readonly string[] {
  try {
    return [join(realpathSync(dirname(path)), basename(path))]
  } catch {
    return []
  }
}

const SEARCH = 1
const WRITE = 2

/** Whether root may do that without any capability, as inside a sandbox. */
function isAllowedToRoot(path: string, bits: number): boolean {
  const { uid, gid, mode } = statSync(path)
  const shift = uid === 0 ? 6 : process.getgroups?.().includes(gid) || gid === 0 ? 3 : 0
  return ((mode >> shift) & bits) === bits
}

/** Whether its modes let a command connect to a socket: it must be writable, and every directory above it searchable. */
function isOpenToCommands(path: string): boolean {
  try {
    accessSync(path, constants.W_OK)
    if (process.geteuid?.() !== 0) return true
    for (let at = dirname(path); at !== '/'; at = dirname(at)) if (!isAllowedToRoot(at, SEARCH)) return false
    return isAllowedToRoot(path, WRITE)
  } catch {
    return false
  }
}

/**
 * Lists the paths of bound sockets that a command may connect to, without links. `isWanted` is asked of a name before its file is
 * looked for. A socket that is not found under its name may have been renamed: then every socket in that directory is listed.
 */
export function boundSockets(
  tables: readonly SocketTable[],
  isWanted: (path: string) => boolean = () => true,
): readonly string[] {
  let directories: readonly string[] | undefined
  const placesOf = (name: string): readonly string[] => {
    if (name.startsWith('/')) return [name]
    directories ??= workingDirectories()
    return directories.map((directory) => join(directory, name))
  }
  const found = tables.flatMap((table) =>
    namesIn(table).flatMap((name) => {
      const wanted = placesOf(name)
        .flatMap((path) => table.outside(path) ?? [])
        .filter(isWanted)
      const there = wanted.filter(isSocket)
      return there.length > 0 ? there : wanted.flatMap(socketsBeside)
    }),
  )
  return [...new Set(found)].flatMap(realPlace).filter(isOpenToCommands)
}
