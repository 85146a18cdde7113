import { announced } from './announce.js'
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
import { development } from './development.js'
import { editors } from './editors.js'
import { findutils } from './findutils.js'
import { git } from './git.js'
import { interpreters } from './interpreters.js'
import type { Family, Program } from './knowledge.js'
import { lesserRunners } from './lesser-runners.js'
import { mediaAndDocuments } from './media-and-documents.js'
import { networkTools } from './network-tools.js'
import { networkTransfer } from './network-transfer.js'
import { nodePackages } from './node-packages.js'
import { packageManagers } from './package-managers.js'
import { runners } from './runners.js'
import { shells } from './shells.js'
import { systemAdministration } from './system-administration.js'
import { systemPackages } from './system-packages.js'
import { textProcessing } from './text-processing.js'
import { textQueries } from './text-queries.js'
import { versionControl } from './version-control.js'
import { wrappers } from './wrappers.js'

export const FAMILIES: readonly Family[] = [
  shells,
  wrappers,
  findutils,
  announced(coreutilsText),
  announced(coreutilsFiles),
  coreutilsSystem,
  announced(textProcessing),
  announced(archivers),
  announced(editors),
  announced(git),
  announced(networkTransfer),
  announced(versionControl),
  announced(buildTools),
  announced(cloud),
  announced(compilers),
  containers,
  announced(databases),
  development,
  interpreters,
  announced(mediaAndDocuments),
  announced(networkTools),
  announced(packageManagers),
  runners,
  announced(systemAdministration),
  announced(systemPackages),
  announced(lesserRunners),
  clusters,
  announced(nodePackages),
  announced(textQueries),
]

const byName = new Map<string, Program>()

/** What is known of a program, by its base name; names such as `constructor` are plain names. */
export function knowledgeOf(name: string): Program | undefined {
  if (byName.size === 0)
    for (const family of FAMILIES) for (const p of family) for (const n of p.names.split(' ')) byName.set(n, p)
  return byName.get(name)
}

/** How many names are known. */
export const knownNames = (): readonly string[] => {
  knowledgeOf('')
  return [...byName.keys()]
}
