import { baseName } from '../model/path.js'
import type { Arg } from './programs/knowledge.js'
import type { Reading } from './reading.js'
import type { State } from './state.js'
import { couldMatch } from './text/pattern.js'

/** Files of its own that a pattern is told to match. */
const TOLD = 6

/** Patterns among the arguments from one of them on are told which files of the script's own they match. */
export function tellOwnFiles(reading: Reading, state: State, args: Arg[], from: number): void {
  for (let i = from; i < args.length; i++) {
    const arg = args[i] as Arg
    const glob = arg.unknown?.glob
    if (glob === undefined || arg.options !== undefined) continue
    const options = ownMatches(reading, state, glob)
    if (options.length > 0) args[i] = { ...arg, options }
  }
}

function ownMatches(reading: Reading, state: State, glob: string): readonly string[] {
  const prefix = glob.slice(0, glob.lastIndexOf('/') + 1)
  const directory = /[*?[\\]/.test(prefix) ? null : reading.owned(state, prefix === '' ? '.' : prefix)
  if (directory === null) return []
  const inside = `${directory === '/' ? '' : directory}/`
  const names = new Set<string>()
  const add = (path: string): void => {
    if (path.startsWith(inside) && path.length > inside.length && baseName(path).length === path.length - inside.length)
      names.add(baseName(path))
  }
  for (const path of reading.findings.written(64)) add(path)
  const wanted = baseName(glob)
  return couldMatch([...names], wanted, reading.work)
    .filter((name) => !name.startsWith('.') || wanted.startsWith('.'))
    .sort()
    .slice(0, TOLD)
    .map((name) => prefix + name)
}
