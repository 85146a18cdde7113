import { fc } from '../property.js'

const NAMES = ['alpha', 'beta', 'gamma', 'rm', 'cmd'] as const
const VARIABLES = ['v', 'w', 'x'] as const

const word: fc.Arbitrary<string> = fc.constantFrom('a', 'b1', 'c-d', 'e.f', '-x', '--long=1', 'g/h', '7')
const quoted: fc.Arbitrary<string> = fc.oneof(
  word,
  word.map((w) => `'${w}'`),
  word.map((w) => `"${w}"`),
  word.map((w) => `${w[0]}''${w.slice(1)}`),
  word.map((w) => `\\${w}`),
  word.map((w) => `$'${[...w].map((c) => `\\x${c.charCodeAt(0).toString(16)}`).join('')}'`),
  fc.tuple(word, word).map(([a, b]) => `"${a} ${b}"`),
  fc.tuple(word, word).map(([a, b]) => `{${a},${b}}`),
  fc.constantFrom(...VARIABLES).map((name) => `"$${name}"`),
  fc.constantFrom(...VARIABLES).map((name) => `$${name}`),
  fc.constantFrom(...VARIABLES).map((name) => `\${${name}:-d}`),
  fc.constantFrom(...VARIABLES).map((name) => `\${${name}#a}`),
  fc.constantFrom(...VARIABLES).map((name) => `"\${${name}^^}"`),
  fc.constantFrom(...VARIABLES).map((name) => `\${#${name}}`),
  fc.nat(9).map((n) => `$((${n}*2-1))`),
)
const name: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...NAMES),
  fc.constantFrom(...NAMES).map((n) => `"${n}"`),
  fc.constantFrom(...NAMES).map((n) => `${n[0]}''${n.slice(1)}`),
  fc.constantFrom(...NAMES).map((n) => `$(echo ${n})`),
)
const simple = fc.tuple(name, fc.array(quoted, { maxLength: 3 })).map(([n, args]) => [n, ...args].join(' '))
const assignment = fc
  .tuple(fc.constantFrom(...VARIABLES), fc.oneof(quoted, fc.constantFrom(...NAMES)))
  .map(([n, v]) => `${n}=${v}`)

const { script } = fc.letrec<{ script: string; command: string }>((tie) => ({
  command: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    simple,
    simple,
    assignment,
    fc.constantFrom(...VARIABLES).map((v) => `\${${v}:-alpha} z`),
    fc.tuple(tie('command'), tie('command')).map(([a, b]) => `${a} && ${b}`),
    fc.tuple(tie('command'), tie('command')).map(([a, b]) => `${a} || ${b}`),
    fc.tuple(tie('command'), tie('command')).map(([a, b]) => `{ ${a}; } | { ${b}; }`),
    tie('command').map((c) => `( ${c} )`),
    tie('command').map((c) => `echo "$(${c})"`),
    tie('command').map((c) => `if ${c}; then ${c}; else beta no; fi`),
    fc
      .tuple(fc.constantFrom(...VARIABLES), fc.array(word, { minLength: 1, maxLength: 3 }), tie('command'))
      .map(([v, items, c]) => `for ${v} in ${items.join(' ')}; do ${c}; done`),
    fc.tuple(word, tie('command')).map(([w, c]) => `case ${w} in a*) ${c};; *) gamma other;; esac`),
    tie('command').map((c) => `f() { ${c}\n}; f p q`),
    simple.map((c) => `bash -c ${single(c)}`),
    tie('command').map((c) => `eval ${single(c)}`),
    simple.map((c) => `bash <<'E'\n${c}\nE\n:`),
    simple.map((c) => `echo ${single(c)} | bash`),
    simple.map((c) => `env A=1 ${c}`),
    simple.map((c) => `timeout 4 ${c}`),
    fc
      .array(word, { minLength: 1, maxLength: 2 })
      .map((items) => `echo ${items.filter((w) => !w.startsWith('-')).join(' ')} | xargs alpha k`),
    tie('command').map((c) => `trap ${single(c)} EXIT`),
    tie('command').map((c) => `while true; do ${c}; break; done`),
    tie('command').map((c) => `! ${c}`),
    fc.tuple(word, tie('command')).map(([w, c]) => `set -- ${w} t; ${c}; alpha "$1" "$#"`),
  ),
  script: fc.array(tie('command'), { minLength: 1, maxLength: 4 }).map((commands) => commands.join('\n')),
}))

const single = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** Returns random scripts of followed features from a fixed seed. */
export const generatedScripts = (count: number, seed: number): readonly string[] =>
  fc.sample(script, { numRuns: count, seed })

const PIECES = [
  '$',
  '(',
  ')',
  '`',
  '"',
  "'",
  '\\',
  '\n',
  ';',
  '&',
  '|',
  '<',
  '>',
  '{',
  '}',
  '#',
  ' ',
  '$(',
  '$((',
  '${',
  '<<',
  '<(',
  '&&',
  '=',
  '[',
  ']',
  '!',
  '*',
  '~',
  'rm',
]

/** Returns scripts with one or two characters inserted, removed or swapped, without a final newline. */
export function mutatedScripts(scripts: readonly string[], count: number, seed: number): readonly string[] {
  const mutation = fc
    .tuple(
      fc.constantFrom(...scripts),
      fc.array(fc.tuple(fc.nat(10_000), fc.constantFrom('put', 'take', 'swap'), fc.constantFrom(...PIECES)), {
        minLength: 1,
        maxLength: 2,
      }),
    )
    .map(([text, changes]) => changes.reduce((t, [at, how, piece]) => mutate(t, at % (t.length + 1), how, piece), text))
    .map((text) => text.replace(/\n+$/, ''))
  return fc.sample(mutation, { numRuns: count, seed })
}

function mutate(text: string, at: number, how: string, piece: string): string {
  if (how === 'put') return text.slice(0, at) + piece + text.slice(at)
  if (how === 'take') return text.slice(0, at) + text.slice(at + 1)
  return text.slice(0, at) + (text[at + 1] ?? '') + (text[at] ?? '') + text.slice(at + 2)
}
