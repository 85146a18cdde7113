import { baseName } from '../../model/path.js'
import type { Span } from '../../model/span.js'
import { joined, without } from './arguments.js'
import { type CompiledGrammar, compiled } from './compiled-grammar.js'
import type { Arg, Effect, Program, Role } from './knowledge.js'
import { ReadCall } from './read-call.js'

/** What running a known program with these arguments does. `contained`: it changes nothing but what the effects name. */
export interface Effects {
  readonly effects: readonly Effect[]
  readonly contained: boolean
}

/** `env` takes any word with an equals sign for a variable, whatever stands before it. */
const ASSIGNMENT = /^[^=]*=/

const NONE: readonly Arg[] = []

/** Reads a command line with what is known of its program. `argv[0]` is the program itself. */
export const effectsOf = (program: Program, argv: readonly Arg[]): Effects => readEffects(compiled(program), argv)

/** The same by the program's grammar made ready. */
export function readEffects(grammar: CompiledGrammar, argv: readonly Arg[]): Effects {
  const effects: Effect[] = []
  const contained = addEffects(effects, grammar, argv, 1, nameOf(argv), undefined)
  return { effects, contained }
}

const nameOf = (argv: readonly Arg[]): string => baseName(argv[0]?.text ?? argv[0]?.head ?? '')

function addEffects(
  effects: Effect[],
  grammar: CompiledGrammar,
  argv: readonly Arg[],
  start: number,
  via: string,
  outer: Arg | undefined,
): boolean {
  const call = new ReadCall(grammar, argv, start)
  const { options } = call
  const cwd = options.length === 0 ? outer : addOptions(effects, options, via, outer)
  if (call.doubts.length > 0) {
    if (grammar.unlisted !== 'ignore') addDoubts(effects, grammar.unlisted, call, via)
    for (const doubt of call.doubts) {
      const equals = doubt.head.indexOf('=')
      if (equals > 0) addUnplaced(effects, without(doubt, equals + 1), cwd)
    }
  }
  const shaped = grammar.when.length > 0 && options.length > 0 ? applicable(grammar, call) : grammar
  let { contained } = shaped
  if (grammar.subcommands) contained = addSubcommand(effects, grammar, call, argv, via, cwd)
  else {
    addOperands(effects, shaped, call, via, cwd)
    if (shaped.foreign !== null) effects.push({ does: 'foreign', reason: shaped.foreign })
  }
  if (grammar.hook) addAll(effects, grammar.hook(call))
  return contained ?? false
}

function addAll(effects: Effect[], more: readonly Effect[]): void {
  for (let i = 0; i < more.length; i++) effects.push(more[i] as Effect)
}

/** What the values of options mean; gives the directory that all others are relative to. */
function addOptions(
  effects: Effect[],
  options: ReadCall['options'],
  via: string,
  outer: Arg | undefined,
): Arg | undefined {
  let cwd = outer
  let isMeant = false
  for (let i = 0; i < options.length; i++) {
    const { role, value } = options[i] as ReadCall['options'][number]
    if (!value || role === 'text') continue
    isMeant = true
    if (role !== 'cwd') continue
    effects.push({ does: 'read', path: value, recursive: false, cwd })
    cwd = below(cwd, value)
  }
  if (!isMeant) return cwd
  for (const { role, value, name, span } of options)
    if (value && role !== 'text' && role !== 'cwd' && !addPathRole(effects, role, value, cwd))
      addRole(effects, role, [value], `${via} ${name}`, cwd, NONE, span)
  return cwd
}

/** A directory that is gone to from another: `git -C a -C b`. */
const below = (from: Arg | undefined, to: Arg): Arg => {
  if (from === undefined || to.head.startsWith('/')) return to
  if (from.text === null || to.text === null) return { ...to, text: null, head: from.head }
  return { ...to, text: `${from.text}/${to.text}`, head: `${from.text}/${to.text}` }
}

