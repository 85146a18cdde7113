import { describe, expect, it } from 'vitest'
import { clean } from '../../../src/core/present/clean.js'
import { fc } from '../../property.js'
import { cpuMs } from './cpu-time.js'

describe('cleaning', () => {
  it.each([
    ['colours', '\x1b[31mred\x1b[0m \x1b[38;2;1;2;3mtrue\x1b[m', 'red true'],
    ['cursor and erase', 'a\x1b[2K\x1b[1Ab\x1b[?25l', 'ab'],
    ['a title ended by BEL', '\x1b]0;title\x07text', 'text'],
    ['a hyperlink', '\x1b]8;;https://x.example\x1b\\label\x1b]8;;\x1b\\', 'label'],
    ['DCS', 'a\x1bPq#0;2;0;0;0~~\x1b\\b', 'ab'],
    ['APC, PM and SOS', 'a\x1b_Gpayload\x1b\\b\x1b^private\x1b\\c\x1bXsos\x1b\\d', 'abcd'],
    ['the C1 forms', 'a\x90dcs\x9cb\x9d0;t\x07c\x9b31md\x9fapc\x9ce', 'abcde'],
    ['tmux passthrough', 'a\x1bPtmux;\x1b\x1b]0;t\x07\x1b\\b', 'ab'],
    ['tmux passthrough with a terminator inside', 'a\x1bPtmux;\x1b\x1b]0;t\x1b\x1b\\\x1b\\b', 'ab'],
    ['character sets', '\x1b(Bascii\x1b)0', 'ascii'],
    ['a lone escape', 'a\x1b', 'a'],
    ['an escape before text', 'a\x1b\u00e9b', 'a\u00e9b'],
    ['a sequence cut off', 'a\x1b[12;', 'a'],
    ['other controls', 'a\x00b\x07c\x7fd\x85e\x0cf', 'abcdef'],
    ['CRLF', 'one\r\ntwo\r\n', 'one\ntwo\n'],
    ['progress', ' 10%\r 50%\r100%\ndone', '100%\ndone'],
    ['progress that ends by clearing the line', 'working\r       \rdone\n', 'done\n'],
    ['progress left standing', 'working 9%\r', 'working 9%'],
    ['a spinner of backspaces', '|\b/\b-\bok', 'ok'],
    ['overstriking', 'N\bNA\bAM\bME\bE and _\bu', 'NAME and u'],
    ['tabs and newlines', 'a\tb\n\nc', 'a\tb\n\nc'],
  ])('cleaning output handles %s', (_, dirty, text) => {
    expect(clean(dirty)).toBe(text)
  })

  it('keeps text after an unfinished control string', () => {
    expect(clean('\x1bP1;2q secret\nerror: disk full\n')).toContain('error: disk full')
    expect(clean('\x1b]0;title\nerror: disk full\n')).toContain('error: disk full')
    expect(clean('\x1b_x \x1b[31merror\x1b[0m: disk full\n')).toContain('error: disk full')
  })

  it('keeps a failure that a carriage return overwrites', () => {
    expect(clean('error: no space left\rall good\n')).toBe('error: no space left\nall good\n')
  })

  it('leaves no control character but tab and newline, and is done after one pass', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 6 }),
      fc.constantFrom(
        '\x1b[',
        '\x1b]',
        '\x1bP',
        '\x1b_',
        '\x1b\\',
        '\x1b',
        '\x9b',
        '\x9d',
        '\x07',
        '\r',
        '\b',
        '\n',
        'tmux;',
        '31m',
      ),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const text = clean(pieces.join(''))
        expect(text).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/)
        expect(clean(text)).toBe(text)
      }),
      { numRuns: 2000 },
    )
  })

  it.each(['\x1b]', '\x1bP', '\x1bPtmux;', '\x1b[0', '\x1b', 'a\r', 'a\b', '\x1b]0;x\x07', '\x90', 'x', '\x1b\x1b\\'])(
    'takes linear time on a megabyte of %j',
    (unit) => {
      const hostile = unit.repeat(Math.ceil(1_000_000 / unit.length))
      expect(cpuMs(() => void clean(hostile))).toBeLessThan(2_000)
    },
  )
})
