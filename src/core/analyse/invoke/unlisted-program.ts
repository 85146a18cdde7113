import { baseName } from '../../model/basics/path.js'
import type { Analysis } from '../analysis/analysis.js'
import { childState } from '../analysis/child-process.js'
import { addPath } from '../files/path-facts.js'
import { without } from '../programs/grammar/arguments.js'
import type { Arg } from '../programs/grammar/roles.js'
import { grammarOf } from '../programs/registry.js'
import { runArguments } from '../run/simple-command.js'
import type { State } from '../state/state.js'

/** The maximum number of words examined. */
const MAX_WORDS = 64

/** Prefixes of a path: `--file=`, `-f=`, `key=`, `@`, `file://`. */
const BEFORE_PATH = /^(?:-{0,2}[\w.-]+=)?@?(?:file:\/\/)?/

/** A word that is almost certainly a path. */
const PATH = /^(?:\/|\.\.?(?:\/|$)|\.\w|[\w.@+-]+\/)(?!\/)\S*$/

const DISK = /^\/dev\/(?:[shv]d[a-z]|xvd|nvme|mmcblk|mapper\/|disk\/|md\d|dm-)/

/** Adds the facts of an unlisted program: it can read paths in its arguments and run a command among them. */
export function addUnlistedProgram(analysis: Analysis, state: State, base: string, args: readonly Arg[]): void {
  const end = Math.min(args.length, MAX_WORDS)
  for (let i = 1; i < end; i++) addPossiblePath(analysis, state, base, args[i] as Arg)
  const dashes = args.findIndex((arg) => arg.text === '--')
  if (dashes > 0 && grammarOf(baseName(args[dashes + 1]?.text ?? '')))
    runPossible(analysis, state, base, args.slice(dashes + 1))
  else addForwardedCommand(analysis, state, base, args)
}

/** Runs a command among the arguments of an unlisted program: `foreman run sudo id`. */
export function addForwardedCommand(analysis: Analysis, state: State, base: string, args: readonly Arg[]): void {
  const end = Math.min(args.length - 1, MAX_WORDS)
  for (let i = 1; i < end; i++) {
    const next = RECOGNISED.get(baseName(args[i]?.text ?? ''))
    if (!next?.test(args[i + 1]?.text ?? '')) continue
    runPossible(analysis, state, base, args.slice(i))
    return
  }
}

const ANYTHING = /^[^-]|^-\w/
const EVALUATES = /^-\w*c$/

/** Programs that are recognised among arguments, with the start of their next word. */
const RECOGNISED: ReadonlyMap<string, RegExp> = new Map([
  ...['sudo', 'doas', 'pkexec', 'runuser'].map((name) => [name, ANYTHING] as const),
  ...['sh', 'bash', 'dash', 'zsh', 'ksh', 'su'].map((name) => [name, EVALUATES] as const),
  ['rm', /^(?:-[a-zA-Z]*[rRf]|--(?:recursive|force|no-preserve-root))/],
  ['dd', /^(?:if|of|bs)=/],
  ['chmod', /^-R|^[0-7]{3,4}$/],
  ['chown', /^-R/],
  ['shutdown', /^(?:-[hrPH]|now|\+\d)/],
])

function runPossible(analysis: Analysis, state: State, base: string, command: readonly Arg[]): void {
  analysis.budget.enter()
  const inner = childState(analysis, state)
  inner.via = [...state.via, base]
  analysis.certainty.maybe(() => runArguments(analysis, inner, command))
  analysis.budget.exit()
}

function addPossiblePath(analysis: Analysis, state: State, base: string, arg: Arg): void {
  if (arg.text === null || arg.text === '/') return
  const before = BEFORE_PATH.exec(arg.text)?.[0].length ?? 0
  const path = before === 0 ? arg : without(arg, before)
  if (!PATH.test(path.text ?? '')) return
  addPath(analysis, state, { kind: 'reads', by: base }, path)
  // A program can write to a disk among its arguments.
  if (DISK.test(path.text ?? '')) addPath(analysis, state, { kind: 'writes', by: base }, path)
}
