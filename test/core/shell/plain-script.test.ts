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
  ...'&>x &>> 2&>x <<<x <<<"$x" 2<<<x <<EOF <<\'EOF\' <<"EOF" <<-EOF 2<<EOF <<EOF"x" <<\\EOF EOF \\" \\a \\* \\é $? $# $!a $$ $* $- ${#} ${#x}'.split(
    ' ',
  ),
  ...[
    '"\\$x\\n"',
    '"\\`"',
    '\\ ',
    ' \\\n',
    '\nEOF\n',
    '\nb\nEOF\n',
    '\n$x\nEOF\n',
    '\nEOF',
    '; }',
    '{ ',
    '{\n',
    '&&\n',
    '|\n',
  ],
  ...[
    'export A=b C D=$x',
    'export -n A',
    'export A[1]=b',
    'export A+=b',
    'export "A"=b',
    'export A=(b)',
    '\\export A=b',
  ],
  ...['\n', '\t', '\r', '\\\n', '\u00a0'],
]

const REDIRECTS = [
  '',
  '',
  ' > f',
  ' < f 2>&1',
  ' <<< "x"',
  ' <<EOF\nb\nEOF',
  ' &> f',
  '>f',
  '2>f',
  ' >f 2',
  ' 2 >f',
  ' <<EOF',
]
const HERE = [
  'EOF',
  "'EOF'",
  '"EOF"',
  ' EOF',
  "'E'",
  'EOF x',
  'EOF | wc',
  'EOF > f',
  'EOF &',
  'EOF; ls',
  'EOF && ls',
  'EOF <<E',
]
const BODIES = [
  '',
  'x\n',
  'x $y\n',
  ' EOF\n',
  'a\nb c\n',
  '\\\n',
  'E\n',
  '"\n',
  "it's\n",
  '(\n',
  '# x\n',
  '#!/bin/sh\n$(\n',
]
const BEHIND = [
  ' | ',
  ' && ',
  ' || ',
  '; ',
  '\n',
  ' & ',
  ' # c\n',
  '\n# c\n',
  ' &&\n',
  ' |\n ',
  ' \\\n',
  '|\\\n',
  ' &&\n# c\n',
  '\nb\nEOF\n',
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

/** Scripts with loops, conditions and substitutions in one another; one in two has a piece put in or taken out somewhere. */
function compound(roll: (below: number) => number, depth = 0): string {
  const one = (list: readonly string[]): string => list[roll(list.length)] ?? ''
  const inner = () =>
    depth > 3 ? one(['ls', 'cat <<EOF', 'export A=b', 'echo "\\$x" \\a']) : compound(roll, depth + 1)
  const end = () => one(['; ', '\n', ' ; ', '\n\n', ' ', '\nb\nEOF\n', ' # c\n'])
  const around = () => one(REDIRECTS)
  const forms = [
    () => `for ${one(['f', 'x', '1', ''])} in ${inner()} *.md "$x"${end()}do ${inner()}${end()}done${around()}`,
    () => `${one(['while', 'until'])} ${inner()}${end()}do ${inner()}${end()}done${around()}`,
    () => `if ${inner()}${end()}then ${inner()}${end()}${roll(2) ? `else ${inner()}${end()}` : ''}fi${around()}`,
    () => `if [ -f "$x" ]; then ${inner()}; elif ${inner()}${end()}then\n${inner()}${end()}fi`,
    () => `(${inner()})${around()}`,
    () => `{ ${inner()}${end()}}${around()}`,
    () => `echo "a$(${inner()}) b\${x}c"d$x${around()}`,
    () => `x=$(${inner()}) y=$1 ls${around()}`,
    () => `${inner()}${one(BEHIND)}${inner()}`,
    () => `ls $x "$@" \${x}y > "$x" 2>&1`,
    () => `cat <<${one(HERE)}\n${one(BODIES)}EOF${one(['', '\n', ' ', '\n\n', '\nls', ')', '\n)'])}`,
    () => `git commit -m "$(cat <<'EOF'\nFix (it) "x" 'y\nEOF\n)"`,
  ]
  return (forms[roll(forms.length)] ?? inner)()
}

function damaged(text: string, roll: (below: number) => number): string {
  if (roll(2) === 0) return text
  const at = roll(text.length + 1)
  const piece = roll(2) === 0 ? '' : (PIECES[roll(PIECES.length)] ?? '')
  return text.slice(0, at) + piece + text.slice(at + roll(3))
}

function expectSameTree(text: string): boolean {
  const statements = plainStatements(text)
  if (statements === null) return false
  const { text: _, ...parsed } = parsedScript(text)
  if (JSON.stringify({ statements, problems: [] }) !== JSON.stringify(parsed))
    expect({ of: text, statements, problems: [] }).toEqual({ of: text, ...parsed })
  return true
}

describe('a plain script', () => {
  it('has the tree of the parser when it has loops, conditions and substitutions in one another', () => {
    const roll = dice(4_711)
    let plain = 0
    for (let i = 0; i < 12_000; i++) if (expectSameTree(damaged(compound(roll), roll))) plain++
    expect(plain).toBeGreaterThan(2_000)
  }, 120_000)

  it('has the tree the parser and its checks give, whatever the text is', () => {
    const roll = dice(20_261)
    let plain = 0
    for (let i = 0; i < 60_000; i++) {
      if (expectSameTree(generated(roll))) plain++
    }
    expect(plain).toBeGreaterThan(5_000)
  }, 120_000)

  it.each([
    'git status',
    'echo $x "$y: ${z}" $1 $@ > "$f"',
    'a=$(date) b=$x ls "$(git rev-parse "$x")"',
    'for f in *.md "$@"; do echo "$f"; done | sort && ls',
    'while read x; do\n  echo $x\ndone',
    'if [ -f x ]; then cat x; elif true; then ls; else rm x; fi',
    '(cd app && make) & ls',
    '#!/bin/sh\n# says nothing\nls',
    'cd app && npm run build 2>&1 | tail -5; echo done > log.txt',
    'A=b C="d e" find . ! -name "*.ts" -exec wc {} +',
    '[ -f a[1-9].{b,c} ]',
    'find . -name "*.ts" -newer \'a b\' &',
    'for x in a; do rm; done > f 2>&1',
    'while read -r x; do echo "$x"; done < in',
    '{ ls; rm x; } >> log',
    'cat <<EOF > f | wc\nit is (only) text\nEOF\nls',
    "cat <<'EOF'\n$(rm) `rm`\nEOF",
    'git commit -m "$(cat <<\'EOF\'\nFix it\n\nAnd that\nEOF\n)"',
    'export A=b C="d e"',
    'docker run \\\n  -v "$x":/x \\\n  alpine',
    'ls &&\n  rm x |\n  wc',
    'echo "a \\"b\\" \\$c" a\\ b $? $#',
    'make &> log',
    'wc <<< "$x"',
    'ls *.md ~/x\n\nmake -j4 || ./run --fast < in >> out',
  ])('is %j', (text) => {
    expect(plainStatements(text)).not.toBeNull()
    expect(parseScript(text).problems).toEqual([])
  })

  it.each([
    '$x',
    '"$x" y',
    'echo $',
    'echo $((1))',
    'echo "${x:-y}"',
    'echo ${x[1]}',
    'echo $"x"',
    "echo $'x'",
    'echo $()',
    'echo $(# x\nrm)',
    'for x in a; do; done',
    'for x do rm; done',
    'for ((;;)); do rm; done',
    'if rm; fi',
    'while rm; done',
    '(rm) x',
    '((rm))',
    '()',
    'done',
    'echo `rm`',
    'a+=b rm',
    'a[1]=b rm',
    'a=b >f c=d',
    '2>f a=b',
    'rm {x}>f',
    '{ rm',
    '>f rm',
    'rm 12>f',
    'if rm',
    'time rm',
    '! rm',
    'rm # x',
    "rm 'a",
    'rm <<x',
    'rm <<x\n$(y)\nx',
    'rm <<-x\nx',
    'rm <<x <<y\nx\ny',
    'echo $(rm <<x)\nx',
    'rm <<x "a\nx\n"',
    'rm a\\\nb',
    'export a=(b)',
    'rm &>> x',
    'echo "${?}"',
    'rm <(x)',
    'f() rm',
    'rm |',
    'rm &&',
    'rm ;; x',
    '; rm',
    'rm |& x',
    'rm\rx',
    'rm\0x',
    'rm \u00a0',
  ])('is not %j', (text) => {
    expect(plainStatements(text)).toBeNull()
  })
})
