import { shellWord } from '../../model/run/display.js'
import { parseScript } from '../../shell/parse-script.js'
import type { Node } from '../../shell/tree.js'
import { oneOf } from '../values/one-of.js'
import type { Value } from '../values/value.js'
import type { Definitions } from './definitions.js'

/** Returns the functions that one of several branches defined. `staying` lists those that did not exit. */
export function joinFunctions(
  forks: readonly Definitions[],
  staying: readonly Definitions[],
): ReadonlyMap<string, Node> {
  const functions = new Map<string, Node>()
  for (const name of new Set(forks.flatMap((fork) => fork.newFunctions))) {
    const body = mergeFunctions(name, staying.length > 0 ? staying : forks)
    if (body) functions.set(name, body)
  }
  return functions
}

/** Returns the aliases that one of several branches set. */
export function joinAliases(forks: readonly Definitions[]): ReadonlyMap<string, Value> {
  const names = new Set(forks.flatMap((fork) => fork.newAliases))
  return new Map([...names].map((name) => [name, oneOf(forks.map((one) => one.alias(name) ?? name))]))
}

/** Merges several definitions of a function into one that picks a definition by an unknown condition. */
function mergeFunctions(name: string, forks: readonly Definitions[]): Node | null {
  const bodies = [...new Set(forks.map((fork) => fork.functionNamed(name)))]
  if (bodies.length === 1) return bodies[0] ?? null
  // Without a function of that name, the name is a builtin or a program.
  const nodes = bodies.flatMap(
    (body) => body ?? parseScript(`command ${shellWord(name)} "$@"`).statements[0]?.node ?? [],
  )
  return nodes.reduce((other, node) => ({
    kind: 'if',
    arms: [{ test: NOT_KNOWN, body: [{ node, background: false }] }],
    otherwise: [{ node: other, background: false }],
    span: node.span,
  }))
}

const NOT_KNOWN = parseScript('((RANDOM))').statements
