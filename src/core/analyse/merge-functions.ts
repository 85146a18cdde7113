import type { Span } from '../model/span.js'
import type { Node, Statement, Word } from '../shell/tree.js'
import type { State } from './state.js'

/** More bodies than this are not told apart. */
const BODIES = 8

const NOWHERE: Span = [0, 0]
const statement = (node: Node): Statement => ({ node, background: false })
const text = (value: string, quoted: boolean): Word => ({
  kind: 'word',
  parts: [{ kind: 'text', value, quoted }],
  span: NOWHERE,
})
const ARGUMENTS: Word = {
  kind: 'word',
  parts: [{ kind: 'parameter', name: '@', prefix: null, index: null, operation: null, quoted: true, span: NOWHERE }],
  span: NOWHERE,
}

/** What a name is where there is no function of it: a builtin or a program. */
const asProgram = (name: string): Node => ({
  kind: 'simple',
  assignments: [],
  words: [text('command', false), text(name, true), ARGUMENTS],
  redirects: [],
  span: NOWHERE,
})

/** A function that is defined in several ways, or only maybe, is each of them on a condition that is not known. Null where it is gone. */
export function mergeFunctions(name: string, forks: readonly State[]): Node | null {
  const bodies = new Set<Node | undefined>()
  for (const fork of forks) if (fork.leave === null) bodies.add(fork.functionNamed(name))
  if (bodies.size === 0) for (const fork of forks) bodies.add(fork.functionNamed(name))
  const nodes = [...bodies].slice(0, BODIES).map((body) => body ?? asProgram(name))
  const last = bodies.size === 1 && bodies.has(undefined) ? undefined : nodes.pop()
  if (last === undefined || nodes.length === 0) return last ?? null
  const test = [statement({ kind: 'arithmetic', expression: text('RANDOM', false), span: last.span })]
  return {
    kind: 'if',
    arms: nodes.map((node) => ({ test, body: [statement(node)] })),
    otherwise: [statement(last)],
    span: last.span,
  }
}
