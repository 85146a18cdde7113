import { baseName } from '../../model/basics/path.js'
import type { Analysis } from '../analysis/analysis.js'
import type { Arg } from '../programs/grammar/roles.js'
import type { State } from '../state/state.js'
import { couldMatch } from '../text/pattern.js'
import { scriptPath } from './physical-path.js'

/** The maximum number of own files that a glob keeps apart. */
const MAX_MATCHES = 6

/** Adds to each glob argument from `from` on the files of the script that it matches. */
export function addOwnMatches(analysis: Analysis, state: State, args: Arg[], from: number): void {
  for (let i = from; i < args.length; i++) {
    const arg = args[i] as Arg
    const glob = arg.unknown?.glob
    if (glob === undefined || arg.alternatives !== undefined) continue
    const options = ownMatches(analysis, state, glob)
    if (options.length > 0) args[i] = { ...arg, alternatives: options }
  }
}

function ownMatches(analysis: Analysis, state: State, glob: string): readonly string[] {
  const prefix = glob.slice(0, glob.lastIndexOf('/') + 1)
  const directory = /[*?[\\]/.test(prefix) ? null : scriptPath(analysis, state, prefix === '' ? '.' : prefix)
  if (directory === null) return []
  const inside = `${directory === '/' ? '' : directory}/`
  const names = new Set<string>()
  const add = (path: string): void => {
    if (path.startsWith(inside) && path.length > inside.length && baseName(path).length === path.length - inside.length)
      names.add(baseName(path))
  }
  for (const path of analysis.findings.written(64)) add(path)
  const wanted = baseName(glob)
  return couldMatch([...names], wanted, analysis.budget)
    .filter((name) => !name.startsWith('.') || wanted.startsWith('.'))
    .sort()
    .slice(0, MAX_MATCHES)
    .map((name) => prefix + name)
}
