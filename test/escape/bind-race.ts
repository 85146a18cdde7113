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
import type { Profile } from '../../src/core/model/profile.js'
import { createBubblewrap, type WallLauncher } from '../../src/host/launch/bubblewrap.js'
import { findBubblewrap } from '../../src/host/launch/find-bubblewrap.js'
import { removeKeptAside } from '../contract/kept-aside.js'
import { launchAndHear, pathsOf, plainProfile, planOf, removeDirectory, wallAround } from '../contract/launcher-plan.js'
import { isWalledIn } from '../contract/walled-workspace.js'

const found = findBubblewrap()
const BWRAP = found.sandbox === 'none' ? '' : found.path

/** Swaps a directory and a link to another one, over and over, in one step each. */
const SWAPPER = `my $n = ${process.arch === 'x64' ? 316 : 276}; $| = 1; print "up\\n"; while (1) { syscall($n, -100, $ARGV[0], -100, $ARGV[1], 2) }`

/** Somebody else changes the workspace between planning and mounting. Run as whoever runs the tests, and once more as an ordinary user. */
export function bindRaces(who: string): void {
  describe(`${who}: a directory that becomes a link while the wall is built`, () => {
    let top: string
    let workspace: string
    let launcher: WallLauncher
    const told: string[] = []
    /** Not below /tmp, which is private inside: a link leads to what the wall shows of the host. */
    beforeEach(() => {
      top = mkdtempSync('/var/tmp/cordon-race-')
      workspace = `${top}/work`
      for (const directory of [`${workspace}/.git/hooks`, `${workspace}/inner`, `${top}/outside/hooks`])
        mkdirSync(directory, { recursive: true })
      for (const file of [`${workspace}/.git/config`, `${top}/outside/config`]) writeFileSync(file, '')
      // Bubblewrap itself, but for what somebody does the moment before it starts.
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
      await removeKeptAside(told.splice(0))
    })

    const meanwhile = (script: string): void => writeFileSync(`${top}/meanwhile`, `cd ${workspace}; ${script}; cd /`)
    const run = (script: string, profile: Profile = plainProfile) =>
      launchAndHear(launcher, planOf(workspace, wallAround(workspace, profile), { script }), {
        onEvidence: (line) => told.push(line),
      })
    const open = (warm = 0): void => {
      launcher = createBubblewrap({ places: [`${top}/bin/bwrap`], warm })
    }
    /** Whatever was mounted where, the command tries to write there. */
    const attack = (): string =>
      `for d in .git inner ${top}/outside ${top}/outside/hooks; do echo evil > $d/evil; done 2>/dev/null; touch ran; true`
    const outside = (): string[] => [
      ...readdirSync(`${top}/outside`),
      ...readdirSync(`${top}/outside/hooks`).map((name) => `hooks/${name}`),
    ]
    const UNTOUCHED = ['config', 'hooks']

    it('is not followed: nothing is run, and the error says why', async () => {
      open()
      meanwhile('mv .git elsewhere; ln -s ../outside .git')
      await expect(run(attack())).rejects.toMatchObject({
        code: 'START_FAILED',
        message: expect.stringMatching(/\.git.* was replaced .*Nothing was run/),
      })
      expect([outside(), existsSync(`${workspace}/ran`)]).toEqual([UNTOUCHED, false])
    })

    it('is not followed where it was to be writable by itself, in a workspace that is', async () => {
      open()
      meanwhile('rmdir inner; ln -s ../outside inner')
      await expect(run(attack(), pathsOf({ writable: ['inner'] }))).rejects.toMatchObject({ code: 'START_FAILED' })
      expect([outside(), existsSync(`${workspace}/ran`)]).toEqual([UNTOUCHED, false])
    })

    it('does not uncover what the profile hides', async () => {
      open()
      writeFileSync(`${workspace}/.env`, 'the secret')
      meanwhile('mv .env elsewhere; ln -s inner/none .env; touch inner/none')
      await expect(run('cat elsewhere .env', pathsOf({ hidden: ['.env'] }))).rejects.toMatchObject({
        code: 'START_FAILED',
      })
    })

    it('is not followed by another directory of the same name either, and one that stays is no trouble', async () => {
      open()
      meanwhile('mv .git elsewhere; mkdir -p .git/hooks; touch .git/config')
      expect((await run('true')).ending).toEqual({ how: 'exited', status: 0 })
      meanwhile(':')
      expect((await run(attack())).ending).toEqual({ how: 'exited', status: 0 })
      expect([outside(), existsSync(`${workspace}/inner/evil`)]).toEqual([UNTOUCHED, true])
    })

    it('is in no wall that was built ahead', async () => {
      open(1)
      // It is built while the link is there, and asked for when it is gone.
      meanwhile('[[ -L .git ]] || { ln -s ../outside link; mv .git elsewhere; mv -T link .git; }')
      launcher.prepare(planOf(workspace, wallAround(workspace)))
      const isSwapped = (): boolean =>
        lstatSync(`${workspace}/.git`, { throwIfNoEntry: false })?.isSymbolicLink() ?? false
      for (let tries = 0; tries < 2_000 && !isSwapped(); tries += 1) await sleep(10)
      for (let tries = 0; tries < 30 && !isWalledIn(workspace); tries += 1) await sleep(10)
      meanwhile(':')
      renameSync(`${workspace}/.git`, `${workspace}/link`)
      renameSync(`${workspace}/elsewhere`, `${workspace}/.git`)
      // One that was taken before it had been looked at is replaced by one built for the command.
      await run(attack())
      expect([outside(), existsSync(`${workspace}/.git/evil`)]).toEqual([UNTOUCHED, true])
    })

    it('is never written through, however often it is tried by chance', async () => {
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
