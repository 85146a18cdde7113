import { buildTools } from './development/build-tools.js'
import { compilers } from './development/compilers.js'
import { git } from './development/git.js'
import { interpreters } from './development/interpreters.js'
import { versionControl } from './development/version-control.js'
import type { Family, Program } from './grammar/roles.js'
import { ownCode } from './own-code.js'
import { nodePackages } from './packages/node.js'
import { packageManagers } from './packages/package-managers.js'
import { systemPackages } from './packages/system.js'
import { cloud } from './systems/cloud.js'
import { clusters } from './systems/clusters.js'
import { containers } from './systems/containers.js'
import { databases } from './systems/databases.js'
import { networkTools } from './systems/network-tools.js'
import { networkTransfer } from './systems/network-transfer.js'
import { systemAdministration } from './systems/system-administration.js'
import { archivers } from './text-and-files/archivers.js'
import { coreutilsFiles } from './text-and-files/coreutils-files.js'
import { coreutilsSystem } from './text-and-files/coreutils-system.js'
import { coreutilsText } from './text-and-files/coreutils-text.js'
import { editors } from './text-and-files/editors.js'
import { findutils } from './text-and-files/findutils.js'
import { textProcessing } from './text-and-files/text-processing.js'
import { textQueries } from './text-and-files/text-queries.js'
import { runners } from './wrappers/debuggers-and-terminals.js'
import { identityWrappers } from './wrappers/identity.js'
import { hostingWrappers } from './wrappers/remote-and-hosting.js'
import { repeatingWrappers } from './wrappers/repeating.js'
import { serverRunners } from './wrappers/server-runners.js'
import { shells } from './wrappers/shells.js'
import { wrappers } from './wrappers/wrappers.js'

const FAMILIES: readonly Family[] = [
  shells,
  wrappers,
  identityWrappers,
  repeatingWrappers,
  hostingWrappers,
  findutils,
  coreutilsSystem,
  containers,
  interpreters,
  runners,
  clusters,
  coreutilsText,
  coreutilsFiles,
  textProcessing,
  archivers,
  editors,
  git,
  networkTransfer,
  versionControl,
  buildTools,
  cloud,
  compilers,
  databases,
  networkTools,
  ownCode,
  packageManagers,
  systemAdministration,
  systemPackages,
  serverRunners,
  nodePackages,
  textQueries,
]

/** Lists every program of the tables. */
export const allPrograms = (): readonly Program[] => FAMILIES.flat()

const BY_NAME: ReadonlyMap<string, Program> = new Map(
  allPrograms().flatMap((program) => program.names.split(' ').map((name) => [name, program] as const)),
)

/** Finds the table entry of a program by its base name. Names such as `constructor` are safe. */
export const grammarOf = (name: string): Program | undefined => BY_NAME.get(name)

/** Lists the names of all programs of the tables. */
export const knownNames = (): readonly string[] => [...BY_NAME.keys()]
