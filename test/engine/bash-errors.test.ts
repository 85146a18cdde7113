import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryCordons } from '../temporary-cordon.js'

const open = temporaryCordons()

describe('an error that is bash’s own', () => {
  it('a syntax error ends a script as in bash, after the lines before it', async () => {
    const { cordon } = await open()
    const result = await cordon.run('echo first\nif then')
    expect(result).toMatchObject({ exitCode: 2, stdout: 'first\n' })
    expect(result.stderr).toContain("syntax error near unexpected token `then'")
  })

  it('a missing script file gives the message of bash', async () => {
    const { cordon } = await open()
    const result = await cordon.run('bash missing.sh')
    expect(result.exitCode).toBe(127)
    expect(result.stderr).toContain('missing.sh: No such file or directory')
  })

  it('lines before a syntax error are decided', async () => {
    const { cordon, workspace } = await open()
    writeFileSync(join(workspace, 'kept'), 'x')
    await expect(cordon.run('git push --force\nif then')).rejects.toMatchObject({ code: 'CONFIRMATION_REQUIRED' })
  })

  it('a shell without input and arguments ends at once', async () => {
    const { cordon } = await open()
    expect(await cordon.run('bash')).toMatchObject({ exitCode: 0, stdout: '' })
  })

  it.each([
    ['bash build.sh', 'echo first\nif then', 2],
    ['sh build.sh', 'echo first\nif then', 2],
    ['./build.sh', '#!/usr/bin/env bash\necho first\nif true; then\n  echo second\n', 2],
    ['./build.sh', '#!/bin/sh\necho first\nfor x in a; do\necho )\ndone\n', 2],
    ['source build.sh; exit 7', 'echo first\necho )', 7],
    ['bash build.sh', 'echo first\r\nif true; then\r\n  echo second\r\nfi\r\n', 2],
    ["bash -c 'echo first\nif then'; exit 5", '', 5],
    ["eval 'echo first\nif then' || exit 3", '', 3],
  ])('an error in a nested script ends it as the shell does: %s, %j', async (script, text, status) => {
    const { cordon, workspace } = await open()
    writeFileSync(join(workspace, 'build.sh'), text, { mode: 0o755 })
    const result = await cordon.run(script)
    expect(result).toMatchObject({ exitCode: status })
    expect(result.stdout.trim()).toBe('first')
    expect(result.stderr).toMatch(/syntax error/i)
  })

  it('lines before a syntax error in a script file are decided', async () => {
    const { cordon, workspace } = await open()
    writeFileSync(join(workspace, 'build.sh'), 'git push --force\nif then')
    await expect(cordon.run('bash build.sh')).rejects.toMatchObject({ code: 'CONFIRMATION_REQUIRED' })
  })

  it('an error of bash is not assumed of another shell', async () => {
    const { cordon, workspace } = await open()
    // dash defines the function and runs it.
    writeFileSync(join(workspace, 'build.sh'), 'f() git push --force\nf\n')
    await expect(cordon.run('sh build.sh')).rejects.toMatchObject({ code: 'CONFIRMATION_REQUIRED' })
    expect(await cordon.run('bash build.sh')).toMatchObject({ exitCode: 2 })
  })
})
