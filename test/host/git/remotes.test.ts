import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { remotesAt } from '../../../src/host/git/remotes.js'

let top: string
beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'cordon-remotes-'))
  execFileSync('git', ['init', '-q', join(top, 'repo')])
  execFileSync('git', ['-C', join(top, 'repo'), 'remote', 'add', 'origin', 'https://me:secret@git.example.com/a'])
})
afterEach(() => rmSync(top, { recursive: true, force: true }))

describe('the remotes of a repository', () => {
  it('are found from a directory in it, without what may be a password', () => {
    mkdirSync(join(top, 'repo/a/b'), { recursive: true })
    expect(remotesAt(join(top, 'repo/a/b'))).toEqual([['origin', 'https://git.example.com/a']])
  })

  it('are none where there is no repository, or its configuration is a symlink or no configuration', () => {
    expect(remotesAt(top)).toEqual([])
    expect(remotesAt(join(top, 'repo/not-made-yet'))).toEqual([])
    writeFileSync(join(top, 'repo/.git/config'), '[broken')
    expect(remotesAt(join(top, 'repo'))).toEqual([])
    rmSync(join(top, 'repo/.git/config'))
    writeFileSync(join(top, 'secret'), '[remote "x"]\n\turl = https://secret.example.com\n')
    symlinkSync(join(top, 'secret'), join(top, 'repo/.git/config'))
    expect(remotesAt(join(top, 'repo'))).toEqual([])
  })
})
