import type { CgroupTree } from '../limits/cgroup-trees.js'
import type { InheritedDescriptors } from '../process/inherited-descriptors.js'
import type { MaskReports } from '../sandbox/mask-reports.js'
import type { PrivateMounts } from '../sandbox/private-mounts.js'
import type { Fifos } from '../streams/fifos.js'
import type { ExitHold } from './exit-hold.js'

/** Dependencies of every sandbox of one launcher. */
export interface SandboxDeps {
  readonly bwrap: string
  readonly fifos: Fifos
  readonly reports: MaskReports
  readonly exits: ExitHold
  readonly inherited: InheritedDescriptors
  /** Environment variable that identifies bubblewrap itself, not the command, from outside. */
  readonly engineVariable: readonly [string, string]
  /** Directories for the commands' cgroups. */
  readonly cgroups: readonly CgroupTree[]
  /** Mount namespace in which bubblewrap starts. */
  readonly mounts: PrivateMounts
  /** Seccomp filters for commands in their own network namespace and for those in the host's. */
  readonly filters: { readonly own: Buffer; readonly host: Buffer }
  /** Yields the line that bubblewrap reports after all mounts. */
  readonly mountedLine: number
}
