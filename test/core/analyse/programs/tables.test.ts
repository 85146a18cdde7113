import { describe, expect, it } from 'vitest'
import { effectsOf } from '../../../../src/core/analyse/programs/effects-of.js'
import { hostingWrappers } from '../../../../src/core/analyse/programs/hosting-wrappers.js'
import { identityWrappers } from '../../../../src/core/analyse/programs/identity-wrappers.js'
import { allPrograms, knowledgeOf, knownNames } from '../../../../src/core/analyse/programs/index.js'
import type { Arg, Grammar } from '../../../../src/core/analyse/programs/knowledge.js'
import { repeatingWrappers } from '../../../../src/core/analyse/programs/repeating-wrappers.js'
import { shells } from '../../../../src/core/analyse/programs/shells.js'
import { wrappers } from '../../../../src/core/analyse/programs/wrappers.js'
import { fc } from '../../../property.js'

const programs = allPrograms()

/** A grammar and all grammars of its subcommands, each with the words that lead to it. */
function grammars(grammar: Grammar, path: string): readonly (readonly [string, Grammar])[] {
  const below = Object.entries(grammar.subcommands ?? {}).flatMap(([names, g]) => grammars(g, `${path} ${names}`))
  return [[path, grammar], ...below]
}
const everyGrammar = programs.flatMap((program) => grammars(program, program.names))
const optionNames = (grammar: Grammar): readonly string[] =>
  [grammar.flags ?? '', ...Object.keys(grammar.values ?? {}), ...Object.keys(grammar.optional ?? {})]
    .join(' ')
    .split(' ')
    .filter((name) => name !== '')

const words = fc.oneof(
  fc.constantFrom('-c', '-e', '-x', '-o', '--', '-', '', 'a=b', '+x', '@f', '!id', '|id', '--config=x.y=z', '-v/a:/b'),
  fc.constantFrom(
    ...new Set(
      everyGrammar.flatMap(([, grammar]) => [...optionNames(grammar), ...Object.keys(grammar.subcommands ?? {})]),
    ),
  ),
  fc.string({ maxLength: 12 }),
)
const argument: fc.Arbitrary<Arg> = fc
  .tuple(words, fc.boolean(), fc.boolean())
  .map(([text, isKnown, several]) =>
    isKnown || text.length % 3 > 0
      ? { text, head: text, several: false, span: [0, 1] }
      : { text: null, head: text, unknown: { unknown: 'by chance' }, several, span: [0, 1] },
  )

function readLine(name: string, argv: readonly string[]): void {
  const program = knowledgeOf(name)
  if (!program) return
  effectsOf(
    program,
    argv.map((word): Arg => ({ text: word, head: word, several: false, span: [0, 1] })),
  )
}

function cpuMs(run: () => void): number {
  const started = process.cpuUsage()
  run()
  const { user, system } = process.cpuUsage(started)
  return (user + system) / 1000
}

describe('the tables of programs', () => {
  it('know at least 250 programs by name', () => {
    expect(knownNames().length).toBeGreaterThanOrEqual(250)
  })

  it('name no program twice', () => {
    const names = programs.flatMap((program) => program.names.split(' '))
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([])
  })

  it('hold names that can be base names of programs', () => {
    const names = programs.flatMap((program) => program.names.split(' '))
    expect(names.filter((name) => !/^[^\s/-][^\s/]*$/.test(name))).toEqual([])
  })

  it('treat names that every object has as plain names', () => {
    expect(['constructor', '__proto__', 'toString', 'hasOwnProperty'].map(knowledgeOf)).toEqual(
      Array(4).fill(undefined),
    )
  })

  it('spell options as they are typed', () => {
    const odd = everyGrammar.flatMap(([path, grammar]) =>
      optionNames(grammar).flatMap((name) => (/^[-+][^\s=]*$/.test(name) ? [] : [`${path}: ${name}`])),
    )
    expect(odd).toEqual([])
  })

  it('bundle only options of one letter: longer ones need two dashes or singleDash', () => {
    // These read their own command lines.
    const own = new Set(
      [...wrappers, ...identityWrappers, ...repeatingWrappers, ...hostingWrappers, ...shells]
        .flatMap((program) => grammars(program, program.names))
        .map(([, g]) => g),
    )
    const odd = everyGrammar.flatMap(([path, grammar]) =>
      grammar.singleDash || own.has(grammar)
        ? []
        : optionNames(grammar).flatMap((name) =>
            /^(?:[-+].?|--.*)$/.test(name) ? [] : [`${path.slice(0, 40)}: ${name}`],
          ),
    )
    expect(odd).toEqual([])
  })

  it('leave no part of a subcommand list empty', () => {
    const odd = everyGrammar.flatMap(([path, grammar]) =>
      Object.keys(grammar.subcommands ?? {}).flatMap((names) =>
        names.split(',').every((n) => n.trim() !== '') ? [] : [path],
      ),
    )
    expect(odd).toEqual([])
  })

  it('answer every command line without throwing', () => {
    fc.assert(
      fc.property(fc.constantFrom(...knownNames()), fc.array(argument, { maxLength: 6 }), (name, args) => {
        const program = knowledgeOf(name)
        const first: Arg = { text: name, head: name, several: false, span: [0, 1] }
        return program !== undefined && Array.isArray(effectsOf(program, [first, ...args]).effects)
      }),
      { numRuns: 20_000, seed: 1 },
    )
  })

  it('answer every subcommand with the option it lists, without throwing', () => {
    for (const program of programs)
      for (const [path, grammar] of grammars(program, program.names.split(' ')[0] ?? ''))
        for (const option of optionNames(grammar)) {
          const argv = [...path.split(' ').map((word) => word.split(',')[0] ?? ''), option, 'x'].map(
            (text): Arg => ({ text, head: text, several: false, span: [0, 1] }),
          )
          expect(effectsOf(program, argv).effects).toBeInstanceOf(Array)
        }
  })

  it('take no longer than they should over long arguments made to hurt', () => {
    const parts = [
      '/',
      '|',
      ';',
      '!',
      '\n',
      '\\o',
      '%(',
      '{',
      '[',
      '"',
      "'",
      '(',
      '$',
      ':',
      ',',
      ' ',
      '-',
      '=',
      '1',
      'a',
      '%a',
      '?',
      '/?',
      'Bin::',
      '.sh',
      '+',
      '~',
      's/',
      'ext::',
      '"|',
      'system',
      '-a ',
    ]
    const hurt = parts.map((part) => part.repeat(Math.ceil(16_000 / part.length)))
    const options = ['', '-c']
    const programNames = [
      'sed',
      'awk',
      'git',
      'vim',
      'psql',
      'mysql',
      'sqlite3',
      'apt',
      'rpm',
      'curl',
      'wget',
      'tar',
      'zip',
      'hg',
      'docker',
      'tmux',
      'gcc',
      'less',
      'convert',
      'make',
      'nix',
      'rsync',
      'scp',
    ]
    const slow: string[] = []
    for (const name of programNames)
      for (const text of hurt)
        for (const option of options)
          for (const prefix of ['', 'core.pager=']) {
            const argv = [name, option, `${prefix}${text}`, `${text}\nx`].filter((word) => word !== '')
            // A busy machine and a pause of the collector are not the text's fault: what is slow is slow twice, in its own time.
            const isSlow = (): boolean => cpuMs(() => readLine(name, argv)) > 250
            if (isSlow() && isSlow()) slow.push(`${name} ${option} ${prefix}${text.slice(0, 6)}`)
          }
    expect(slow).toEqual([])
  })
})
