import type { CgroupTree } from './cgroup-trees.js'
import type { Fifos } from './fifos.js'
import type { InheritedDescriptors } from './inherited-descriptors.js'
import type { MaskReports } from './mask-reports.js'
import type { PrivateMounts } from './private-mounts.js'

/** What every wall of one launcher is built with. */
export interface Workshop {
  readonly bwrap: string
  readonly fifos: Fifos
  readonly reports: MaskReports
  readonly inherited: InheritedDescriptors
  /** The variable by which bubblewrap itself, not the command, is recognised from outside. */
  readonly mark: readonly [string, string]
  /** Where groups around commands can be made. */
  readonly cgroups: readonly CgroupTree[]
  /** Where bubblewrap is started. */
  readonly mounts: PrivateMounts
  /** The seccomp filters, for commands in a network of their own and for those in the host's. */
  readonly filters: { readonly own: Buffer; readonly host: Buffer }
  /** Reads as what bubblewrap says when everything is mounted. */
  readonly mountedLine: number
}