/** The grammar the options present make of this one. */
function applicable(grammar: CompiledGrammar, { options }: ReadCall): CompiledGrammar {
  const { when } = grammar
  for (let i = 0; i < when.length; i++) {
    const { names, shaped } = when[i] as CompiledGrammar['when'][number]
    for (let j = 0; j < options.length; j++) if (names.has(options[j]?.name ?? '')) return shaped
  }
  return grammar
}

/** So many things that an argument may be are more than are tried. */
const FEW = 6

function addDoubts(effects: Effect[], does: 'foreign' | 'unknown', call: ReadCall, via: string): void {
  for (const doubt of call.doubts) {
    // What is one of few things is read as each of them.
    if (doubt.source === 'condition' && (doubt.options?.length ?? FEW) < FEW) continue
    const what = doubt.text === null ? 'an argument that is not known' : `the option ${doubt.text}, which is not known,`
    effects.push({ does, reason: `${via} with ${what} may run something`, at: doubt.span })
  }
}

function addSubcommand(
  effects: Effect[],
  { contained, subcommands }: CompiledGrammar,
  call: ReadCall,
  argv: readonly Arg[],
  via: string,
  cwd: Arg | undefined,
): boolean {
  const word = call.operands[0]
  if (!word) return contained ?? true
  if (word.text === null) {
    effects.push({ does: 'unknown', reason: `the subcommand of ${via} is not known`, at: word.span })
    return false
  }
  const chosen = subcommands?.get(word.text) ?? subcommands?.get('*')
  if (!chosen) return false
  const start = argv.length - call.operands.length + 1
  return addEffects(effects, compiled(chosen), argv, start, `${via} ${word.text}`, cwd)
}

function addOperands(
  effects: Effect[],
  grammar: CompiledGrammar,
  call: ReadCall,
  via: string,
  cwd: Arg | undefined,
): void {
  let { operands }: { operands: readonly Arg[] } = call
  let assigned = NONE
  if (grammar.assignmentsFirst) {
    const count = leadingAssignments(operands)
    assigned = operands.slice(0, count)
    operands = operands.slice(count)
  }
  if (operands.length === 0 && grammar.bareShell) effects.push({ does: 'shell-stdin', via })
  for (let i = 0; i < operands.length; i++) {
    const isLast = grammar.last !== null && i > 0 && i === operands.length - 1
    const role = isLast ? grammar.last : (grammar.operands[i] ?? grammar.rest)
    if (role === null) {
      if (grammar.unlisted === 'ignore' && grammar.hook === null) addUnplaced(effects, operands[i] as Arg, cwd)
      continue
    }
    if (role === 'text' || addPathRole(effects, role, operands[i] as Arg, cwd)) continue
    const swallowsRest = role === 'command' || role === 'shell-rest' || role === 'script'
    const args = swallowsRest ? operands.slice(i) : [operands[i] as Arg]
    addRole(effects, role, args, via, cwd, assigned, call.argv[0]?.span ?? [0, 0])
    if (swallowsRest) return
  }
}

/** A word of which nothing is known but that it is an absolute path: a file that is read, as far as anybody can tell. */
function addUnplaced(effects: Effect[], path: Arg, cwd: Arg | undefined): void {
  if (path.head.startsWith('/') && /^\/[^/\s]\S*$/.test(path.text ?? path.head))
    effects.push({ does: 'read', path, recursive: false, cwd })
}

function leadingAssignments(operands: readonly Arg[]): number {
  let count = 0
  while (count < operands.length && ASSIGNMENT.test(operands[count]?.head ?? '')) count++
  return count
}

