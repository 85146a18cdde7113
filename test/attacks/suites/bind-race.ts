import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Profile } from '../../../src/core/model/policy/profile.js'
import { evidenceLine } from '../../../src/core/model/run/evidence.js'
import { createBubblewrap, type SandboxLauncher } from '../../../src/host/launch/bubblewrap.js'
import { findBubblewrap } from '../../../src/host/launch/sandbox/find-bubblewrap.js'
import {
  launchAndCollect,
  pathsOf,
  plainProfile,
  planOf,
  removeDirectory,
  sandboxAround,
} from '../../contract/launcher-plan.js'
import { removeQuarantined } from '../../contract/quarantined-files.js'
import { isSandboxedIn } from '../../contract/sandboxed-workspace.js'

const found = findBubblewrap()
const BWRAP = found.sandbox === 'none' ? '' : found.path

/** Swaps a directory with a symlink to another one, again and again, in one step each. */
const SWAPPER = `my $n = ${process.arch === 'x64' ? 316 : 276}; $| = 1; print "up\\n"; while (1) { syscall($n, -100, $ARGV[0], -100, $ARGV[1], 2) }`

/** Changes the workspace between planning and mounting, as the tests' user and as an ordinary user. */
export function bindRaces(who: string): void {
  describe(`${who}: a directory that becomes a symlink while the sandbox is built`, () => {
    let top: string
    let workspace: string
    let launcher: SandboxLauncher
    const reported: string[] = []
    /** Uses a directory outside /tmp, which is private inside: the symlink leads to a host directory in the sandbox. */
    beforeEach(() => {
      top = mkdtempSync('/var/tmp/cordon-race-')
      workspace = `${top}/work`
      for (const directory of [`${workspace}/.git/hooks`, `${workspace}/inner`, `${top}/outside/hooks`])
        mkdirSync(directory, { recursive: true })
      for (const file of [`${workspace}/.git/config`, `${top}/outside/config`]) writeFileSync(file, '')
      // bubblewrap itself, after a change at the moment of its start.
      mkdirSync(`${top}/bin`)
      writeFileSync(
        `${top}/bin/bwrap`,
        `#!/bin/bash\n[[ $1 == --version ]] || . ${top}/meanwhile 2>/dev/null\nexec ${BWRAP} "$@"\n`,
      )
      chmodSync(`${top}/bin/bwrap`, 0o755)
    })
    afterEach(async () => {
      await launcher.close()
      removeDirectory(top)
      await removeQuarantined(reported.splice(0))
    })

    const meanwhile = (script: string): void => writeFileSync(`${top}/meanwhile`, `cd ${workspace}; ${script}; cd /`)
    const run = (script: string, profile: Profile = plainProfile) =>
      launchAndCollect(launcher, planOf(workspace, sandboxAround(workspace, profile), { script }), {
        onEvidence: (one) => reported.push(evidenceLine(one)),
      })
    const open = (warm = 0): void => {
      launcher = createBubblewrap({ bwrapPaths: [`${top}/bin/bwrap`], warm })
    }
    /** Returns a command that writes to each path through any mount. */
    const attack = (): string =>
      `for d in .git inner ${top}/outside ${top}/outside/hooks; do echo evil > $d/evil; done 2>/dev/null; touch ran; true`
    const outside = (): string[] => [
      ...readdirSync(`${top}/outside`),
      ...readdirSync(`${top}/outside/hooks`).map((name) => `hooks/${name}`),
    ]
    const UNTOUCHED = ['config', 'hooks']

    it('a directory replaced by a symlink runs nothing, and the error names it', async () => {
      open()
      meanwhile('mv .git elsewhere; ln -s ../outside .git')
      await expect(run(attack())).rejects.toMatchObject({
        code: 'START_FAILED',
        message: expect.stringMatching(/\.git.* was replaced .*Nothing was run/),
      })
      expect([outside(), existsSync(`${workspace}/ran`)]).toEqual([UNTOUCHED, false])
    })

    it('a writable directory of a workspace replaced by a symlink runs nothing', async () => {
      open()
      meanwhile('rmdir inner; ln -s ../outside inner')
      await expect(run(attack(), pathsOf({ writable: ['inner'] }))).rejects.toMatchObject({ code: 'START_FAILED' })
      expect([outside(), existsSync(`${workspace}/ran`)]).toEqual([UNTOUCHED, false])
    })

    it('a symlink at a hidden path does not uncover it', async () => {
      open()
      writeFileSync(`${workspace}/.env`, 'the secret')
      meanwhile('mv .env elsewhere; ln -s inner/none .env; touch inner/none')
      await expect(run('cat elsewhere .env', pathsOf({ hidden: ['.env'] }))).rejects.toMatchObject({
        code: 'START_FAILED',
      })
    })

    it('a directory replaced by another one runs nothing, and an unchanged one works', async () => {
      open()
      meanwhile('mv .git elsewhere; mkdir -p .git/hooks; touch .git/config')
      expect((await run('true')).ending).toEqual({ how: 'exited', status: 0 })
      meanwhile(':')
      expect((await run(attack())).ending).toEqual({ how: 'exited', status: 0 })
      expect([outside(), existsSync(`${workspace}/inner/evil`)]).toEqual([UNTOUCHED, true])
    })

    it('a replaced directory is in no warm sandbox', async () => {
      open(1)
      // The sandbox is built with the symlink, and used after its removal.
      meanwhile('[[ -L .git ]] || { ln -s ../outside link; mv .git elsewhere; mv -T link .git; }')
      launcher.prepare(planOf(workspace, sandboxAround(workspace)))
      const isSwapped = (): boolean =>
        lstatSync(`${workspace}/.git`, { throwIfNoEntry: false })?.isSymbolicLink() ?? false
      for (let tries = 0; tries < 2_000 && !isSwapped(); tries += 1) await sleep(10)
      for (let tries = 0; tries < 30 && !isSandboxedIn(workspace); tries += 1) await sleep(10)
      meanwhile(':')
      renameSync(`${workspace}/.git`, `${workspace}/link`)
      renameSync(`${workspace}/elsewhere`, `${workspace}/.git`)
      // A sandbox that was taken before its check is replaced by one built for the command.
      await run(attack())
      expect([outside(), existsSync(`${workspace}/.git/evil`)]).toEqual([UNTOUCHED, true])
    })

    it('a directory replaced at random moments is never written through', async () => {
      open()
      symlinkSync('../outside', `${workspace}/link`)
      const swapper = spawn('perl', ['-e', SWAPPER, `${workspace}/.git`, `${workspace}/link`], {
        stdio: ['ignore', 'pipe', 'ignore'],
      })
      const over = once(swapper, 'close')
      await once(swapper.stdout, 'data')
      try {
        for (let tries = 0; tries < 30; tries += 1) await run(attack()).catch(() => undefined)
      } finally {
        swapper.kill('SIGKILL')
        await over
      }
      expect(outside()).toEqual(UNTOUCHED)
      expect(readFileSync(`${top}/outside/config`, 'utf8')).toBe('')
    })
  })
}
