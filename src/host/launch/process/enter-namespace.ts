import { type Argv, needsUserNamespace } from '../../helper-process/mount-namespace.js'

const NSENTER = '/usr/bin/nsenter'

/** Namespaces in which bubblewrap starts, each named by a process in it. */
export interface Namespaces {
  readonly networkOf: number | null
  readonly mountsOf: number | null
  /** Command line prefix of bubblewrap if `mountsOf` is null. */
  readonly prefix: readonly string[]
}

/**
 * Returns the command line that starts bubblewrap in these namespaces. `nsenter` becomes bubblewrap, so the pid, the
 * descriptors and the parent stay the same.
 */
export function enterNamespaces({ networkOf, mountsOf, prefix }: Namespaces, argv: Argv): Argv {
  const mounts = mountsOf === null ? [] : ['--mount', '--target', `${mountsOf}`]
  if (needsUserNamespace()) return enterNamespacesAsUser(networkOf, mounts, prefix, argv)
  const network = networkOf === null ? [] : [`--net=/proc/${networkOf}/ns/net`]
  return mounts.length + network.length === 0 ? argv : [NSENTER, ...mounts, ...network, '--', ...argv]
}

/**
 * Enters the user namespace that owns the others first: that of the mounts, which then owns the network too, or that of
 * the network. Inside that of the mounts the user is root, so bubblewrap maps the user back.
 */
function enterNamespacesAsUser(
  networkOf: number | null,
  mounts: readonly string[],
  prefix: readonly string[],
  [bwrap, ...args]: Argv,
): Argv {
  const owner = ['--user', '--preserve-credentials']
  const network = networkOf === null ? [] : ['--net', '--target', `${networkOf}`, '--']
  if (mounts.length > 0) {
    const inside = network.length === 0 ? [] : [NSENTER, ...network]
    const ids = ['--uid', `${process.geteuid?.() ?? 0}`, '--gid', `${process.getegid?.() ?? 0}`]
    return [NSENTER, ...owner, ...mounts, '--', ...inside, bwrap, ...ids, ...args]
  }
  const [program = bwrap, ...rest] = [...prefix, bwrap, ...args]
  return network.length === 0 ? [program, ...rest] : [NSENTER, ...owner, ...network, program, ...rest]
}
