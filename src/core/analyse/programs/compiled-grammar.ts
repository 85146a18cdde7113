import type { Call, Effect, Grammar, Role } from './knowledge.js'

/** An option: whether it takes a value, and what the value means. */
export interface Option {
  readonly arity: 'flag' | 'value' | 'optional'
  readonly role: Role
}

/** A grammar made ready to read command lines with: all fields are there. */
export interface CompiledGrammar {
  readonly byName: ReadonlyMap<string, Option>
  readonly longNames: readonly string[]
  readonly stopsAtOperand: boolean
  /** A command would be lost by misreading the line. */
  readonly losesCommand: boolean
  readonly singleDash: boolean
  readonly bareFirst: boolean
  readonly bareShell: boolean
  readonly assignmentsFirst: boolean
  readonly operands: readonly Role[]
  readonly rest: Role | null
  readonly last: Role | null
  /** What an option makes of it that is not listed. */
  readonly unlisted: 'ignore' | 'foreign' | 'unknown'
  readonly foreign: string | null
  readonly contained: boolean | null
  readonly hook: ((call: Call) => readonly Effect[]) | null
  /** Options that change what operands mean, in order, each with the grammar they make of this one. */
  readonly when: readonly { readonly names: ReadonlySet<string>; readonly shaped: CompiledGrammar }[]
  readonly subcommands: ReadonlyMap<string, Grammar> | null
}

export const RUNNING: ReadonlySet<Role> = new Set([
  'command',
  'shell',
  'shell-rest',
  'words',
  'program',
  'script',
  'code',
  'code-file',
])
const TRAILING: ReadonlySet<Role> = new Set(['command', 'shell-rest', 'script'])
const NO_ROLES: readonly Role[] = []

const COMPILED = new WeakMap<Grammar, CompiledGrammar>()

/** The grammar made ready, once, on first use. */
export function compiled(grammar: Grammar): CompiledGrammar {
  const known = COMPILED.get(grammar)
  if (known) return known
  const made = compile(grammar, optionsOf(grammar))
  COMPILED.set(grammar, made)
  return made
}

function optionsOf(grammar: Grammar): ReadonlyMap<string, Option> {
  const byName = new Map<string, Option>()
  const add = (names: string, option: Option): void => {
    for (const name of names.split(' ')) if (name !== '') byName.set(name, option)
  }
  add(grammar.flags ?? '', { arity: 'flag', role: 'text' })
  for (const [names, role] of Object.entries(grammar.values ?? {})) add(names, { arity: 'value', role })
  for (const [names, role] of Object.entries(grammar.optional ?? {})) add(names, { arity: 'optional', role })
  return byName
}

function compile(grammar: Grammar, byName: ReadonlyMap<string, Option>): CompiledGrammar {
  const { operands = NO_ROLES, rest = null, when = {}, ...own } = grammar
  const places = rest === null ? operands : [...operands, rest]
  const losesCommand = places.some((role) => TRAILING.has(role))
  const runs =
    places.some((role) => RUNNING.has(role)) || [...byName.values()].some((option) => RUNNING.has(option.role))
  const changed = Object.entries(when).map(([names, shape]) => ({
    names: new Set(names.split(' ')),
    shaped: compile({ ...own, operands, ...(rest ? { rest } : {}), ...shape }, byName),
  }))
  return {
    byName,
    longNames: [...byName.keys()].filter((name) => name.startsWith('--')),
    stopsAtOperand: !(own.permute ?? !losesCommand) || own.subcommands !== undefined,
    losesCommand,
    singleDash: own.singleDash ?? false,
    bareFirst: own.bareFirst ?? false,
    bareShell: own.bareShell ?? false,
    assignmentsFirst: own.assignmentsFirst ?? false,
    operands,
    rest,
    last: own.last ?? null,
    unlisted: own.unlisted ?? (losesCommand ? 'unknown' : runs ? 'foreign' : 'ignore'),
    foreign: own.foreign ?? null,
    contained: own.contained ?? null,
    hook: own.hook ?? null,
    when: changed,
    subcommands: own.subcommands ? subcommandsOf(own.subcommands) : null,
  }
}

/** Several names of one subcommand are separated by commas. */
function subcommandsOf(subcommands: NonNullable<Grammar['subcommands']>): ReadonlyMap<string, Grammar> {
  const table = new Map<string, Grammar>()
  for (const [names, grammar] of Object.entries(subcommands))
    for (const name of names.split(',')) table.set(name.trim(), grammar)
  return table
}
