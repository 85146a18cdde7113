import { describe, expect, it } from 'vitest'
import { parsedScript, parseScript } from '../../../src/core/shell/parse-script.js'
import { plainStatements } from '../../../src/core/shell/plain-script.js'

/** What a plain line is made of, and everything that could be taken for it and is not. */
const PIECES = [
  ...'a b ls -la git x.ts a*b *.ts ? ~ ~/x = A=b x= =x 1 12 -- - %1 @ + ^ , : export declare alias local if then in do done fi'.split(
    ' ',
  ),
  ...'time function { } {} {a,b} {x}>f [a] [ ] [[ A="x"y _1=2 1a=b A+=b a[1]=2 !a # ! \\ $x "$x" "`x`" ` ( ) <( $( é'.split(
    ' ',
  ),
  ...['"q r"', "'q r'", '""', "''", '"a"b\'c\'', "'$x'", '"\\\\"', "'é'", "'\n'", '"', "'"],
  ...'> >> < 2> 2>&1 >&2 12>x 3<x >& &> >| <> << <<< <& <&- | |& || && & ; ;; 2>/dev/null'.split(' '),
  ...['\n', '\t', '\r', '\\\n', '\u00a0'],
]

/** Numbers that look random and are the same in every run. */
function dice(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % below
  }
}

function generated(roll: (below: number) => number): string {
  let text = ''
  for (let i = roll(9); i >= 0; i--) {
    const pieces = roll(3) === 0 ? PIECES.length : 24
    text += (PIECES[roll(pieces)] ?? '') + (roll(4) === 0 ? '' : ' ')
  }
  return text
}

describe('a plain script', () => {
  it('has the tree the parser and its checks give, whatever the text is', () => {
    const roll = dice(20_261)
    let plain = 0
    for (let i = 0; i < 60_000; i++) {
      const text = generated(roll)
      const statements = plainStatements(text)
      if (statements === null) continue
      plain++
      const { text: _, ...parsed } = parsedScript(text)
      if (JSON.stringify({ statements, problems: [] }) !== JSON.stringify(parsed))
        expect({ of: text, statements, problems: [] }).toEqual({ of: text, ...parsed })
    }
    expect(plain).toBeGreaterThan(5_000)
  })

  it.each([
    'git status',
    'cd app && npm run build 2>&1 | tail -5; echo done > log.txt',
    'A=b C="d e" find . ! -name "*.ts" -exec wc {} +',
    '[ -f a[1-9].{b,c} ]',
    'find . -name "*.ts" -newer \'a b\' &',
    'ls *.md ~/x\n\nmake -j4 || ./run --fast < in >> out',
  ])('is %j', (text) => {
    expect(plainStatements(text)).not.toBeNull()
    expect(parseScript(text).problems).toEqual([])
  })

  it.each([
    'echo $x',
    'echo "$(rm)"',
    'echo `rm`',
    'a+=b rm',
    'a[1]=b rm',
    'a=b >f c=d',
    'a=$x rm',
    '2>f a=b',
    'rm {x}>f',
    '{ rm',
    '>f rm',
    'rm 12>f',
    'export a=b',
    'if rm',
    'time rm',
    '! rm',
    'rm # x',
    'rm \\\n x',
    "rm 'a",
    'rm <<x',
    'rm <(x)',
    'f() rm',
    'rm |',
    'rm &&',
    'rm ;; x',
    '; rm',
    'rm |& x',
    'rm &> x',
    'rm\rx',
    'rm\0x',
    'rm \u00a0',
  ])('is not %j', (text) => {
    expect(plainStatements(text)).toBeNull()
  })
})
