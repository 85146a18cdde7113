import { describe, expect, it } from 'vitest'
import { createTerminalFilter } from '../../../src/surface/cli/terminal/terminal-filter.js'
import { fc } from '../../property.js'

const through = (...chunks: readonly string[]): string => {
  const filter = createTerminalFilter()
  return chunks.map((chunk) => filter.push(chunk)).join('')
}

describe('terminal output filter', () => {
  it.each([
    ['text, lines and tabs', 'a\tb\r\nc\n', 'a\tb\r\nc\n'],
    ['colours', '\u001b[1;31mred\u001b[0m', '\u001b[1;31mred\u001b[0m'],
    ['cursor movement and clearing', 'a\u001b[2J\u001b[1;1Hb', 'ab'],
    ['a title', '\u001b]0;owned\u0007x', 'x'],
    ['the clipboard', '\u001b]52;c;cm0gLXJm\u001b\\x', 'x'],
    ['a device control string', '\u001bPq#0\u001b\\x', 'x'],
    ['erasing the current line, which stays', 'a\u001b[K\r\u001b[2Kb\u001b[3K', 'a\u001b[K\r\u001b[2Kb'],
    ['C1 controls', '\u009b2Ja\u009d0;t\u009cb', 'ab'],
    ['bell and backspace', 'a\u0007\u0008b', 'ab'],
    ['a reset of the terminal', '\u001bcx', 'x'],
    ['a character set switch', '\u001b(0x', 'x'],
    ['a question to the terminal', '\u001b[6n\u001b[>cx', 'x'],
    ['a colour with a letter of another sequence', '\u001b[?1mx', 'x'],
  ])('%s', (_, text, expected) => {
    expect(through(text)).toBe(expected)
  })

  it('gives the same output for any chunk borders', () => {
    const unit = fc.constantFrom('a', '\n', '\u001b', '[', ']', '3', ';', 'm', 'J', '\\', '\u0007', '\u009b', 'P', '漢')
    fc.assert(
      fc.property(fc.array(fc.string({ unit, maxLength: 6 }), { maxLength: 8 }), (chunks) => {
        expect(through(...chunks)).toBe(through(chunks.join('')))
      }),
    )
  })

  it('passes only colours and erasing the line', () => {
    const unit = fc.constantFrom(
      'a',
      '\u001b',
      '[',
      ']',
      '3',
      ';',
      'm',
      'J',
      'K',
      '?',
      ' ',
      '\\',
      '\u0007',
      '\u009b',
      '\u009d',
      'P',
    )
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 30 }), (text) => {
        const rest = through(text).replaceAll(/\u001b\[(?:[\d;:]*m|[012]?K)/g, '')
        expect(rest).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/)
      }),
      { numRuns: 1_000 },
    )
  })

  it('remembers that colours were switched on', () => {
    const filter = createTerminalFilter()
    filter.push('plain')
    expect(filter.coloured).toBe(false)
    filter.push('\u001b[31m')
    expect(filter.coloured).toBe(true)
  })
})
