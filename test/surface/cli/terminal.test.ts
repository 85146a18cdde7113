import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { grounds } from '../binary.js'
import { onTerminal } from './on-terminal.js'

const newGround = grounds()

describe('on a terminal', () => {
  it('output is shown in colour as it comes, and nothing in it moves the cursor or reaches the clipboard', async () => {
    const script = `printf '\\033[31mred\\033[2J\\033]52;c;eA==\\007 end\\n'`
    const { status, shown } = await onTerminal(newGround(), ['run', '--', script])
    expect([status, shown]).toEqual([0, '\u001b[31mred end\r\n\u001b[0m'])
  })

  it('a refusal is in colour, and says the same', async () => {
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
