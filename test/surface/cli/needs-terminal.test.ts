import { expect, it } from 'vitest'
import { insteadOfTerminal } from '../../../src/surface/cli/request/needs-terminal.js'

it.each(['vim', 'vim a b', 'EDITOR=x /usr/bin/vi +3 a', 'top', 'watch -n 1 date', 'node', 'python3 -i', 'psql'])(
  'a program that needs a terminal is known: %s',
  (script) => {
    expect(insteadOfTerminal(script)).toContain('needs a terminal')
  },
)

it.each([
  'vim --version',
  'vim -es -c wq a',
  'top -b -n 1',
  'python3 a.py',
  'echo 1 | python3',
  'python3 < a.py',
  'psql -c x',
  'less a',
  'read x; echo $x',
  'cat',
  'constructor',
  'git commit',
])('a command that works without a terminal is not refused: %s', (script) => {
  expect(insteadOfTerminal(script)).toBeNull()
})

it('a program that needs a terminal is refused in structured mode too', () => {
  expect(insteadOfTerminal({ program: 'nano', args: ['x'] })).toContain('`nano` needs a terminal')
  expect(insteadOfTerminal({ program: 'node', args: ['x.js'] })).toBeNull()
})
