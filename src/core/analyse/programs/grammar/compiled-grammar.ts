import type { Call, Effect, Grammar, Role } from './roles.js'

/** An option: whether it has a value, and the role of the value. */
export interface Option {
  readonly arity: 'flag' | 'value' | 'optional'
  readonly role: Role
}

/** A grammar prepared for parsing: all fields are set. */
export interface CompiledGrammar {
  readonly byName: ReadonlyMap<string, Option>
  readonly longNames: readonly string[]
  readonly stopsAtOperand: boolean
  /** A wrongly parsed line would hide a command. */
  readonly losesCommand: boolean
  readonly style: ReadonlySet<string>
  readonly operands: readonly Role[]
  readonly rest: Role | null
  readonly last: Role | null
  /** The effect of an unlisted option. */
  readonly unlisted: 'ignore' | 'foreign' | 'unknown'
  readonly foreign: string | null
  readonly writesOnlyNamedPaths: boolean | null
  readonly effects: ((call: Call) => readonly Effect[]) | null
  /** Options that change the roles of operands, in order, each with the changed grammar. */
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

/** Prepares a grammar once, on first use. */
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
  const roles = rest === null ? operands : [...operands, rest]
  const losesCommand = roles.some((role) => TRAILING.has(role))
  const runs =
    roles.some((role) => RUNNING.has(role)) || [...byName.values()].some((option) => RUNNING.has(option.role))
  const changed = Object.entries(when).map(([names, shape]) => ({
    names: new Set(names.split(' ')),
    shaped: compile({ ...own, operands, ...(rest ? { rest } : {}), ...shape }, byName),
  }))
  return {
    byName,
    longNames: [...byName.keys()].filter((name) => name.startsWith('--')),
    stopsAtOperand: !(own.permute ?? !losesCommand) || own.subcommands !== undefined,
    losesCommand,
    style: new Set(own.style?.split(' ')),
    operands,
    rest,
    last: own.last ?? null,
    unlisted: own.unlisted ?? (losesCommand ? 'unknown' : runs ? 'foreign' : 'ignore'),
    foreign: own.foreign ?? null,
    writesOnlyNamedPaths: own.writesOnlyNamedPaths ?? null,
    effects: own.effects ?? null,
    when: changed,
    subcommands: own.subcommands ? subcommandsOf(own.subcommands) : null,
  }
}

/** Splits the comma-separated names of subcommands. */
function subcommandsOf(subcommands: NonNullable<Grammar['subcommands']>): ReadonlyMap<string, Grammar> {
  const table = new Map<string, Grammar>()
  for (const [names, grammar] of Object.entries(subcommands))
    for (const name of names.split(',')) table.set(name.trim(), grammar)
  return table
}
