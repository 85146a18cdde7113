/** A program and its arguments. */
export type Argv = readonly [program: string, ...args: string[]]

const NSENTER = '/usr/bin/nsenter'

/**
 * Bubblewrap, started in the mount namespace of another process: where a transaction has mounted its overlays. That of an ordinary
 * user lies in a user namespace with the user as its root, so bubblewrap is told to map the user back. `nsenter` becomes bubblewrap,
 * so pids, descriptors and the death of the parent mean what they meant.
 */
export function inNamespaceOf(pid: number | undefined, [bwrap, ...args]: Argv): Argv {
  if (pid === undefined) return [bwrap, ...args]
  const uid = process.geteuid?.() ?? 0
  const namespaces = uid === 0 ? ['--mount'] : ['--user', '--preserve-credentials', '--mount']
  const ids = ['--uid', `${uid}`, '--gid', `${process.getegid?.() ?? 0}`]
  return [NSENTER, ...namespaces, '--target', `${pid}`, '--', bwrap, ...ids, ...args]
}
