import { archivers } from './archivers.js'
import { buildTools } from './build-tools.js'
import { cloud } from './cloud.js'
import { clusters } from './clusters.js'
import { compilers } from './compilers.js'
import { containers } from './containers.js'
import { coreutilsFiles } from './coreutils-files.js'
import { coreutilsSystem } from './coreutils-system.js'
import { coreutilsText } from './coreutils-text.js'
import { databases } from './databases.js'
import { editors } from './editors.js'
import { findutils } from './findutils.js'
import { git } from './git.js'
import { hostingWrappers } from './hosting-wrappers.js'
import { identityWrappers } from './identity-wrappers.js'
import { interpreters } from './interpreters.js'
import type { Family, Program } from './knowledge.js'
import { networkTools } from './network-tools.js'
import { networkTransfer } from './network-transfer.js'
import { nodePackages } from './node-packages.js'
import { ownCode } from './own-code.js'
import { packageManagers } from './package-managers.js'
import { rareRunners } from './rare-runners.js'
import { repeatingWrappers } from './repeating-wrappers.js'
import { runners } from './runners.js'
import { shells } from './shells.js'
import { systemAdministration } from './system-administration.js'
import { systemPackages } from './system-packages.js'
import { textProcessing } from './text-processing.js'
import { textQueries } from './text-queries.js'
import { versionControl } from './version-control.js'
import { wrappers } from './wrappers.js'

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
  rareRunners,
  nodePackages,
  textQueries,
]

/** Lists every program of the tables. */
export const allPrograms = (): readonly Program[] => FAMILIES.flat()

const byName = new Map<string, Program>()

/** Finds the table entry of a program by its base name; names such as `constructor` are plain names. */
export function knowledgeOf(name: string): Program | undefined {
  if (byName.size === 0)
    for (const program of allPrograms()) for (const one of program.names.split(' ')) byName.set(one, program)
  return byName.get(name)
}

/** Lists the names of all programs of the tables. */
export const knownNames = (): readonly string[] => {
  knowledgeOf('')
  return [...byName.keys()]
}
