import type { Span } from '../model/basics/span.js'

/** A parsed script as plain data. With `parseErrors` the tree can be incomplete. */
export interface Script {
  readonly text: string
  readonly statements: readonly Statement[]
  readonly parseErrors: readonly ParseError[]
  /** Set if the script was too large to parse. */
  readonly isTooLarge?: boolean
}

/** A reason why the tree can lack code that bash would run, with its span. */
export interface ParseError {
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
  /** The command word and its arguments. An argument of `declare` and its like can be an assignment. */
  readonly words: readonly (Word | Assignment)[]
  readonly redirects: readonly Redirect[]
  readonly span: Span
}

export interface Pipeline {
  readonly kind: 'pipeline'
  readonly commands: readonly Node[]
  /** True at `i` if command `i` also pipes its standard error. */
  readonly both: readonly boolean[]
  readonly negated: boolean
  /** Set after `time`. */
  readonly isTimed?: true
  readonly span: Span
}

export interface AndOr {
  readonly kind: 'and-or'
  readonly commands: readonly Node[]
  readonly operators: readonly ('&&' | '||')[]
  readonly span: Span
}

/** `{ …; }`, `( … )`, or a compound command with redirections. */
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

/** `for` and `select`. Without `words` they use the positional parameters. */
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

/** `(( … ))`: text with expansions, evaluated as arithmetic. */
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

/** A piece of a word. A `quoted` part is not split, expanded as a glob or used as a pattern. */
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
      /** Set for a here-string, which ends in a newline. */
      readonly newline: boolean
      readonly span: Span
    }
