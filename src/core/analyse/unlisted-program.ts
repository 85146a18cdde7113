import { baseName } from '../model/path.js'
import { inherited } from './inherit.js'
import { addPath } from './path-facts.js'
import { without } from './programs/arguments.js'
import { knowledgeOf } from './programs/index.js'
import type { Arg } from './programs/knowledge.js'
import type { Reading } from './reading.js'
import { runArguments } from './simple.js'
import type { State } from './state.js'

/** The number of words that are looked at. */
const MOST = 64

/** `--file=`, `-f=`, `key=`, `@`, `file://`: prefixes of a path. */
const BEFORE_PATH = /^(?:-{0,2}[\w.-]+=)?@?(?:file:\/\/)?/

/** A word that can hardly be anything but a path. */
const PATH = /^(?:\/|\.\.?(?:\/|$)|\.\w|[\w.@+-]+\/)(?!\/)\S*$/

const DISK = /^\/dev\/(?:[shv]d[a-z]|xvd|nvme|mmcblk|mapper\/|disk\/|md\d|dm-)/

/** Adds the facts of an unlisted program: it may read the paths it is given and run the command among its arguments. */
export function addUnlisted(reading: Reading, state: State, base: string, args: readonly Arg[]): void {
  const end = Math.min(args.length, MOST)
  for (let i = 1; i < end; i++) addPossiblePath(reading, state, base, args[i] as Arg)
  const dashes = args.findIndex((arg) => arg.text === '--')
  if (dashes > 0 && knowledgeOf(baseName(args[dashes + 1]?.text ?? '')))
    runPossible(reading, state, base, args.slice(dashes + 1))
  else addHandedOn(reading, state, base, args)
}

/** Runs the words that can be nothing but a command, wherever they stand among the arguments: `foreman run sudo id`. */
export function addHandedOn(reading: Reading, state: State, base: string, args: readonly Arg[]): void {
  const end = Math.min(args.length - 1, MOST)
  for (let i = 1; i < end; i++) {
    const next = UNMISTAKABLE.get(baseName(args[i]?.text ?? ''))
    if (!next?.test(args[i + 1]?.text ?? '')) continue
    runPossible(reading, state, base, args.slice(i))
    return
  }
}

const ANYTHING = /^[^-]|^-\w/
const EVALUATES = /^-\w*c$/

/** Programs, and the beginning of the next word in a call of them. */
const UNMISTAKABLE: ReadonlyMap<string, RegExp> = new Map([
  ...['sudo', 'doas', 'pkexec', 'runuser'].map((name) => [name, ANYTHING] as const),
  ...['sh', 'bash', 'dash', 'zsh', 'ksh', 'su'].map((name) => [name, EVALUATES] as const),
  ['rm', /^(?:-[a-zA-Z]*[rRf]|--(?:recursive|force|no-preserve-root))/],
  ['dd', /^(?:if|of|bs)=/],
  ['chmod', /^-R|^[0-7]{3,4}$/],
  ['chown', /^-R/],
  ['shutdown', /^(?:-[hrPH]|now|\+\d)/],
])

function runPossible(reading: Reading, state: State, base: string, command: readonly Arg[]): void {
  reading.work.enter()
  reading.undecided++
  const inner = inherited(reading, state)
  inner.via = [...state.via, base]
  runArguments(reading, inner, command)
  reading.undecided--
  reading.work.exit()
}

function addPossiblePath(reading: Reading, state: State, base: string, arg: Arg): void {
  if (arg.text === null || arg.text === '/') return
  const before = BEFORE_PATH.exec(arg.text)?.[0].length ?? 0
  const path = before === 0 ? arg : without(arg, before)
  if (!PATH.test(path.text ?? '')) return
  addPath(reading, state, 'reads', path, base, false)
  // A program that is given a disk may write to it.
  if (DISK.test(path.text ?? '')) addPath(reading, state, 'writes', path, base, false)
}
