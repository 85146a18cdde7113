import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryCordons } from '../temporary-cordon.js'

const open = temporaryCordons()

describe('an error that is bash’s own', () => {
  it('ends a script as bash ends it, after the lines before it', async () => {
    const { cordon } = await open()
    const result = await cordon.run('echo first\nif then')
    expect(result).toMatchObject({ exitCode: 2, stdout: 'first\n' })
    expect(result.stderr).toContain("syntax error near unexpected token `then'")
  })

  it('is told where a script file is missing', async () => {
    const { cordon } = await open()
    const result = await cordon.run('bash missing.sh')
    expect(result.exitCode).toBe(127)
    expect(result.stderr).toContain('missing.sh: No such file or directory')
  })

  it('does not let the lines before it pass undecided', async () => {
    const { cordon, workspace } = await open()
    writeFileSync(join(workspace, 'kept'), 'x')
    await expect(cordon.run('git push --force\nif then')).rejects.toMatchObject({ code: 'CONFIRMATION_REQUIRED' })
  })

  it('a shell without input and arguments ends at once', async () => {
    const { cordon } = await open()
    expect(await cordon.run('bash')).toMatchObject({ exitCode: 0, stdout: '' })
  })
})
