import { apply, logical, toNumber, truth, wrap } from './arithmetic-numbers.js'
import { TooMuch, type Work } from './text/work.js'

/** The variables an expression reads and sets. Null stands for a number that is not known. */
export interface ArithmeticHost {
  readonly work: Work
  /** The text of a variable or element; null when it is not known. */
  read(name: string, subscript: string | null): string | null
  /** Sets a variable or element. */
  write(name: string, subscript: string | null, value: bigint | null): void
  /** Expands what a subscript or a variable's own text still holds (`x[$(cmd)]`): bash expands it again. */
  expand(text: string): string | null
  /** The expression cannot be read, and the command does not run. */
  fails(): void
}

const TOKEN =
  /\s*(?:(\d+#[0-9a-zA-Z@_]+|0[xX][0-9a-fA-F]+|\d+)|([A-Za-z_][A-Za-z0-9_]*)|(<<=|>>=|\*\*|<<|>>|<=|>=|==|!=|&&|\|\||\+\+|--|[-+*/%&|^]=|[-+*/%<>=!~&|^?:,()[\]]))/y

/** Variables that hold expressions with variables. bash goes on for a thousand; what is behind the last must not be missed. */
const DEPTH = 128
const NESTING = 500
const EVALUATED_AGAIN = /\$[({A-Za-z_0-9@*#?]|`/

/** The value of an expression, or null when it is not known. Throws nothing; a malformed expression is not known. */
export function evaluate(text: string, host: ArithmeticHost, depth = 0): bigint | null {
  if (depth > DEPTH) throw new TooMuch('its numbers refer to each other too deeply')
  host.work.add(4 + (text.length >> 2))
  const expanded = EVALUATED_AGAIN.test(text) ? host.expand(text) : text
  if (expanded === null) return null
  const plain = /^\s*(-?\d{1,15})\s*$/.exec(expanded)
  if (plain && !/^\s*-?0\d/.test(expanded)) return BigInt(plain[1] ?? 0)
  if (expanded.trim() === '') return 0n
  const parser = new Parser(expanded.replaceAll(/["']/g, ''), host, depth)
  const value = parser.comma()
  if (!parser.finished) host.fails()
  return parser.finished ? value : null
}

const BINARY: readonly (readonly string[])[] = [
  ['||'],
  ['&&'],
  ['|'],
  ['^'],
  ['&'],
  ['==', '!='],
  ['<', '>', '<=', '>='],
  ['<<', '>>'],
  ['+', '-'],
  ['*', '/', '%'],
]
const ASSIGN = new Set(['=', '+=', '-=', '*=', '/=', '%=', '&=', '|=', '^=', '<<=', '>>='])
class Parser {
  readonly #text: string
  readonly #host: ArithmeticHost
  readonly #depth: number
  #at = 0
  #token = ''
  #kind: 'number' | 'name' | 'operator' | 'end' | 'bad' = 'end'
  #nesting = 0
  /** Above zero inside a branch that is not taken. */
  #dry = 0
  /** False behind an operator. */
  #mayAssign = true

  constructor(text: string, host: ArithmeticHost, depth: number) {
    this.#text = text
    this.#host = host
    this.#depth = depth
    this.#next()
  }

  get finished(): boolean {
    return this.#kind === 'end'
  }

  #next(): void {
    TOKEN.lastIndex = this.#at
    const match = TOKEN.exec(this.#text)
    if (!match) {
      this.#kind = /\S/.test(this.#text.slice(this.#at)) ? 'bad' : 'end'
      this.#token = ''
      return
    }
    this.#at = TOKEN.lastIndex
    this.#token = match[0].trim()
    this.#kind = match[1] !== undefined ? 'number' : match[2] !== undefined ? 'name' : 'operator'
  }

  #is(operator: string): boolean {
    return this.#kind === 'operator' && this.#token === operator
  }

  #take(operator: string): boolean {
    if (!this.#is(operator)) return false
    this.#next()
    return true
  }

  comma(): bigint | null {
    this.#deeper()
    let value = this.#ternary()
    while (this.#take(',')) value = this.#ternary()
    this.#nesting--
    return value
  }

  #deeper(): void {
    if (++this.#nesting > NESTING) throw new TooMuch('an expression in it is nested too deeply')
  }

  #ternary(): bigint | null {
    this.#mayAssign = true
    const test = this.#binary(0)
    if (!this.#take('?')) return test
    const whenTrue = this.#within(test === 0n, () => this.comma())
    if (!this.#take(':')) this.#kind = 'bad'
    const whenFalse = this.#within(test !== null && test !== 0n, () => this.#ternary())
    return test === null ? null : test !== 0n ? whenTrue : whenFalse
  }

  #within(dry: boolean, run: () => bigint | null): bigint | null {
    this.#deeper()
    if (dry) this.#dry++
    const value = run()
    if (dry) this.#dry--
    this.#nesting--
    return value
  }

  #binary(level: number): bigint | null {
    const operators = BINARY[level]
    if (!operators) return this.#power()
    let left = this.#binary(level + 1)
    while (this.#kind === 'operator' && operators.includes(this.#token)) {
      const operator = this.#token
      this.#next()
      this.#mayAssign = false
      const skip = (operator === '&&' && left === 0n) || (operator === '||' && left !== null && left !== 0n)
      const right = this.#within(skip, () => this.#binary(level + 1))
      left =
        operator === '&&' || operator === '||'
          ? logical(operator, left, right)
          : left === null || right === null
            ? null
            : apply(operator, left, right)
    }
    return left
  }

  #power(): bigint | null {
    const base = this.#unary()
    if (!this.#take('**')) return base
    this.#mayAssign = false
    const exponent = this.#within(false, () => this.#power())
    return base === null || exponent === null ? null : apply('**', base, exponent)
  }

  #unary(): bigint | null {
    if (this.#kind === 'operator' && /^([-+!~]|\+\+|--)$/.test(this.#token)) {
      const operator = this.#token
      this.#next()
      this.#mayAssign = false
      if (operator === '++' || operator === '--') return this.#step(operator)
      const value = this.#within(false, () => this.#unary())
      if (value === null) return null
      return operator === '-'
        ? wrap(-value)
        : operator === '!'
          ? truth(value === 0n)
          : operator === '~'
            ? ~value
            : value
    }
    return this.#primary()
  }

  #step(operator: string): bigint | null {
    if (this.#kind !== 'name') return this.#within(false, () => this.#unary())
    const target = this.#target()
    const before = this.#load(target)
    const after = before === null ? null : before + (operator === '++' ? 1n : -1n)
    this.#store(target, after)
    return after
  }

  #primary(): bigint | null {
    if (this.#take('(')) {
      const value = this.comma()
      if (!this.#take(')')) this.#kind = 'bad'
      return value
    }
    if (this.#kind === 'number') {
      const value = toNumber(this.#token)
      this.#next()
      return value
    }
    if (this.#kind !== 'name') {
      this.#kind = 'bad'
      return null
    }
    return this.#variable()
  }

  #variable(): bigint | null {
    const target = this.#target()
    if (this.#kind === 'operator' && ASSIGN.has(this.#token)) {
      const operator = this.#token.slice(0, -1)
      // Behind another operator it is an error, and nothing is assigned.
      if (!this.#mayAssign) {
        this.#kind = 'bad'
        return null
      }
      this.#next()
      const before = operator === '' ? 0n : this.#load(target)
      const value = this.#within(false, () => this.#ternary())
      const result = operator === '' ? value : before === null || value === null ? null : apply(operator, before, value)
      this.#store(target, result)
      return result
    }
    const value = this.#load(target)
    if (this.#is('++') || this.#is('--')) {
      this.#store(target, value === null ? null : value + (this.#token === '++' ? 1n : -1n))
      this.#next()
    }
    return value
  }

  #target(): { readonly name: string; readonly subscript: string | null } {
    const name = this.#token
    if (this.#text[this.#at] !== '[') {
      this.#next()
      return { name, subscript: null }
    }
    let depth = 0
    let end = this.#at
    for (; end < this.#text.length; end++) {
      if (this.#text[end] === '[') depth++
      else if (this.#text[end] === ']' && --depth === 0) break
    }
    this.#host.work.add(1 + ((end - this.#at) >> 2))
    const subscript = this.#text.slice(this.#at + 1, end)
    this.#at = end + 1
    this.#next()
    return { name, subscript }
  }

  #load(target: { readonly name: string; readonly subscript: string | null }): bigint | null {
    const text = this.#host.read(target.name, target.subscript)
    return text === null ? null : evaluate(text, this.#host, this.#depth + 1)
  }

  #store(target: { readonly name: string; readonly subscript: string | null }, value: bigint | null): void {
    if (this.#dry === 0) this.#host.write(target.name, target.subscript, value)
  }
}
