import { statSync } from 'node:fs'
import { isInside } from '../../core/model/basics/path.js'
import type { BubblewrapSandbox, Mount } from '../../core/model/policy/plan.js'
import { boundSockets, type SocketTable } from './bound-sockets.js'

/** Returns the part of the host that a mount shows, or null if it covers it. */
function shownBy(mount: Mount): string | null {
  switch (mount.op) {
    case 'read':
    case 'write':
      return mount.from
    case 'pin':
    case 'forbid':
      return mount.at
    default:
      return null
  }
}

/** Finds the paths under which a command sees a path of the host. */
export function pathsInside(mounts: readonly Mount[]): (path: string) => readonly string[] {
  const all = mounts.filter(({ op }) => op !== 'keep')
  return (path) =>
    all.flatMap((mount) => {
      const from = shownBy(mount)
      if (from === null || !isInside(path, from)) return []
      const rest = path.slice(from === '/' ? 0 : from.length)
      const inside = mount.at === '/' ? rest : mount.at + rest
      // A later mount lies on top of an earlier one.
      return all.findLast(({ at }) => isInside(inside, at)) === mount ? inside : []
    })
}

/** Returns the host path of a command's path, or null if it is none of the host's. */
export function pathOutside(mounts: readonly Mount[]): (path: string) => string | null {
  return (path) => {
    const mount = mounts.findLast(({ op, at }) => op !== 'keep' && isInside(path, at))
    const from = mount === undefined ? null : shownBy(mount)
    if (mount === undefined || from === null) return null
    const rest = path.slice(mount.at === '/' ? 0 : mount.at.length)
    return from === '/' ? rest : from + rest
  }
}

function identity(path: string): string | null {
  try {
    const { dev, ino } = statSync(path)
    return `${dev}:${ino}`
  } catch {
    return null
  }
}

/**
 * Tells if a process sees the host's own socket at a path. An overlay file system shows another file, which accepts no
 * connection.
 */
export function isSameSocket(path: string, pid: number, inside: string): boolean {
  const own = identity(path)
  return own !== null && own === identity(`/proc/${pid}/root${inside}`)
}

/** Hides every bound socket that a command could reach by its path. A read-only mount does not prevent a connection. */
export function hideSockets(sandbox: BubblewrapSandbox, tables: readonly SocketTable[]): BubblewrapSandbox {
  const { mounts, within } = sandbox
  const inside = pathsInside(mounts)
  const reached = boundSockets(tables, (path) => inside(path).length > 0)
    .filter((path) => within === undefined || isSameSocket(path, within, path))
    .flatMap(inside)
  if (reached.length === 0) return sandbox
  return { ...sandbox, mounts: [...mounts, ...reached.map((at): Mount => ({ op: 'hide-file', at }))] }
}
