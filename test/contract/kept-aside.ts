import { basename, dirname } from 'node:path'
import { removeTree } from '../../src/host/transaction/remove.js'

const OWN = /^cordon-quarantine-/

/** Where what a command made in protected places is kept, as its evidence says. */
export const keptAside = (evidence: readonly string[]): readonly string[] =>
  evidence.flatMap((line) => /moved (?:the command's files|it) to (.*)$/.exec(line)?.[1] ?? [])

/** A person would look at it first. What is kept beside its place goes with the workspace. */
export async function removeKeptAside(evidence: readonly string[]): Promise<void> {
  for (const place of keptAside(evidence)) if (OWN.test(basename(dirname(place)))) await removeTree(dirname(place))
}
