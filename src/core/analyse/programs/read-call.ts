import type { Span } from '../../model/span.js'
import { without } from './arguments.js'
import { type CompiledGrammar, type Option, RUNNING } from './compiled-grammar.js'
import type { Arg, Call, Role } from './knowledge.js'

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
function longMatches(table: CompiledGrammar, name: string): readonly string[] {
  if (table.byName.has(name)) return [name]
  return table.longNames.filter((full) => full.startsWith(name))
}

class Reader {
  readonly found: Found[] = []
  readonly operands: Arg[] = []
  readonly doubts: Arg[] = []
  #at: number
  readonly table: CompiledGrammar
  readonly argv: readonly Arg[]

  constructor(table: CompiledGrammar, argv: readonly Arg[], start: number) {
    this.table = table
    this.argv = argv
    this.#at = start
  }

  read(): void {
    if (this.table.bareFirst) this.#bareFirst()
    while (this.#at < this.argv.length) {
      const arg = this.argv[this.#at] as Arg
      const text = arg.text ?? arg.head
      if (text === '--') {
        this.operands.push(...this.argv.slice(this.#at + 1))
        return
      }
      this.#at++
      if (arg.text === null && text === '' && (arg.several || this.table.losesCommand)) this.doubts.push(arg)
      if (text === '-' && this.table.byName.has('-')) continue
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
    if (text.startsWith('--') || this.table.singleDash) this.#long(arg, text)
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
export function readCall(grammar: CompiledGrammar, argv: readonly Arg[], start: number): ReadCall {
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
