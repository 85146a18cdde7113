import type { Span } from '../../../model/basics/span.js'
import { without } from './arguments.js'
import { type CompiledGrammar, type Option, RUNNING } from './compiled-grammar.js'
import type { Arg, Call, Role } from './roles.js'

interface Found {
  readonly name: string
  readonly value: Arg | null
  readonly role: Role
  readonly span: Span
}

/** A call parsed by a grammar: its options and operands. */
export class ParsedCall implements Call {
  readonly argv: readonly Arg[]
  readonly operands: Arg[] = []
  readonly options: Found[] = []
  /** Words without a clear role: unlisted options, and unknown words before an operand. */
  readonly unclearWords: Arg[] = []
  readonly #table: CompiledGrammar
  #at: number

  /** Parses the words from `start` on, after the program and subcommand. */
  constructor(table: CompiledGrammar, argv: readonly Arg[], start: number) {
    this.#table = table
    this.argv = argv
    this.#at = start
    this.#read()
  }

  get program(): string {
    return this.argv[0]?.text ?? ''
  }

  has(...names: readonly string[]): boolean {
    return this.options.some(({ name }) => names.includes(name))
  }

  value(...names: readonly string[]): Arg | null {
    return this.options.findLast(({ name }) => names.includes(name))?.value ?? null
  }

  #read(): void {
    const { argv, operands } = this
    const table = this.#table
    if (table.style.has('bare-first')) this.#bareFirst()
    while (this.#at < argv.length) {
      const arg = argv[this.#at++] as Arg
      const text = arg.text ?? arg.prefix
      if (!text.startsWith('-')) {
        // A number is not an option and does not contain one.
        const mayBeOption = arg.origin !== 'number' && (arg.maySplit || table.losesCommand)
        if (text === '' && arg.text === null && mayBeOption) this.unclearWords.push(arg)
        operands.push(arg)
        if (!table.stopsAtOperand) continue
        this.#rest()
        return
      }
      if (text === '--') {
        this.#rest()
        return
      }
      if (text.length > 1) this.#option(arg, text)
      else if (!table.byName.has('-')) {
        operands.push(arg)
        if (!table.stopsAtOperand) continue
        this.#rest()
        return
      }
    }
  }

  /** Adds all remaining words as operands. */
  #rest(): void {
    while (this.#at < this.argv.length) this.operands.push(this.argv[this.#at++] as Arg)
  }

  #bareFirst(): void {
    const arg = this.argv[this.#at]
    if (!arg?.text || arg.text.startsWith('-')) return
    this.#at++
    for (const letter of arg.text) {
      const option = this.#table.byName.get(`-${letter}`)
      if (option?.arity === 'value') this.#add(`-${letter}`, option, this.#next(arg), arg.span)
      else if (option) this.#add(`-${letter}`, option, null, arg.span)
    }
  }

  #next(after: Arg): Arg | null {
    const arg = this.argv[this.#at]
    if (arg) this.#at++
    else this.unclearWords.push(after)
    return arg ?? null
  }

  #option(arg: Arg, text: string): void {
    if (text.charCodeAt(1) === DASH || this.#table.style.has('single-dash')) this.#long(arg, text)
    else this.#bundle(arg, text)
  }

  #long(arg: Arg, text: string): void {
    const equals = text.indexOf('=')
    const name = equals < 0 ? text : text.slice(0, equals)
    const option = this.#table.byName.get(name)
    if (option) {
      this.#longNamed(arg, name, option, equals)
      return
    }
    const matches = this.#table.longNames.filter((full) => full.startsWith(name))
    const optionOf = (full: string): Option => this.#table.byName.get(full) as Option
    const [first] = matches
    if (first === undefined) {
      this.unclearWords.push(arg)
      return
    }
    const meant = matches.length === 1 ? first : (matches.find((full) => RUNNING.has(optionOf(full).role)) ?? first)
    if (matches.some((full) => optionOf(full).arity !== optionOf(first).arity)) this.unclearWords.push(arg)
    this.#longNamed(arg, meant, optionOf(meant), equals)
  }

  #longNamed(arg: Arg, name: string, option: Option, equals: number): void {
    if (equals >= 0) this.#add(name, option, without(arg, equals + 1), arg.span)
    else if (option.arity === 'value') this.#add(name, option, arg.text === null ? arg : this.#next(arg), arg.span)
    else this.#add(name, option, null, arg.span)
  }

  #bundle(arg: Arg, text: string): void {
    const { byName, unlisted, losesCommand } = this.#table
    let isDoubtful = arg.text === null
    for (let i = 1; i < text.length; i++) {
      const name = `-${text[i]}`
      const option = byName.get(name)
      if (!option) {
        if (/\d/.test(name) && !losesCommand) continue
        isDoubtful = true
        // A harmless unlisted option counts as a flag.
        if (unlisted === 'ignore') continue
        break
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
    if (isDoubtful) this.unclearWords.push(arg)
  }

  #add(name: string, { role }: Option, value: Arg | null, span: Span): void {
    this.options.push({ name, value, role, span })
  }
}

const DASH = 0x2d
