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

/**
 * List of sockets such as /proc/net/unix, and the root of its paths on the host. Null if the host cannot reach them.
 */
export interface SocketTable {
  readonly file: string
  outside(path: string): string | null
}

/**
 * Matches the bound name of a socket: absolute, or relative to its process's directory. Abstract names begin with `@`.
 */
const NAME = /^(?:\S+ +){7}([^@\n].*)$/gm

function namesIn({ file }: SocketTable): readonly string[] {
  try {
    return [...readFileSync(file, 'utf8').matchAll(NAME)].flatMap(([, name = '']) => (name === 'Path' ? [] : name))
  } catch {
    // The process has ended.
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

/** Returns the path without symlinks in its directories, or none if they are gone. */
function realPathOf(path: string): readonly string[] {
  try {
    return [join(realpathSync(dirname(path)), basename(path))]
  } catch {
    return []
  }
}

const SEARCH = 1
const WRITE = 2

/** Tells if root may do that without any capability, as inside a sandbox. */
function isAllowedToRoot(path: string, bits: number): boolean {
  const { uid, gid, mode } = statSync(path)
  const shift = uid === 0 ? 6 : process.getgroups?.().includes(gid) || gid === 0 ? 3 : 0
  return ((mode >> shift) & bits) === bits
}

/**
 * Tells if its modes let a command connect to a socket. It must be writable, and every directory above it searchable.
 */
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
 * Lists the paths of bound sockets that a command may connect to, without symlinks. Calls `isWanted` with a name before
 * it looks for the file. A socket that is missing under its name may have been renamed, so then every socket in that
 * directory is listed.
 */
export function boundSockets(
  tables: readonly SocketTable[],
  isWanted: (path: string) => boolean = () => true,
): readonly string[] {
  let directories: readonly string[] | undefined
  const pathsOf = (name: string): readonly string[] => {
    if (name.startsWith('/')) return [name]
    directories ??= workingDirectories()
    return directories.map((directory) => join(directory, name))
  }
  const found = tables.flatMap((table) =>
    namesIn(table).flatMap((name) => {
      const wanted = pathsOf(name)
        .flatMap((path) => table.outside(path) ?? [])
        .filter(isWanted)
      const there = wanted.filter(isSocket)
      return there.length > 0 ? there : wanted.flatMap(socketsBeside)
    }),
  )
  return [...new Set(found)].flatMap(realPathOf).filter(isOpenToCommands)
}
