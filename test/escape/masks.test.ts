import { linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { mountsFor } from '../../src/core/plan/mounts.js'
import { createBubblewrap } from '../../src/host/launch/bubblewrap.js'
import { createObserver } from '../../src/host/observe/observer.js'
import { launchAndHear, plainProfile, planOf, removeDirectory, temporaryDirectory } from '../contract/launcher-plan.js'

const launcher = createBubblewrap()
let top: string
let workspace: string
beforeEach(() => {
  top = temporaryDirectory()
  workspace = `${top}/work`
  mkdirSync(workspace)
  mkdirSync(`${top}/bin`)
  // A program of the host, in a directory of the path, under several names.
  writeFileSync(`${top}/bin/forbidden`, '#!/bin/sh\necho executed\n', { mode: 0o755 })
  linkSync(`${top}/bin/forbidden`, `${top}/bin/twin`)
  symlinkSync('forbidden', `${top}/bin/nickname`)
})
afterEach(() => removeDirectory(top))
afterAll(() => launcher.close())

const run = async (script: string) => {
  const path = `${top}/bin:/usr/bin:/bin`
  const profile = { ...plainProfile, paths: { ...plainProfile.paths, roots: ['.', `${top}/bin`] } }
  const observer = createObserver({ workspace, home: '/nonexistent', env: { PATH: path } })
  const mounts = mountsFor(profile, observer.surroundings(profile, ['forbidden', 'su', 'not-installed']))
  const plan = planOf(
    workspace,
    { kind: 'bubblewrap', mounts, network: 'none' },
    {
      script,
      env: [
        ['PATH', path],
        ['PWD', workspace],
      ],
    },
  )
  const heard = await launchAndHear(launcher, plan)
  const status = heard.ending.how === 'exited' ? heard.ending.status : -1
  return { status, stdout: heard.stdout.toString(), stderr: heard.stderr.toString() }
}

describe('a denied program, however it is named', () => {
  it.each([
    ['by its name', 'forbidden'],
    ['by its path', '$PREFIX/forbidden'],
    ['quoted and escaped', "$'\\x66orbidden'"],
    ['by a glob', '$PREFIX/forbidde?'],
    ['by a hard link', 'twin'],
    ['by a symbolic link', 'nickname'],
    ['through /proc', '/proc/self/root$PREFIX/forbidden'],
    ['by a wrapper', 'env nice forbidden'],
    ['by another language', '/usr/bin/python3 -c \'import os; os.execvp("forbidden", ["x"])\''],
    ['by a link made just now', 'ln -s $PREFIX/forbidden here; ./here'],
    ['by a copy made just now', 'cp $PREFIX/forbidden copy; ./copy'],
    [
      'put there again',
      'cp /bin/echo $PREFIX/forbidden; rm -f $PREFIX/forbidden; mv /bin/echo $PREFIX/forbidden; forbidden',
    ],
  ])('%s: says so and exits 126', async (_how, script) => {
    const { status, stdout, stderr } = await run(script.replaceAll('$PREFIX', `${top}/bin`))
    expect([status, stdout]).toEqual([126, ''])
    expect(stderr).toMatch(/Command not allowed: \w+\n$/)
  })

  it('by the dynamic loader it does not run either', async () => {
    const { status, stdout } = await run(
      'for l in /lib64/ld-linux-*.so.* /lib/ld-linux-*.so.*; do [[ -e $l ]] && $l /bin/su --version; done; exit 3',
    )
    expect([status, stdout]).toEqual([3, ''])
  })

  it('names the program of the system as people know it', async () => {
    const { status, stderr } = await run('su -c id')
    expect([status, stderr]).toEqual([126, 'Command not allowed: su\n'])
  })

  it('takes nothing else away', async () => {
    expect((await run('echo fine | cat && ls / > /dev/null')).stdout).toBe('fine\n')
  })
})
