import { accessSync, constants, existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type MountEntry, mountEntries } from './mount-entries.js'

export type Controller = 'pids' | 'memory'

/** A directory in which groups can be made that these controllers hold. */
export interface CgroupTree {
  readonly at: string
  readonly version: 1 | 2
  readonly controllers: readonly Controller[]
  /** The group this process is in. */
  readonly own: string
}

const WANTED: readonly Controller[] = ['pids', 'memory']

/** Where the group of a line of /proc/self/cgroup is found; the top of what is mounted where it lies outside of that. */
function directoryOf({ at: mountPoint, root }: MountEntry, path: string): string {
  const inside = root === '/' ? path : path === root || path.startsWith(`${root}/`) ? path.slice(root.length) : ''
  const found = join(mountPoint, inside)
  return existsSync(found) ? found : mountPoint
}

function isWritable(directory: string): boolean {
  try {
    // Into a group made there a process is moved by leave of the directory that holds both.
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

/** Version 2 lets a group have either processes or groups with controllers: the nearest directory above that has the latter. */
function unifiedTree(own: string, mountPoint: string): CgroupTree | null {
  for (let at = own; ; at = dirname(at)) {
    const controllers = WANTED.filter((name) => words(`${at}/cgroup.subtree_control`).includes(name))
    if (controllers.length > 0 && isWritable(at)) return { at, version: 2, controllers, own }
    if (at === mountPoint || at === dirname(at)) return null
  }
}

/**
 * Where groups for commands can be made, always below or beside our own, so that what limits us limits them too. Empty where this
 * host lets us make none: for an ordinary user that is everywhere but under a service manager that gives its users a tree.
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
