import { linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { evidenceLine } from '../../../src/core/model/run/evidence.js'
import { mountsFor } from '../../../src/core/plan/mounts.js'
import type { Launcher } from '../../../src/engine/ports/ports.js'
import { createBubblewrap } from '../../../src/host/launch/bubblewrap.js'
import { createObserver } from '../../../src/host/observe/observer.js'
import {
  launchAndCollect,
  plainProfile,
  planOf,
  removeDirectory,
  temporaryDirectory,
} from '../../contract/launcher-plan.js'

/** Runs denied programs in every way, as the tests' user and as an ordinary user. */
export function maskAttacks(who: string, create: () => Launcher = createBubblewrap): void {
  let launcher: Launcher
  beforeAll(() => {
    launcher = create()
  })
  let top: string
  let workspace: string
  beforeEach(() => {
    top = temporaryDirectory()
    workspace = `${top}/work`
    mkdirSync(workspace)
    mkdirSync(`${top}/bin`)
    // A program of the host, in a directory of PATH, under several names.
    writeFileSync(`${top}/bin/forbidden`, '#!/bin/sh\necho executed\n', { mode: 0o755 })
    linkSync(`${top}/bin/forbidden`, `${top}/bin/twin`)
    symlinkSync('forbidden', `${top}/bin/nickname`)
  })
  afterEach(() => removeDirectory(top))
  afterAll(() => launcher.close())

  const run = async (script: string, denied: readonly string[] = ['forbidden', 'su', 'not-installed']) => {
    const path = `${top}/bin:/usr/bin:/bin`
    const profile = { ...plainProfile, paths: { ...plainProfile.paths, roots: ['.', `${top}/bin`] } }
    const observer = createObserver({ workspace, home: '/nonexistent', env: { PATH: path } })
    const mounts = mountsFor(profile, observer.surroundings(profile, denied))
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
    const evidence: string[] = []
    const heard = await launchAndCollect(launcher, plan, { onEvidence: (one) => evidence.push(evidenceLine(one)) })
    const status = heard.ending.how === 'exited' ? heard.ending.status : -1
    return { status, stdout: heard.stdout.toString(), stderr: heard.stderr.toString(), evidence }
  }

  describe(`${who}: a denied program, however it is named`, () => {
    it.each([
      ['by its name', 'forbidden'],
      ['by its path', '$PREFIX/forbidden'],
      ['quoted and escaped', "$'\\x66orbidden'"],
      ['by a glob', '$PREFIX/forbidde?'],
      ['by a hard link', 'twin'],
      ['by a symbolic link', 'nickname'],
      ['through /proc', '/proc/self/root$PREFIX/forbidden'],
      ['by a wrapper', 'env nice forbidden'],
      ['by another language', `perl -e 'exec {"forbidden"} "x"'`],
      ['by a link made just now', 'ln -s $PREFIX/forbidden here; ./here'],
      ['by a copy made just now', 'cp $PREFIX/forbidden copy; ./copy'],
      [
        'put there again',
        'cp /bin/echo $PREFIX/forbidden; rm -f $PREFIX/forbidden; mv /bin/echo $PREFIX/forbidden; forbidden',
      ],
    ])('%s: the mask prints an error and exits 126', async (_how, script) => {
      const { status, stdout, stderr, evidence } = await run(script.replaceAll('$PREFIX', `${top}/bin`))
      expect([status, stdout]).toEqual([126, ''])
      expect(stderr).toMatch(/Command not allowed: \w+\n$/)
      expect(evidence.join()).toMatch(/^exec: (forbidden|twin) denied$/)
    })

    it('a denied program does not run through the dynamic loader', async () => {
      const { status, stdout } = await run(
        'for l in /lib64/ld-linux-*.so.* /lib/ld-linux-*.so.*; do [[ -e $l ]] && $l /bin/su --version; done; exit 3',
      )
      expect([status, stdout]).toEqual([3, ''])
    })

    it('evidence names a denied program by its usual name', async () => {
      const { status, stderr } = await run('su -c id')
      expect([status, stderr]).toEqual([126, 'Command not allowed: su\n'])
    })

    it('a denied program is in the evidence even if nothing else shows its execution', async () => {
      const { status, stdout, stderr, evidence } = await run('su -c id 2>/dev/null; forbidden >/dev/null 2>&1; true')
      expect([status, stdout, stderr]).toEqual([0, '', ''])
      expect(evidence.toSorted()).toEqual(['exec: forbidden denied', 'exec: su denied'])
    })

    it('a denied program is in the evidence only if executed: not if read, nor claimed by another sandbox', async () => {
      const claim = 'for i in 0 1 2 3; do echo "00000000-0000-4000-8000-000000000000 $i"; done > /dev/.cordon-masks'
      expect((await run(`command -v su; head -c 9 /bin/su; ${claim}`)).evidence).toEqual([])
    })

    it('a mask report cannot be suppressed by reading the pipe or by a flood of other reports', async () => {
      const steal = 'timeout 0.2 cat /dev/.cordon-masks; chmod 600 /dev/.cordon-masks; rm /dev/.cordon-masks'
      const flood = 'head -c 300000 /dev/zero > /dev/.cordon-masks; yes noise | head -c 300000 > /dev/.cordon-masks'
      const { stderr, evidence } = await run(`${steal}; ${flood}; su`)
      expect(stderr).toMatch(/Permission denied[\s\S]*Read-only file system[\s\S]*Command not allowed: su/)
      expect(evidence).toEqual(['exec: su denied'])
    })

    it('half a line on the report pipe suppresses no report and delays no other sandbox', async () => {
      const half = 'printf half-a-line > /dev/.cordon-masks'
      expect((await run(`${half}; su; ${half}`)).evidence).toEqual(['exec: su denied'])
      expect((await run('su')).evidence).toEqual(['exec: su denied'])
    })

    it('a denied language is masked by every name it has', async () => {
      const tries =
        'for p in /usr/bin/perl /usr/bin/perl5.[0-9]*.[0-9] perl; do $p -e "print 1"; done 2>/dev/null; perl -e 1'
      const { status, stdout, evidence } = await run(tries, ['perl'])
      expect([status, stdout]).toEqual([126, ''])
      expect(evidence.join()).toContain('exec: perl')
    })

    it('masks affect no other program', async () => {
      expect((await run('echo fine | cat && ls / > /dev/null')).stdout).toBe('fine\n')
    })
  })
}
