import type { Span } from '../model/span.js'

/** A script as bash parses it: plain data, nothing lazy. With `problems` the tree is not to be trusted as complete. */
export interface Script {
  readonly text: string
  readonly statements: readonly Statement[]
  readonly problems: readonly Problem[]
  /** Set where it was not read because there is too much of it. */
  readonly isTooMuch?: boolean
}

/** Why the tree may hide something that bash would run, and where. */
export interface Problem {
  readonly reason: string
  readonly span: Span
}

export interface Statement {
  readonly node: Node
  readonly background: boolean
}

export type Node =
  | Simple
  | Pipeline
  | AndOr
  | Block
  | If
  | For
  | ArithmeticFor
  | While
  | Case
  | FunctionDefinition
  | Coproc
  | Test
  | Arithmetic

export interface Simple {
  readonly kind: 'simple'
  readonly assignments: readonly Assignment[]
  /** The command word and its arguments; an argument of `declare` and its kin can be an assignment. */
  readonly words: readonly (Word | Assignment)[]
  readonly redirects: readonly Redirect[]
  readonly span: Span
}

export interface Pipeline {
  readonly kind: 'pipeline'
  readonly commands: readonly Node[]
  /** True at `i` when standard error of command `i` goes down the pipe too. */
  readonly both: readonly boolean[]
  readonly negated: boolean
  /** Set where `time` stands before it. */
  readonly isTimed?: true
  readonly span: Span
}

export interface AndOr {
  readonly kind: 'and-or'
  readonly commands: readonly Node[]
  readonly operators: readonly ('&&' | '||')[]
  readonly span: Span
}

/** `{ …; }`, `( … )`, or any compound command with redirects around it. */
export interface Block {
  readonly kind: 'group' | 'subshell'
  readonly body: readonly Statement[]
  readonly redirects: readonly Redirect[]
  readonly span: Span
}

export interface If {
  readonly kind: 'if'
  readonly arms: readonly { readonly test: readonly Statement[]; readonly body: readonly Statement[] }[]
  readonly otherwise: readonly Statement[] | null
  readonly span: Span
}

/** `for` and `select`. Without `words` it goes over the positional parameters. */
export interface For {
  readonly kind: 'for' | 'select'
  readonly name: string
  readonly words: readonly Word[] | null
  readonly body: readonly Statement[]
  readonly span: Span
}

export interface ArithmeticFor {
  readonly kind: 'arithmetic-for'
  readonly initialise: Word | null
  readonly test: Word | null
  readonly update: Word | null
  readonly body: readonly Statement[]
  readonly span: Span
}

export interface While {
  readonly kind: 'while'
  readonly until: boolean
  readonly test: readonly Statement[]
  readonly body: readonly Statement[]
  readonly span: Span
}

export interface Case {
  readonly kind: 'case'
  readonly word: Word
  readonly items: readonly {
    readonly patterns: readonly Word[]
    readonly body: readonly Statement[]
    readonly ending: ';;' | ';&' | ';;&'
  }[]
  readonly span: Span
}

export interface FunctionDefinition {
  readonly kind: 'function'
  readonly name: string
  readonly body: Node
  readonly span: Span
}

export interface Coproc {
  readonly kind: 'coproc'
  readonly name: string
  readonly body: Node
  readonly span: Span
}

export interface Test {
  readonly kind: 'test'
  readonly expression: TestExpression
  readonly span: Span
}

export type TestExpression =
  | { readonly kind: 'unary'; readonly operator: string; readonly operand: Word }
  | { readonly kind: 'binary'; readonly operator: string; readonly left: Word; readonly right: Word }
  | { readonly kind: 'all' | 'any'; readonly operands: readonly TestExpression[] }
  | { readonly kind: 'not'; readonly operand: TestExpression }

/** `(( … ))`: the text with its expansions, evaluated as arithmetic. */
export interface Arithmetic {
  readonly kind: 'arithmetic'
  readonly expression: Word
  readonly span: Span
}

export interface Assignment {
  readonly kind: 'assignment'
  readonly name: string
  readonly index: Word | null
  readonly append: boolean
  readonly value: Word | ArrayValue
  readonly span: Span
}

export interface ArrayValue {
  readonly kind: 'array'
  readonly elements: readonly Word[]
}

export interface Word {
  readonly kind: 'word'
  readonly parts: readonly Part[]
  readonly span: Span
}

/** A piece of a word. `quoted`: neither split, nor matched against file names, nor read as a pattern. */
export type Part = Text | Parameter | Substitution | ArithmeticPart | ProcessSubstitution

export interface Text {
  readonly kind: 'text'
  readonly value: string
  readonly quoted: boolean
}

export interface Parameter {
  readonly kind: 'parameter'
  readonly name: string
  readonly prefix: '!' | '#' | null
  readonly index: Word | null
  readonly operation: Operation | null
  readonly quoted: boolean
  readonly span: Span
}

export type Operation =
  | { readonly kind: 'default'; readonly operator: string; readonly operand: Word }
  | { readonly kind: 'remove'; readonly operator: string; readonly operand: Word }
  | { readonly kind: 'replace'; readonly operator: string; readonly pattern: Word; readonly replacement: Word }
  | { readonly kind: 'slice'; readonly offset: Word; readonly length: Word | null }
  | { readonly kind: 'case'; readonly operator: string; readonly operand: Word | null }
  | { readonly kind: 'transform'; readonly operator: string }
  | { readonly kind: 'names'; readonly joined: boolean }

export interface Substitution {
  readonly kind: 'substitution'
  readonly body: readonly Statement[]
  readonly quoted: boolean
  readonly span: Span
}

export interface ArithmeticPart {
  readonly kind: 'arithmetic'
  readonly expression: Word
  readonly quoted: boolean
  readonly span: Span
}

export interface ProcessSubstitution {
  readonly kind: 'process'
  readonly direction: '<' | '>'
  readonly body: readonly Statement[]
  readonly span: Span
}

export type Redirect =
  | {
      readonly kind: 'file'
      readonly operator: '>' | '>>' | '<' | '<>' | '<&' | '>&' | '>|' | '&>' | '&>>'
      readonly descriptor: number | string | null
      readonly target: Word
      readonly span: Span
    }
  | {
      readonly kind: 'text'
      readonly descriptor: number | string | null
      readonly body: Word
      /** A here-string has a newline added. */
      readonly newline: boolean
      readonly span: Span
    }
