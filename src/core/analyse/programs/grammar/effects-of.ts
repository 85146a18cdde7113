import { baseName } from '../../../model/basics/path.js'
import type { Span } from '../../../model/basics/span.js'
import { joined, without } from './arguments.js'
import { type CompiledGrammar, compiled } from './compiled-grammar.js'
import { ParsedCall } from './read-call.js'
import type { Arg, Effect, Program, Role } from './roles.js'

/** The effects of a call. `writesOnlyNamedPaths`: it changes only the paths in them. */
export interface Effects {
  readonly effects: readonly Effect[]
  readonly writesOnlyNamedPaths: boolean
}

/** `env` takes any word with an equals sign for an assignment. */
const ASSIGNMENT = /^[^=]*=/

const NONE: readonly Arg[] = []

/** Returns the effects of a call by the grammar of its program. `argv[0]` is the program. */
export const effectsOf = (program: Program, argv: readonly Arg[]): Effects => readEffects(compiled(program), argv)

/** Returns the effects of a call by a prepared grammar. */
export function readEffects(grammar: CompiledGrammar, argv: readonly Arg[]): Effects {
  const effects: Effect[] = []
  const writesOnlyNamedPaths = addEffects({ effects, via: nameOf(argv), cwd: undefined }, grammar, argv, 1)
  return { effects, writesOnlyNamedPaths }
}

const nameOf = (argv: readonly Arg[]): string => baseName(argv[0]?.text ?? argv[0]?.prefix ?? '')

/** The target of new effects, the programs before them, and their directory. */
interface Scope {
  readonly effects: Effect[]
  readonly via: string
  readonly cwd: Arg | undefined
}

function addEffects(outer: Scope, grammar: CompiledGrammar, argv: readonly Arg[], start: number): boolean {
  const { effects, via } = outer
  const call = new ParsedCall(grammar, argv, start)
  const { options } = call
  const scope = options.length === 0 ? outer : addOptions(outer, options)
  if (call.unclearWords.length > 0) {
    if (grammar.unlisted !== 'ignore') addUnclearWords(effects, grammar.unlisted, call, via)
    for (const word of call.unclearWords) {
      const equals = word.prefix.indexOf('=')
      if (equals > 0) addPossibleRead(scope, without(word, equals + 1))
    }
  }
  const shaped = grammar.when.length > 0 && options.length > 0 ? applicable(grammar, call) : grammar
  let { writesOnlyNamedPaths } = shaped
  if (grammar.subcommands) writesOnlyNamedPaths = addSubcommand(scope, grammar, call, argv)
  else {
    addOperands(scope, shaped, call)
    if (shaped.foreign !== null) effects.push({ does: 'foreign', reason: shaped.foreign })
  }
  if (grammar.effects) addAll(effects, grammar.effects(call))
  return writesOnlyNamedPaths ?? false
}

function addAll(effects: Effect[], more: readonly Effect[]): void {
  for (let i = 0; i < more.length; i++) effects.push(more[i] as Effect)
}

/** Adds the effects of option values. Returns the scope of the operands. */
function addOptions(outer: Scope, options: ParsedCall['options']): Scope {
  const { effects, via } = outer
  let { cwd } = outer
  let isMeant = false
  for (let i = 0; i < options.length; i++) {
    const { role, value } = options[i] as ParsedCall['options'][number]
    if (!value || role === 'text') continue
    isMeant = true
    if (role !== 'cwd') continue
    effects.push({ does: 'read', path: value, recursive: false, cwd })
    cwd = joinDirectories(cwd, value)
  }
  if (!isMeant) return outer
  const scope = { effects, via, cwd }
  for (const { role, value, name, span } of options)
    if (value && role !== 'text' && role !== 'cwd' && !addPathRole(scope, role, value))
      addRole({ ...scope, via: `${via} ${name}` }, role, [value], NONE, span)
  return scope
}

/** Returns the directory after several changes: `git -C a -C b`. */
const joinDirectories = (from: Arg | undefined, to: Arg): Arg => {
  if (from === undefined || to.prefix.startsWith('/')) return to
  if (from.text === null || to.text === null) return { ...to, text: null, prefix: from.prefix }
  return { ...to, text: `${from.text}/${to.text}`, prefix: `${from.text}/${to.text}` }
}

/** Returns the grammar after the present options changed it. */
function applicable(grammar: CompiledGrammar, { options }: ParsedCall): CompiledGrammar {
  const { when } = grammar
  for (let i = 0; i < when.length; i++) {
    const { names, shaped } = when[i] as CompiledGrammar['when'][number]
    for (let j = 0; j < options.length; j++) if (names.has(options[j]?.name ?? '')) return shaped
  }
  return grammar
}

/** An argument with this many alternatives is not tried with each. */
const MAX_TRIED = 6

/** `xargs --version`: a single such word makes any program print about itself. */
const isAboutItself = ({ argv }: ParsedCall): boolean =>
  argv.length === 2 && /^--(?:version|help)$/.test(argv[1]?.text ?? '')

