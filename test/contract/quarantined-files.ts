import { basename, dirname } from 'node:path'
import { removeTree } from '../../src/host/transaction/paths/remove-tree.js'

const OWN = /^cordon-quarantine-/

/** Returns the quarantine paths in evidence lines. */
export const quarantinedFiles = (evidence: readonly string[]): readonly string[] =>
  evidence.flatMap(
    (line) => /moved (?:the command's files|it) to (.*?)(?:\. No command allows it\..*)?$/.exec(line)?.[1] ?? [],
  )

/** Removes quarantined files. Those beside their original path go with the workspace. */
export async function removeQuarantined(evidence: readonly string[]): Promise<void> {
  for (const place of quarantinedFiles(evidence))
    if (OWN.test(basename(dirname(place)))) await removeTree(dirname(place))
}
