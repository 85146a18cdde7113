import { describe, expect, it } from 'vitest'
import { cut, glyphs, visible, visibleLines, widthOf } from '../../../src/surface/cli/terminal/visible-text.js'
import { excerpt, place } from '../../../src/surface/cli/text/excerpt.js'
import { fc } from '../../property.js'

const plain = { columns: 80, dim: (text: string) => text, mark: (text: string) => text }
const shown = (text: string, span: readonly [number, number], columns = 80): string =>
  excerpt(text, span, { ...plain, columns }).join('\n')

describe('visible()', () => {
  it.each([
    ['a\tb\r\n\u001b[2J', 'a\\tb\\r\\n\\e[2J'],
    ['no\u00a0break zero\u200bwidth \u202ebidi', 'no\\xa0break zero\\u{200b}width \\u{202e}bidi'],
    ['ｓｕｄｏ', '\\u{ff53}\\u{ff55}\\u{ff44}\\u{ff4f}'],
    ['e\u0301', 'e\\u{301}'],
    ['\ud800', '\\u{d800}'],
    ['\u3164x\u2800', '\\u{3164}x\\u{2800}'],
    ['grüße 漢字 🙂', 'grüße 漢字 🙂'],
    ['\0', '\\0'],
  ])('%j is shown as %s', (text, expected) => {
    expect(visible(text)).toBe(expected)
  })

  it('text never contains a character that a terminal obeys or hides', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
        expect(visible(text)).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u)
        expect(visibleLines(text).split('\n')).toHaveLength(text.split('\n').length)
      }),
    )
  })

  it('text is cut to the columns, wide characters counted as two', () => {
    expect(cut('漢字漢字', 5)).toBe('漢字…')
    expect(cut('abcdef', 6)).toBe('abcdef')
    expect(cut('abcdefg', 6)).toBe('abcde…')
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.integer({ min: 2, max: 30 }), (text, columns) => {
        expect(widthOf(glyphs(cut(text, columns)))).toBeLessThanOrEqual(columns)
      }),
    )
  })
})

describe('an excerpt', () => {
  it('underlines the span of a one-liner, without a line number', () => {
    expect(shown('echo hi && sudo id', [11, 18])).toBe('  echo hi && sudo id\n             ^^^^^^^')
  })

  it('stays aligned after wide and escaped characters', () => {
    expect(shown('echo 漢\t; sudo id', [9, 13])).toBe('  echo 漢\\t; sudo id\n             ^^^^')
  })

  it('gives the number of each line of a script and underlines each part of a span over several', () => {
    const script = 'cd /\nfor f in *\ndo rm -rf "$f"\ndone\n'
    expect(shown(script, [19, 30])).toBe('  3 │ do rm -rf "$f"\n    │    ^^^^^^^^^^^')
    expect(shown(script, [9, 30])).toBe(
      '  2 │ for f in *\n    │     ^^^^^^\n  3 │ do rm -rf "$f"\n    │ ^^^^^^^^^^^^^^',
    )
  })

  it('shows the beginning of a span over many lines and counts the rest', () => {
    const script = Array.from({ length: 12 }, (_, i) => `line ${i}`).join('\n')
    const lines = excerpt(script, [0, script.length], plain)
    expect(lines).toHaveLength(7)
    expect(lines.at(-1)).toBe('  … 9 more lines')
  })

  it('a long line is scrolled to the span', () => {
    const script = `${'x'.repeat(500)} sudo id ${'y'.repeat(500)}`
    const [line = '', marks = ''] = excerpt(script, [501, 505], { ...plain, columns: 60 })
    expect(line.slice(marks.indexOf('^'), marks.indexOf('^') + 4)).toBe('sudo')
    expect(line.length).toBeLessThanOrEqual(60)
    expect(line).toMatch(/^ {2}….*…$/)
  })

  it.each([
    ['an empty span', 'abc', [1, 1], '  abc\n   ^'],
    ['a span at the end', 'abc', [3, 3], '  abc\n     ^'],
    ['a span past the end', 'abc', [9, 12], '  abc\n     ^'],
    ['an empty text', '', [0, 4], '  \n  ^'],
  ] as const)('an excerpt can show %s', (_, text, span, expected) => {
    expect(shown(text, span)).toBe(expected)
  })

  it('underlines exactly the marked characters of random text', () => {
    const unit = fc.constantFrom('a', ' ', '漢', '🙂', '\t', '\u200b', '\u001b', 'ｓ', '"')
    fc.assert(
      fc.property(
        fc.string({ unit, maxLength: 20 }),
        fc.string({ unit, minLength: 1, maxLength: 5 }),
        (before, marked) => {
          const [line = '', marks = ''] = excerpt(
            `${before}${marked};`,
            [before.length, before.length + marked.length],
            { ...plain, columns: 400 },
          )
          expect(marks.length).toBe(2 + widthOf(glyphs(before)) + widthOf(glyphs(marked)))
          expect(line).toBe(`  ${visible(before)}${visible(marked)};`)
        },
      ),
    )
  })

  it('line and column are counted from one', () => {
    expect([place('a\n漢b', 0), place('a\n漢b', 3)]).toEqual(['1:1', '2:2'])
  })
})