function addUnclearWords(effects: Effect[], does: 'foreign' | 'unknown', call: ParsedCall, via: string): void {
  if (isAboutItself(call)) return
  for (const word of call.unclearWords) {
    // An argument with few alternatives runs with each of them.
    if (word.origin === 'condition' && (word.alternatives?.length ?? MAX_TRIED) < MAX_TRIED) continue
    const what = word.text === null ? 'an unknown argument' : `the unlisted option ${word.text}`
    effects.push({ does, reason: `${via} with ${what} may run code`, at: word.span })
  }
}

function addSubcommand(
  scope: Scope,
  { writesOnlyNamedPaths, subcommands }: CompiledGrammar,
  call: ParsedCall,
  argv: readonly Arg[],
): boolean {
  const { effects, via } = scope
  const word = call.operands[0]
  if (!word) return writesOnlyNamedPaths ?? true
  if (word.text === null) {
    effects.push({ does: 'unknown', reason: `the subcommand of ${via} is unknown`, at: word.span })
    return false
  }
  const chosen = subcommands?.get(word.text) ?? subcommands?.get('*')
  if (!chosen) return false
  const start = argv.length - call.operands.length + 1
  return addEffects({ ...scope, via: `${via} ${word.text}` }, compiled(chosen), argv, start)
}

function addOperands(scope: Scope, grammar: CompiledGrammar, call: ParsedCall): void {
  const { effects, via } = scope
  let { operands }: { operands: readonly Arg[] } = call
  let assigned = NONE
  if (grammar.style.has('assignments-first')) {
    const count = leadingAssignments(operands)
    assigned = operands.slice(0, count)
    operands = operands.slice(count)
  }
  if (operands.length === 0 && grammar.style.has('bare-shell')) effects.push({ does: 'shell-stdin', via })
  for (let i = 0; i < operands.length; i++) {
    const isLast = grammar.last !== null && i > 0 && i === operands.length - 1
    const role = isLast ? grammar.last : (grammar.operands[i] ?? grammar.rest)
    if (role === null) {
      if (grammar.unlisted === 'ignore' && grammar.effects === null) addPossibleRead(scope, operands[i] as Arg)
      continue
    }
    if (role === 'text' || addPathRole(scope, role, operands[i] as Arg)) continue
    const swallowsRest = role === 'command' || role === 'shell-rest' || role === 'script'
    const args = swallowsRest ? operands.slice(i) : [operands[i] as Arg]
    addRole(scope, role, args, assigned, call.argv[0]?.span ?? [0, 0])
    if (swallowsRest) return
  }
}

/** Adds an unlisted word as a read file if it is an absolute path. */
function addPossibleRead({ effects, cwd }: Scope, path: Arg): void {
  if (path.prefix.startsWith('/') && /^\/[^/\s]\S*$/.test(path.text ?? path.prefix))
    effects.push({ does: 'read', path, recursive: false, cwd })
}

function leadingAssignments(operands: readonly Arg[]): number {
  let count = 0
  while (count < operands.length && ASSIGNMENT.test(operands[count]?.prefix ?? '')) count++
  return count
}

/** Adds the effect of a path role. Returns false for any other role. */
function addPathRole({ effects, cwd }: Scope, role: Role, path: Arg): boolean {
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

/** Adds the effect of any other role. */
function addRole(scope: Scope, role: Role, args: readonly Arg[], assign: readonly Arg[], span: Span): void {
  const { effects, via, cwd } = scope
  const arg = args[0] as Arg
  switch (role) {
    case 'host':
    case 'url':
      effects.push({ does: 'connect', host: arg, how: role })
      return
    case 'remote':
    case 'remote-write':
      addRemote(scope, arg, role === 'remote' ? 'read' : 'write')
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
      effects.push({ does: 'foreign', reason: `${via} runs its argument as code`, at: arg.span })
      return
    case 'code-file':
      effects.push({ does: 'read', path: arg, recursive: false, cwd })
      effects.push({ does: 'foreign', reason: `${via} runs its argument as code`, at: arg.span })
      return
    case 'assignment':
      effects.push({ does: 'set', assignment: arg })
  }
}

const REMOTE = /^(?:[^/@:]+@)?(\[[^\]]+\]|[^/:]+):/

function addRemote({ effects, cwd }: Scope, arg: Arg, does: 'read' | 'write'): void {
  if (arg.prefix.includes('://')) effects.push({ does: 'connect', host: arg, how: 'url' })
  else if (REMOTE.test(arg.prefix)) effects.push({ does: 'connect', host: arg, how: 'host' })
  else effects.push({ does, path: arg, recursive: true, cwd })
}

/** Splits a string at blanks and resolves quotes and backslashes, as programs do with a command in one option. */
export function splitWords(arg: Arg): readonly Arg[] {
  const text = arg.text ?? arg.prefix
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
      if (current !== null) words.push({ text: current, prefix: current, maySplit: false, span: arg.span })
      current = null
    } else current = (current ?? '') + c
  }
  if (arg.text === null) words.push({ ...arg, prefix: current ?? '', maySplit: true })
  else if (current !== null) words.push({ text: current, prefix: current, maySplit: false, span: arg.span })
  return words
}
