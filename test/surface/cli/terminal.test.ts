import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { grounds, processesWith, uniqueSeconds } from '../binary.js'
import { onTerminal } from './on-terminal.js'

const newGround = grounds()

describe('on a terminal', () => {
  it('output is shown in colour as it comes, and nothing in it moves the cursor or reaches the clipboard', async () => {
    const script = `printf '\\033[31mred\\033[2J\\033]52;c;eA==\\007 end\\n'`
    const { status, shown } = await onTerminal(newGround(), ['run', '--', script])
    expect([status, shown]).toEqual([0, '\u001b[31mred end\r\n\u001b[0m'])
  })

  it('typed input reaches the command', async () => {
    const typed = await onTerminal(newGround(), ['run', '--', 'echo ready; read x; echo "got $x"'], 'abc\n', 'ready')
    expect([typed.status, typed.shown]).toEqual([0, 'ready\r\nabc\r\ngot abc\r\n'])
  })

  it('Ctrl-D ends the input for good', async () => {
    const script = 'echo ready; cat; read x; echo "then $?"; cat'
    const { status, shown } = await onTerminal(newGround(), ['run', '--', script], 'abc\n\u0004', 'ready')
    expect([status, shown]).toEqual([0, 'ready\r\nabc\r\nabc\r\nthen 1\r\n'])
  })

  it.each([
    [['run', 'vim x'], '`vim` needs a terminal'],
    [['exec', 'top'], '`top` needs a terminal'],
    [['run', 'python3'], '`python3` without arguments needs a terminal'],
  ])(
    'a program that would wait for a terminal of its own fails at once and says what to do: %s',
    async (argv, said) => {
      const { status, shown } = await onTerminal(newGround(), argv)
      expect([status, shown]).toEqual([125, expect.stringContaining(said)])
    },
  )

  it('stdout and stderr appear in the order of the writes', async () => {
    const { shown } = await onTerminal(newGround(), ['run', '--', 'for i in {1..50}; do echo o$i; echo e$i >&2; done'])
    expect(shown).toBe(Array.from({ length: 50 }, (_, i) => `o${i + 1}\r\ne${i + 1}\r\n`).join(''))
  })

  it('Ctrl-C ends the command with 130 and no word of Cordon but the changed files', async () => {
    const quiet = await onTerminal(newGround(), ['run', '--no-color', '--', 'echo ready; sleep 300'], '\u0003', 'ready')
    expect([quiet.status, quiet.shown]).toEqual([130, 'ready\r\n^C\r\n'])
    const script = 'touch made; echo ready; sleep 300'
    const changed = await onTerminal(newGround(), ['run', '--no-color', '--', script], '\u0003', 'ready')
    expect([changed.status, changed.shown]).toEqual([
      130,
      expect.stringMatching(/^ready\r\n\^C\r\n1 file created; cordon undo \w+\r\n$/),
    ])
  })

  it('Ctrl-C reaches the command as SIGINT, so its trap runs and its own status counts', async () => {
    const script = 'trap "echo cleaned; exit 3" INT; echo ready; sleep 300'
    const { status, shown } = await onTerminal(newGround(), ['run', '--no-color', '--', script], '\u0003', 'ready')
    expect([status, shown]).toEqual([3, 'ready\r\n^Ccleaned\r\n'])
  })

  it('a second Ctrl-C ends a command that ignores the first', async () => {
    const script = 'trap "echo again" INT; echo ready; while :; do sleep 300; done'
    const ground = newGround()
    const { status, shown } = await onTerminal(ground, ['run', '--no-color', '--', script], '\u0003', 'ready', [
      'again',
      '\u0003',
    ])
    expect([status, shown]).toEqual([130, 'ready\r\n^Cagain\r\n^C\r\n'])
  })

  it('Ctrl-C ends the pager of try, and the question follows', async () => {
    const ground = newGround()
    const seconds = uniqueSeconds()
    const env = { ...ground.env, PAGER: `echo paging; trap "" INT; exec sleep ${seconds}` }
    const argv = ['try', '--no-color', '--no-stdin', '--', 'seq 1 2000 > made']
    const { status, shown } = await onTerminal({ ...ground, env }, argv, '\u0003n\n', 'paging')
    expect([status, shown, processesWith(seconds)]).toEqual([0, expect.stringContaining('Discarded'), []])
  })

  it('a refusal in colour has the same text', async () => {
    const { status, shown } = await onTerminal(newGround(), ['run', '--', 'sudo id'])
    expect(status).toBe(126)
    expect(shown).toContain('\u001b[31mCommand not allowed: sudo')
  })

  it.each([
    ['y\n', 0, true],
    ['n\n', 126, false],
    ['\u0003', 130, false],
  ])('a held command is asked about, and %j ends with %i', async (typed, status, ran) => {
    const ground = newGround()
    writeFileSync(join(ground.workspace, 'words'), 'echo it-ran')
    const ended = await onTerminal(ground, ['run', '--no-color', '--', 'eval "$(tac words)"'], typed, '[y/N]')
    expect(ended.shown).toContain('This needs your approval.')
    expect([ended.status, ended.shown.includes('it-ran')]).toEqual([status, ran])
  })
})
