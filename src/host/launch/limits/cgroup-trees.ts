import { accessSync, constants, existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type MountEntry, mountEntries } from '../process/mount-entries.js'

export type Controller = 'pids' | 'memory'

/** Directory for new cgroups with these controllers. */
export interface CgroupTree {
  readonly at: string
  readonly version: 1 | 2
  readonly controllers: readonly Controller[]
  /** Cgroup of this process. */
  readonly own: string
}

const WANTED: readonly Controller[] = ['pids', 'memory']

/** Returns the directory of a line of /proc/self/cgroup, or the mount point if the cgroup lies outside it. */
function directoryOf({ at: mountPoint, root }: MountEntry, path: string): string {
  const inside = root === '/' ? path : path === root || path.startsWith(`${root}/`) ? path.slice(root.length) : ''
  const found = join(mountPoint, inside)
  return existsSync(found) ? found : mountPoint
}

function isWritable(directory: string): boolean {
  try {
    // Moving a process needs write permission in the directory above both cgroups.
    for (const path of [directory, `${directory}/cgroup.procs`]) accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}

const words = (path: string): readonly string[] => {
  try {
    return readFileSync(path, 'latin1').trim().split(/\s+/)
  } catch {
    return []
  }
}

/**
 * Returns the nearest directory above that has controllers. In version 2 a cgroup has either processes or children with
 * controllers.
 */
function unifiedTree(own: string, mountPoint: string): CgroupTree | null {
  for (let at = own; ; at = dirname(at)) {
    const controllers = WANTED.filter((name) => words(`${at}/cgroup.subtree_control`).includes(name))
    if (controllers.length > 0 && isWritable(at)) return { at, version: 2, controllers, own }
    if (at === mountPoint || at === dirname(at)) return null
  }
}

/**
 * Returns trees for the commands' cgroups, always below or beside our own, so that our limits apply to them too.
 * Returns an empty list if none is writable. For an unprivileged user that is everywhere but under a service manager
 * that delegates.
 */
export function cgroupTrees(
  mountinfo: string = readFileSync('/proc/self/mountinfo', 'latin1'),
  membership: string = readFileSync('/proc/self/cgroup', 'utf8'),
): readonly CgroupTree[] {
  const mounted = mountEntries(mountinfo)
  const lines = membership.split('\n').map((line) => /^\d+:([^:]*):(.*)$/.exec(line) ?? [])
  const trees = lines.flatMap(([, names, path = '/']): (CgroupTree | null)[] => {
    if (names === undefined) return []
    const controllers = WANTED.filter((name) => names.split(',').includes(name))
    if (controllers.length > 0) {
      const hierarchy = mounted.find(
        ({ kind, options }) => kind === 'cgroup' && controllers.every((one) => options.includes(one)),
      )
      if (hierarchy === undefined) return []
      const own = directoryOf(hierarchy, path)
      return isWritable(own) ? [{ at: own, version: 1, controllers, own }] : []
    }
    const hierarchy = names === '' ? mounted.find(({ kind }) => kind === 'cgroup2') : undefined
    return hierarchy === undefined ? [] : [unifiedTree(directoryOf(hierarchy, path), hierarchy.at)]
  })
  return trees.filter((tree) => tree !== null)
}
