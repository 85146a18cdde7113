import { baseName } from '../../../model/basics/path.js'
import { known } from '../grammar/arguments.js'
import { after, cut, runsShell } from '../grammar/effect-builders.js'
import { splitWords } from '../grammar/effects-of.js'
import type { Arg, Call, Effect } from '../grammar/roles.js'

/** The maximum length of a makefile that is searched for commands. */
const MAX_CHARS = 10_000
/** The maximum number of `$(shell …)` calls that are read. Recipes are foreign code in any case. */
const MAX_CALLS = 32
const DEFINITION = /^\s*(?:export |override )*([\w.-]+)\s*(?:\?|\+|:{0,3})=\s*(.*)$/
const SHELL_ASSIGNMENT = /^\s*(?:export |override )*[\w.-]+\s*!=\s*(.*)$/
const RULE_WITH_RECIPE = /^[^#\t=:]*:[^=;]*;(.*)$/
const SHELL_CALL = /\$[({]shell\s/g
const REFERENCE = /\$(?:\((\w+)\)|\{(\w+)\}|([^\s({]))/g
/** A shell that runs recipes as make's own does. */
const PLAIN_SHELL = /^(?:bash|sh|dash|ash|zsh|ksh|mksh)$/
const PLAIN_OPTION = /^(?:-[a-z]+|pipefail|errexit|nounset)$/

/** Returns the commands of makefile text: recipes, `!=` assignments and `$(shell …)` calls. */
export function makefileCommands(makefile: string): readonly string[] {
  const text = makefile.slice(0, MAX_CHARS).replaceAll('\\\n', ' ')
  const lines = text.split('\n')
  const variables = new Map(
    lines.flatMap((line) => {
      const [, name, value] = line.startsWith('\t') ? [] : (DEFINITION.exec(line) ?? [])
      return name === undefined || value === undefined ? [] : [[name, value] as const]
    }),
  )
  const recipes = lines.flatMap((line) => {
    const found = line.startsWith('\t') ? line : (SHELL_ASSIGNMENT.exec(line) ?? RULE_WITH_RECIPE.exec(line))?.[1]
    return found === undefined ? [] : [found]
  })
  return [...shellCalls(text), ...recipes].flatMap((recipe) => expanded(recipe, variables) ?? [])
}

/** Returns the commands of the `$(shell …)` calls in text that make expands. */
function shellCalls(text: string): readonly string[] {
  return [...text.matchAll(SHELL_CALL)].slice(0, MAX_CALLS).map(({ 0: head, index }) => {
    const [open, close] = head[1] === '(' ? ['(', ')'] : ['{', '}']
    const from = index + head.length
    let depth = 1
    let at = from
    for (; at < text.length && depth > 0; at++) depth += text[at] === open ? 1 : text[at] === close ? -1 : 0
    return text.slice(from, depth === 0 ? at - 1 : at)
  })
}

/** Replaces make's variables in a recipe. Null if one is not defined in the same text. */
function expanded(recipe: string, variables: ReadonlyMap<string, string>): string | null {
  let isKnown = true
  // A substitution of the shell does the same as a call of make's shell function.
  const calling = recipe.replaceAll('$(shell ', '$( ')
  const command = calling.replace(/^[\s@+-]+/, '').replace(REFERENCE, (_, round, curly, letter) => {
    if (letter === '$') return '$'
    if (letter !== undefined && /\W/.test(letter)) return 'target'
    const value = variables.get(round ?? curly ?? letter)
    if (value === undefined || value.includes('$')) isKnown = false
    return value ?? ''
  })
  return isKnown && !/\$[({]\w+ /.test(calling) && command !== '' ? command : null
}

/** Returns the runs of a recipe by `SHELL=…` and `.SHELLFLAGS=…`. Plain shells run recipes as make does by itself. */
function recipeShell({ argv }: Call): readonly Effect[] {
  const last = (name: string): Arg | null =>
    argv.reduce<Arg | null>((found, arg) => {
      const [start, value] = cut(arg, '=') ?? []
      return start?.replace(/[:?+]*$/, '') === name && value ? value : found
    }, null)
  const shell = last('SHELL')
  const flags = last('.SHELLFLAGS')
  const [program, ...options] = shell ? splitWords(shell) : []
  if (!program && !flags) return []
  const words = [...options, ...(flags ? splitWords(flags) : [])]
  const isPlain = words.every((word) => PLAIN_OPTION.test(word.text ?? ''))
  if (isPlain && PLAIN_SHELL.test(baseName(program?.text ?? 'sh'))) return []
  const shellWord = program ?? known('sh', flags?.span ?? [0, 0])
  return [{ does: 'run', argv: [shellWord, ...words], via: 'make SHELL', more: true }]
}

/** Returns the commands that a call of make names itself: its shell, `--eval`, `$(shell …)` and a makefile on stdin. */
export function makeEffects(call: Call): readonly Effect[] {
  const evaluated = call.options.flatMap(({ name, value }) =>
    value && (name === '-E' || name === '--eval') ? makefileCommands(value.text ?? value.prefix) : [],
  )
  const called = call.argv
    .slice(1)
    .flatMap((arg) => (after(arg, '--eval') ? [] : shellCalls((arg.text ?? arg.prefix).slice(0, MAX_CHARS))))
  const span = call.argv[0]?.span ?? [0, 0]
  const fromStdin = call.options.some(({ value }) =>
    /^(?:-|\/dev\/stdin|\/proc\/self\/fd\/0|\/dev\/fd\/0)$/.test(value?.text ?? ''),
  )
  return [
    ...recipeShell(call),
    ...[...evaluated, ...called].map((text) => runsShell(known(text, span), 'make')),
    ...(fromStdin ? [{ does: 'shell-stdin', via: 'make -f -', form: 'makefile' } as const] : []),
  ]
}
