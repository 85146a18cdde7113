import { baseName } from '../model/path.js'
import { inherited } from './inherit.js'
import { addPath } from './path-facts.js'
import { known, without } from './programs/arguments.js'
import { splitWords } from './programs/effects-of.js'
import { knowledgeOf } from './programs/index.js'
import type { Arg } from './programs/knowledge.js'
import type { Reading } from './reading.js'
import { runArguments } from './simple.js'
import type { State } from './state.js'

/** Words that are looked at. */
const MOST = 64

/** `--file=`, `-f=`, `key=`, `@`, `file://`: what stands before a path. */
const BEFORE_PATH = /^(?:-{0,2}[\w.-]+=)?@?(?:file:\/\/)?/

/** A word that can hardly be anything but a path. */
const PATH = /^(?:\/|\.\.?(?:\/|$)|\.\w|[\w.@+-]+\/)(?!\/)\S*$/

const DISK = /^\/dev\/(?:[shv]d[a-z]|xvd|nvme|mmcblk|mapper\/|disk\/|md\d|dm-)/

/** Programs whose names are no words that other programs take for an order, as `ssh`, `reboot` and `halt` are to many. */
const COMMANDS = new Set(
  'sudo doas su pkexec runuser dd mkfs sh bash dash zsh ksh nc ncat netcat socat chmod chown shred wipefs crontab busybox env xargs nohup setsid timeout nice'.split(
    ' ',
  ),
)

/** `rm -rf x`: an order to remove would not be given like this. */
const isForcedRemoval = (name: string, next: Arg | undefined): boolean =>
  name === 'rm' && /^(?:-[a-zA-Z]*[rRf]|--(?:recursive|force|no-preserve-root))/.test(next?.text ?? '')

/**
 * A program that nothing is known of reads the files it is given, as far as anybody can tell, and may run what looks like a command
 * among its arguments: what follows `--`, or a first word that is the name of a program and is given arguments in turn.
 */
export function addStranger(reading: Reading, state: State, base: string, args: readonly Arg[]): void {
  const end = Math.min(args.length, MOST)
  for (let i = 1; i < end; i++) addPossiblePath(reading, state, base, args[i] as Arg)
  for (const command of possibleCommands(args)) runPossible(reading, state, base, command)
}

/**
 * A known program that runs code of its own may hand on what can be nothing but a command, wherever that stands: `foreman run sudo id`.
 */
export function addHandedOn(reading: Reading, state: State, base: string, args: readonly Arg[]): void {
  const end = Math.min(args.length - 1, MOST)
  for (let i = 1; i < end; i++) {
    const name = UNMISTAKABLE.get(baseName(args[i]?.text ?? ''))
    if (!name?.test(args[i + 1]?.text ?? '')) continue
    runPossible(reading, state, base, args.slice(i))
    return
  }
}

const ANYTHING = /^[^-]|^-\w/
const EVALUATES = /^-\w*c$/

/** Programs, and how the word behind them begins where they are called. */
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

/** Could there be a path in it? Of most words that is seen without a pattern. */
function mayHoldPath(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i)
    if (c === SLASH) return true
    if (c !== DOT) continue
    const before = i === 0 ? EQUALS : text.charCodeAt(i - 1)
    if (before === EQUALS || before === AT) return true
  }
  return false
}

const AT = 0x40
const DASH = 0x2d
const DOT = 0x2e
const EQUALS = 0x3d
const SLASH = 0x2f

function addPossiblePath(reading: Reading, state: State, base: string, arg: Arg): void {
  if (arg.text === null || arg.text === '/' || !mayHoldPath(arg.text)) return
  const before = BEFORE_PATH.exec(arg.text)?.[0].length ?? 0
  const path = before === 0 ? arg : without(arg, before)
  if (!PATH.test(path.text ?? '')) return
  addPath(reading, state, 'reads', path, base, false)
  // Whoever is given a disk may write to it.
  if (DISK.test(path.text ?? '')) addPath(reading, state, 'writes', path, base, false)
}

const NO_COMMANDS: readonly (readonly Arg[])[] = []

function possibleCommands(args: readonly Arg[]): readonly (readonly Arg[])[] {
  let at = 0
  let dashes = 0
  let texts = NO_COMMANDS
  for (let i = 1; i < args.length; i++) {
    const arg = args[i] as Arg
    const isOption = arg.head.charCodeAt(0) === DASH
    if (at === 0 && !isOption) at = i
    if (dashes === 0 && arg.text === '--') dashes = i
    if (i >= MOST || !(isOption || args[i - 1]?.head.charCodeAt(0) === DASH)) continue
    const text = possibleText(args[i - 1] as Arg, arg)
    if (text !== null) texts = [...texts, text]
  }
  const from = dashes > 0 ? dashes + 1 : at
  const isRun = dashes > 0 ? isKnown(args[from]) : from > 0 && isCommand(args[from], args[from + 1])
  return isRun ? [args.slice(from), ...texts] : texts
}

const isKnown = (word: Arg | undefined): boolean => knowledgeOf(baseName(word?.text ?? '')) !== undefined

function isCommand(word: Arg | undefined, next: Arg | undefined): boolean {
  if (!word?.text || next === undefined) return false
  const name = baseName(word.text)
  if (COMMANDS.has(name) || name.startsWith('mkfs.') || isForcedRemoval(name, next)) return true
  return word.head.startsWith('/') && isKnown(word)
}

/** An option that takes a command, by its name. */
const TAKES_COMMAND = /^(?:-c|--?(?:[\w-]+-)?(?:exec|execute|command|cmd|run|shell|hook))(?:=|$)/

/** `--exec='sudo id'`: one argument that is a command line. */
function possibleText(before: Arg, arg: Arg): readonly Arg[] | null {
  const option = TAKES_COMMAND.exec(arg.head)?.[0]
  const text = option?.endsWith('=') ? without(arg, option.length) : TAKES_COMMAND.test(before.head) ? arg : null
  if (!text?.text?.includes(' ')) return null
  const [word, next] = splitWords(text)
  return isCommand(word, next) ? [known('sh', arg.span), known('-c', arg.span), text] : null
}
