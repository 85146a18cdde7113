/** A program and its arguments. */
export type Argv = readonly [program: string, ...args: string[]]

const NSENTER = '/usr/bin/nsenter'

/**
 * Bubblewrap, started in the mount namespace of another process: where a transaction has mounted its overlays. That of an ordinary
 * user lies in a user namespace with the user as its root, so bubblewrap is told to map the user back. `nsenter` becomes bubblewrap,
 * so pids, descriptors and the death of the parent mean what they meant.
 */
export function inNamespaceOf(pid: number | undefined, [bwrap, ...args]: Argv, before: readonly string[] = []): Argv {
  if (pid === undefined) return [bwrap, ...args]
  const uid = process.geteuid?.() ?? 0
  const namespaces = uid === 0 ? ['--mount'] : ['--user', '--preserve-credentials', '--mount']
  const ids = ['--uid', `${uid}`, '--gid', `${process.getegid?.() ?? 0}`]
  return [NSENTER, ...namespaces, '--target', `${pid}`, '--', ...before, bwrap, ...ids, ...args]
}

/** What bubblewrap is started in besides its own: see `ColdWall` and `Wall`. */
export interface Joined {
  readonly networkOf: number | null
  readonly within: number | undefined
  /** What comes before bubblewrap where no transaction has a namespace of its own for it. */
  readonly prefix: readonly string[]
}

/**
 * Bubblewrap, started in the network and the mounts of others. A network of an ordinary user belongs to a user namespace that has to be
 * entered first: its own, or the transaction's, which is then the only one, because from there no other could be entered.
 */
export function joining({ networkOf, within, prefix }: Joined, argv: Argv): Argv {
  const network = networkOf === null ? [] : ['--net', '--target', `${networkOf}`, '--']
  const isRoot = process.geteuid?.() === 0
  if (within !== undefined && !isRoot)
    return inNamespaceOf(within, argv, network.length === 0 ? [] : [NSENTER, ...network])
  const inside: Argv = within === undefined ? prefixed(prefix, argv) : inNamespaceOf(within, argv)
  if (networkOf === null) return inside
  return [NSENTER, ...(isRoot ? [] : ['--user', '--preserve-credentials']), ...network, ...inside]
}

function prefixed([program, ...rest]: readonly string[], argv: Argv): Argv {
  return program === undefined ? argv : [program, ...rest, ...argv]
}