/** A path that is read, written or deleted, which most words are that mean anything. False for any other. */
function addPathRole(effects: Effect[], role: Role, path: Arg, cwd: Arg | undefined): boolean {
  switch (role) {
    case 'read':
    case 'cwd':
      effects.push({ does: 'read', path, recursive: false, cwd })
      return true
    case 'read-tree':
      effects.push({ does: 'read', path, recursive: true, cwd })
      return true
    case 'write':
    case 'write-tree':
      effects.push({ does: 'write', path, recursive: role === 'write-tree', cwd })
      return true
    case 'update':
    case 'update-tree':
      effects.push({ does: 'read', path, recursive: role === 'update-tree', cwd })
      effects.push({ does: 'write', path, recursive: role === 'update-tree', cwd })
      return true
    case 'delete':
    case 'delete-tree':
      effects.push({ does: 'delete', path, recursive: role === 'delete-tree', cwd })
      return true
    default:
      return false
  }
}

/** Everything else a word can mean. */
function addRole(
  effects: Effect[],
  role: Role,
  args: readonly Arg[],
  via: string,
  cwd: Arg | undefined,
  assign: readonly Arg[],
  span: Span,
): void {
  const arg = args[0] as Arg
  switch (role) {
    case 'host':
    case 'url':
      effects.push({ does: 'connect', host: arg, how: role })
      return
    case 'remote':
    case 'remote-write':
      addRemote(effects, arg, role === 'remote' ? 'read' : 'write', cwd)
      return
    case 'command':
      effects.push({ does: 'run', argv: args, via, assign, cwd })
      return
    case 'program':
      effects.push({ does: 'run', argv: [arg], via, more: true, assign, cwd })
      return
    case 'words':
      effects.push({ does: 'run', argv: splitWords(arg), via, more: true, assign, cwd })
      return
    case 'shell':
      effects.push({ does: 'shell', text: arg, via, assign, cwd })
      return
    case 'shell-rest':
      effects.push({ does: 'shell', text: joined(args, span), via, assign, cwd })
      return
    case 'script':
      effects.push({ does: 'script', path: arg, args: args.slice(1), via })
      return
    case 'code':
      effects.push({ does: 'foreign', reason: `${via} runs code of another language`, at: arg.span })
      return
    case 'code-file':
      effects.push({ does: 'read', path: arg, recursive: false, cwd })
      effects.push({ does: 'foreign', reason: `${via} runs code of another language`, at: arg.span })
      return
    case 'assignment':
      effects.push({ does: 'set', assignment: arg })
  }
}

const REMOTE = /^(?:[^/@:]+@)?(\[[^\]]+\]|[^/:]+):/

function addRemote(effects: Effect[], arg: Arg, does: 'read' | 'write', cwd: Arg | undefined): void {
  if (arg.head.includes('://')) effects.push({ does: 'connect', host: arg, how: 'url' })
  else if (REMOTE.test(arg.head)) effects.push({ does: 'connect', host: arg, how: 'host' })
  else effects.push({ does, path: arg, recursive: true, cwd })
}

/** A string split at blanks, quotes and backslashes understood, as programs do that take a command in one option. */
export function splitWords(arg: Arg): readonly Arg[] {
  const text = arg.text ?? arg.head
  const words: Arg[] = []
  let current: string | null = null
  let quote = ''
  for (let i = 0; i < text.length; i++) {
    const c = text[i] as string
    if (quote !== '') {
      if (c === quote) quote = ''
      else if (c === '\\' && quote === '"' && i + 1 < text.length) current += text[++i] as string
      else current += c
    } else if (c === "'" || c === '"') {
      quote = c
      current ??= ''
    } else if (c === '\\' && i + 1 < text.length) current = (current ?? '') + (text[++i] as string)
    else if (/\s/.test(c)) {
      if (current !== null) words.push({ text: current, head: current, several: false, span: arg.span })
      current = null
    } else current = (current ?? '') + c
  }
  if (arg.text === null) words.push({ ...arg, head: current ?? '', several: true })
  else if (current !== null) words.push({ text: current, head: current, several: false, span: arg.span })
  return words
}
