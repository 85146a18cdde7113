import { describe, expect, it } from 'vitest'
import { effectsOf } from '../../../../src/core/analyse/programs/grammar/effects-of.js'
import type { Arg, Grammar } from '../../../../src/core/analyse/programs/grammar/roles.js'
import { allPrograms, grammarOf, knownNames } from '../../../../src/core/analyse/programs/registry.js'
import { identityWrappers } from '../../../../src/core/analyse/programs/wrappers/identity.js'
import { hostingWrappers } from '../../../../src/core/analyse/programs/wrappers/remote-and-hosting.js'
import { repeatingWrappers } from '../../../../src/core/analyse/programs/wrappers/repeating.js'
import { shells } from '../../../../src/core/analyse/programs/wrappers/shells.js'
import { wrappers } from '../../../../src/core/analyse/programs/wrappers/wrappers.js'
import { fc } from '../../../property.js'

const programs = allPrograms()

/** Returns a grammar and those of its subcommands, each with the words before it. */
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
  .map(([text, isKnown, maySplit]) =>
    isKnown || text.length % 3 > 0
      ? { text, prefix: text, maySplit: false, span: [0, 1] }
      : { text: null, prefix: text, unknown: { unknown: 'by chance' }, maySplit, span: [0, 1] },
  )

function readLine(name: string, argv: readonly string[]): void {
  const program = grammarOf(name)
  if (!program) return
  effectsOf(
    program,
    argv.map((word): Arg => ({ text: word, prefix: word, maySplit: false, span: [0, 1] })),
  )
}

function cpuMs(run: () => void): number {
  const started = process.cpuUsage()
  run()
  const { user, system } = process.cpuUsage(started)
  return (user + system) / 1000
}

describe('the tables of programs', () => {
  it('the tables list at least 250 programs', () => {
    expect(knownNames().length).toBeGreaterThanOrEqual(250)
  })

  it('no program is listed twice', () => {
    const names = programs.flatMap((program) => program.names.split(' '))
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([])
  })

  it('every name in the tables is a valid base name', () => {
    const names = programs.flatMap((program) => program.names.split(' '))
    expect(names.filter((name) => !/^[^\s/-][^\s/]*$/.test(name))).toEqual([])
  })

  it('a property name of objects is not a listed program', () => {
    expect(['constructor', '__proto__', 'toString', 'hasOwnProperty'].map(grammarOf)).toEqual(Array(4).fill(undefined))
  })

  it('options in the tables are written as they are typed', () => {
    const odd = everyGrammar.flatMap(([path, grammar]) =>
      optionNames(grammar).flatMap((name) => (/^[-+][^\s=]*$/.test(name) ? [] : [`${path}: ${name}`])),
    )
    expect(odd).toEqual([])
  })

  it('longer options need two dashes or the style single-dash', () => {
    // These parse their own command lines.
    const own = new Set(
      [...wrappers, ...identityWrappers, ...repeatingWrappers, ...hostingWrappers, ...shells]
        .flatMap((program) => grammars(program, program.names))
        .map(([, g]) => g),
    )
    const odd = everyGrammar.flatMap(([path, grammar]) =>
      grammar.style === 'single-dash' || own.has(grammar)
        ? []
        : optionNames(grammar).flatMap((name) =>
            /^(?:[-+].?|--.*)$/.test(name) ? [] : [`${path.slice(0, 40)}: ${name}`],
          ),
    )
    expect(odd).toEqual([])
  })

  it('no list of subcommands has an empty name', () => {
    const odd = everyGrammar.flatMap(([path, grammar]) =>
      Object.keys(grammar.subcommands ?? {}).flatMap((names) =>
        names.split(',').every((n) => n.trim() !== '') ? [] : [path],
      ),
    )
    expect(odd).toEqual([])
  })

  it('any command line of a listed program is parsed without an exception', () => {
    fc.assert(
      fc.property(fc.constantFrom(...knownNames()), fc.array(argument, { maxLength: 6 }), (name, args) => {
        const program = grammarOf(name)
        const first: Arg = { text: name, prefix: name, maySplit: false, span: [0, 1] }
        return program !== undefined && Array.isArray(effectsOf(program, [first, ...args]).effects)
      }),
      { numRuns: 20_000, seed: 1 },
    )
  })

  it('any subcommand with its options is parsed without an exception', () => {
    for (const program of programs)
      for (const [path, grammar] of grammars(program, program.names.split(' ')[0] ?? ''))
        for (const option of optionNames(grammar)) {
          const argv = [...path.split(' ').map((word) => word.split(',')[0] ?? ''), option, 'x'].map(
            (text): Arg => ({ text, prefix: text, maySplit: false, span: [0, 1] }),
          )
          expect(effectsOf(program, argv).effects).toBeInstanceOf(Array)
        }
  })

  it('long hostile arguments are parsed in bounded time', () => {
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
            // Load and garbage collection can slow one run. Slow code is slow twice, in CPU time.
            const isSlow = (): boolean => cpuMs(() => readLine(name, argv)) > 250
            if (isSlow() && isSlow()) slow.push(`${name} ${option} ${prefix}${text.slice(0, 6)}`)
          }
    expect(slow).toEqual([])
  })
})
