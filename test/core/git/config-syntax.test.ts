import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { formatSetting, parseConfig } from '../../../src/core/git/config-syntax.js'
import { fc } from '../../property.js'

/** Versions of git treat blanks inside a value differently. */
const flat = (value: string): string => value.replace(/[\t\r ]+/g, ' ').trim()

function byGit(text: string): readonly string[] | null {
  const input = Buffer.from(text, 'latin1')
  const { status, stdout } = spawnSync('git', ['config', '--file', '-', '--list', '-z'], { input, cwd: '/' })
  if (status !== 0) return null
  const entries = stdout.toString('latin1').split('\0').slice(0, -1)
  return entries.map((entry) => {
    const end = entry.indexOf('\n')
    return end < 0 ? entry : `${entry.slice(0, end)}=${flat(entry.slice(end + 1))}`
  })
}

const byUs = (text: string): readonly string[] | null =>
  parseConfig(text)?.map(({ key, value }) => (value === null ? key : `${key}=${flat(value)}`)) ?? null

const TEXTS = [
  '',
  '[core]\n\tbare = false\n',
  '[a.B.c] x=1\n[a "B.c"]y = 2 ; c\n z\n w = a  b  "c  " d   # x\n[core]\tq',
  '[a]\n b = x\ty \\\n  z\n c =   "q"\\"\n e=\n',
  '[branch "a\\"b\\\\c"]\r\n\tremote = origin\r\n\tmerge=refs/heads/x\r\n',
  '\u00ef\u00bb\u00bf[user]\n\tname = caf\u00e9\n',
  '[a]\nb = "open\n',
  '[a "b\n"]\nc = d\n',
  '[a]\n1b = c\n',
  'b = c\n',
  '[a]\nb = \\q\n',
  '[a] b = c # d \\\n e = f\n',
  '[alias]\n\tx = "!f() { echo \\"a # b\\"; }; f" # comment\n',
  '[a"b"]\nc = d\n',
  '[a]b',
  '[a]\nb c\n',
]

describe('git configurations', () => {
  it.each(TEXTS)('a configuration is parsed as git parses it: %j', (text) => {
    expect(byUs(text)).toEqual(byGit(text))
  })

  it('a random configuration is parsed as git parses it', () => {
    const piece = fc.constantFrom(
      '[',
      ']',
      '"',
      '\\',
      '=',
      '#',
      ';',
      '\n',
      ' ',
      '\t',
      '\r\n',
      'a',
      'B.c',
      '[x "y"]',
      '[z]\n',
      'k = v\n',
      'n',
      '1',
      '-',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
        const text = pieces.join('')
        expect(byUs(text)).toEqual(byGit(text))
      }),
      { numRuns: 150 },
    )
  })

  it('any formatted value is parsed back unchanged', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', ' ', '"', '\\', '\n', '\t', '\b', '#', ';', '=') }),
        (value) => {
          const [setting] = parseConfig(formatSetting('remote.a.b "c.url', value)) ?? []
          expect(setting).toMatchObject({ key: 'remote.a.b "c.url', value })
        },
      ),
    )
  })

  it('each setting has the span of its line', () => {
    const text = '[a]\n\tb = c \\\n d # e\n\tf = g\n'
    const [first] = parseConfig(text) ?? []
    expect(text.slice(0, first?.from) + text.slice(first?.to)).toBe('[a]\n\t\tf = g\n')
  })
})
