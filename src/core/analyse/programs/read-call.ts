import type { Span } from '../../model/span.js'
import { without } from './arguments.js'
import type { Arg, Call, Grammar, Role } from './knowledge.js'

type Arity = 'flag' | 'value' | 'optional'
export interface Option {
  readonly arity: Arity
  readonly role: Role
}
export interface OptionTable {
  readonly byName: ReadonlyMap<string, Option>
  readonly longNames: readonly string[]
  readonly stopsAtOperand: boolean
  readonly runs: boolean
  readonly losesCommand: boolean
}

const RUNNING: ReadonlySet<Role> = new Set([
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
const tables = new WeakMap<Grammar, OptionTable>()

/** The options of a grammar as a table, built once, on first use. */
export function optionTable(grammar: Grammar): OptionTable {
  const cached = tables.get(grammar)
  if (cached) return cached
  const byName = new Map<string, Option>()
  const add = (names: string, option: Option): void => {
    for (const name of names.split(' ')) if (name !== '') byName.set(name, option)
  }
  add(grammar.flags ?? '', { arity: 'flag', role: 'text' })
  for (const [names, role] of Object.entries(grammar.values ?? {})) add(names, { arity: 'value', role })
  for (const [names, role] of Object.entries(grammar.optional ?? {})) add(names, { arity: 'optional', role })
  const places = [...(grammar.operands ?? []), ...(grammar.rest ? [grammar.rest] : [])]
  const losesCommand = places.some((role) => TRAILING.has(role))
  const table: OptionTable = {
    byName,
    longNames: [...byName.keys()].filter((name) => name.startsWith('--')),
    stopsAtOperand: !(grammar.permute ?? !losesCommand) || grammar.subcommands !== undefined,
    runs: [...byName.values()].some((option) => RUNNING.has(option.role)) || places.some((role) => RUNNING.has(role)),
    losesCommand,
  }
  tables.set(grammar, table)
  return table
}

interface Found {
  readonly name: string
  readonly value: Arg | null
  readonly role: Role
  readonly span: Span
}

/** A command line read by a grammar. `doubts` are the words it could not place: unlisted options and unknown words before an operand. */
export interface ReadCall extends Call {
  readonly found: readonly Found[]
  readonly doubts: readonly Arg[]
}

/** The full names a possibly abbreviated long option can stand for. */
function longMatches(table: OptionTable, name: string): readonly string[] {
  if (table.byName.has(name)) return [name]
  return table.longNames.filter((full) => full.startsWith(name))
}

class Reader {
  readonly found: Found[] = []
  readonly operands: Arg[] = []
  readonly doubts: Arg[] = []
  #at: number
  readonly table: OptionTable
  readonly grammar: Grammar
  readonly argv: readonly Arg[]

  constructor(grammar: Grammar, argv: readonly Arg[], start: number) {
    this.grammar = grammar
    this.argv = argv
    this.table = optionTable(grammar)
    this.#at = start
  }

  read(): void {
    if (this.grammar.bareFirst) this.#bareFirst()
    while (this.#at < this.argv.length) {
      const arg = this.argv[this.#at] as Arg
      const text = arg.text ?? arg.head
      if (text === '--') {
        this.operands.push(...this.argv.slice(this.#at + 1))
        return
      }
      this.#at++
      if (arg.text === null && text === '' && (arg.several || this.table.losesCommand)) this.doubts.push(arg)
      if (text.length > 1 && text.startsWith('-')) this.#option(arg, text)
      else {
        this.operands.push(arg)
        if (this.table.stopsAtOperand) {
          this.operands.push(...this.argv.slice(this.#at))
          return
        }
      }
    }
  }

  #bareFirst(): void {
    const arg = this.argv[this.#at]
    if (!arg?.text || arg.text.startsWith('-')) return
    this.#at++
    for (const letter of arg.text) {
      const option = this.table.byName.get(`-${letter}`)
      if (option?.arity === 'value') this.#add(`-${letter}`, option, this.#next(arg), arg.span)
      else if (option) this.#add(`-${letter}`, option, null, arg.span)
    }
  }

  #next(after: Arg): Arg | null {
    const arg = this.argv[this.#at]
    if (arg) this.#at++
    else this.doubts.push(after)
    return arg ?? null
  }

  #option(arg: Arg, text: string): void {
    if (text.startsWith('--') || this.grammar.singleDash) this.#long(arg, text)
    else this.#bundle(arg, text)
  }

  #long(arg: Arg, text: string): void {
    const equals = text.indexOf('=')
    const name = equals < 0 ? text : text.slice(0, equals)
    const matches = longMatches(this.table, name)
    if (matches.length === 0) {
      this.doubts.push(arg)
      return
    }
    if (matches.length > 1) {
      const first =
        matches.find((m) => RUNNING.has((this.table.byName.get(m) as Option).role)) ?? (matches[0] as string)
      if (new Set(matches.map((m) => (this.table.byName.get(m) as Option).arity)).size > 1) this.doubts.push(arg)
      this.#longNamed(arg, first, equals)
      return
    }
    this.#longNamed(arg, matches[0] as string, equals)
  }

  #longNamed(arg: Arg, name: string, equals: number): void {
    const option = this.table.byName.get(name) as Option
    if (equals >= 0) this.#add(name, option, without(arg, equals + 1), arg.span)
    else if (option.arity === 'value') this.#add(name, option, arg.text === null ? arg : this.#next(arg), arg.span)
    else this.#add(name, option, null, arg.span)
  }

  #bundle(arg: Arg, text: string): void {
    for (let i = 1; i < text.length; i++) {
      const name = `-${text[i]}`
      const option = this.table.byName.get(name)
      if (!option) {
        if (/[0-9]/.test(text[i] as string) && !this.table.losesCommand) continue
        this.doubts.push(arg)
        return
      }
      if (option.arity === 'flag') {
        this.#add(name, option, null, arg.span)
        continue
      }
      const rest = i + 1 < text.length || arg.text === null ? without(arg, i + 1) : null
      if (option.arity === 'value') this.#add(name, option, rest ?? this.#next(arg), arg.span)
      else this.#add(name, option, rest, arg.span)
      return
    }
    if (arg.text === null) this.doubts.push(arg)
  }

  #add(name: string, option: Option, value: Arg | null, span: Span): void {
    this.found.push({ name, value, role: option.role, span })
  }
}

/** Reads the words after the program (and subcommand) by a grammar. */
export function readCall(grammar: Grammar, argv: readonly Arg[], start: number): ReadCall {
  const reader = new Reader(grammar, argv, start)
  reader.read()
  const { found, operands, doubts } = reader
  return {
    program: argv[0]?.text ?? '',
    argv,
    found,
    options: found,
    operands,
    doubts,
    has: (...names) => found.some((f) => names.includes(f.name)),
    value: (...names) => found.findLast((f) => names.includes(f.name))?.value ?? null,
  }
}
