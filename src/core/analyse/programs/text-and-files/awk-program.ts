import { known } from '../grammar/arguments.js'
import type { Arg, Effect } from '../grammar/roles.js'

const TOKEN =
  /^(?:\s+|#[^\n]*|"(?:[^"\\\n]|\\[\s\S])*"|[A-Za-z_]\w*|\d+(?:\.\d*)?|\|\||&&|>>|>=|<=|==|!=|[-+*/%^]=|\+\+|--|\*\*|\|&|.)/s
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', '"': '"', '\\': '\\', '/': '/' }
/** After these tokens a slash divides. Elsewhere it starts a regular expression. */
const OPERAND = /^(?:[A-Za-z_]\w*|\d.*|"[\s\S]*"|\)|\]|\$|\+\+|--)$/
const KEYWORD_BEFORE_REGEX = /^(?:print|printf|return|if|while|in|case|getline)$/

function regexEnd(text: string, from: number): number {
  let bracket = false
  for (let i = from; i < text.length; i++) {
    const c = text[i]
    if (c === '\\') i++
    else if (c === '[') bracket = true
    else if (c === ']') bracket = false
    else if (c === '/' && !bracket) return i + 1
    else if (c === '\n') return -1
  }
  return -1
}

/** Splits an awk program into tokens without blanks and comments. Null if it cannot be parsed. */
function tokens(text: string): string[] | null {
  const list: string[] = []
  for (let at = 0; at < text.length; ) {
    const token = TOKEN.exec(text.slice(at))?.[0]
    if (token === undefined || token === '"') return null
    const before = list.at(-1)
    const divides = before !== undefined && OPERAND.test(before) && !KEYWORD_BEFORE_REGEX.test(before)
    if ((token === '/' || token === '/=') && !divides) {
      at = regexEnd(text, at + 1)
      if (at < 0) return null
      list.push('"/"')
      continue
    }
    at += token.length
    if (token === '\n' || token.includes('\n')) list.push('\n')
    else if (!/^(?:\s|#)/.test(token)) list.push(token)
  }
  return list
}

const constant = (token: string | undefined): string | null =>
  token?.startsWith('"') ? token.slice(1, -1).replace(/\\([\s\S])/g, (_, c: string) => ESCAPES[c] ?? `\\${c}`) : null

const ENDS = new Set([';', '}', '\n', ')', undefined])

class AwkParser {
  readonly effects: Effect[] = []
  #printing = false
  #depth = 0
  readonly program: Arg
  readonly list: readonly string[]

  constructor(program: Arg, list: readonly string[]) {
    this.program = program
    this.list = list
  }

  parse(): void {
    this.list.forEach((token, i) => {
      if (token === 'print' || token === 'printf') {
        this.#printing = true
        this.#depth = 0
      } else if (token === ';' || token === '\n' || token === '}') this.#printing = false
      if (token === '(') this.#depth++
      else if (token === ')') this.#depth--
      this.#token(token, i)
    })
  }

  #token(token: string, i: number): void {
    const next = this.list[i + 1]
    if (token === 'system' && next === '(') this.#runs(i + 2, 'awk system()')
    else if (token === '@') this.#foreign('awk calls a function or loads a file by name')
    else if (token === '|' || token === '|&') this.#pipe(i)
    else if ((token === '>' || token === '>>') && this.#printing && this.#depth <= 0) this.#file('write', i + 1)
    else if (token === '<' && this.#followsGetline(i)) this.#file('read', i + 1)
  }

  #followsGetline(i: number): boolean {
    return this.list[i - 1] === 'getline' || this.list[i - 2] === 'getline'
  }

  #pipe(i: number): void {
    if (this.list[i + 1] !== 'getline') this.#runs(i + 1, 'awk |')
    else if (ENDS.has(this.list[i - 2]) || this.list[i - 2] === '{' || this.list[i - 2] === '(')
      this.#runs(i - 1, 'awk | getline')
    else this.#foreign('awk runs a command that it builds')
  }

  /** Adds the command that starts at token `i`: constant, with a constant prefix, or unknown. */
  #runs(i: number, via: string): void {
    const text = constant(this.list[i])
    const whole = ENDS.has(this.list[i + 1]) || this.list[i + 1] === '|' || this.list[i + 1] === '|&'
    this.#foreign(`${via} runs a command`)
    if (text === null) return
    const { span } = this.program
    const unknown = { unknown: 'awk builds the rest of the command' }
    this.effects.push({
      does: 'shell',
      text: whole ? known(text, span) : { text: null, prefix: text, unknown, maySplit: false, span },
      via,
    })
  }

  #file(does: 'read' | 'write', i: number): void {
    const text = constant(this.list[i])
    if (text === null || !ENDS.has(this.list[i + 1])) this.#foreign(`awk ${does}s a file whose name it computes`)
    else this.effects.push({ does, path: known(text, this.program.span), recursive: false })
  }

  #foreign(reason: string): void {
    this.effects.push({ does: 'foreign', reason, at: this.program.span })
  }
}

/** Returns what an awk program runs, reads and writes. One that only computes and prints has no effect. */
export function awkEffects(program: Arg): readonly Effect[] {
  const list = program.text === null ? null : tokens(program.text)
  if (!list) return [{ does: 'foreign', reason: 'an awk program that cannot be parsed', at: program.span }]
  const parser = new AwkParser(program, list)
  parser.parse()
  return parser.effects
}
