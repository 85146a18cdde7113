import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import { keptAside } from '../contract/kept-aside.js'
import { pathsOf, wallAround } from '../contract/launcher-plan.js'
import { walledWorkspace } from '../contract/walled-workspace.js'

const profileOf = pathsOf({ protected: ['.git/hooks', '.claude/settings.json', '.deep/a/x.json'] })
/** Made beside and moved there as a whole: what is there for a moment is taken away at once, and only that. */
const planted = (more = 'true'): string =>
  `mkdir .git/s && printf "#!/bin/sh\\n" > .git/s/pre-commit && chmod 755 .git/s/pre-commit && (cd .git/s && ${more}) && mv .git/s .git/hooks`
const DEEP = `perl -e 'for (1 .. 300) { mkdir "deep" x 10; chdir "deep" x 10 }'`

/** What a command does so that what it planted cannot be taken away again. */
const CLINGING: readonly (readonly [how: string, script: string])[] = [
  [
    'in a directory that cannot be written',
    'mkdir s && echo evil > s/settings.json && mv s .claude; chmod 555 .claude',
  ],
  ['in a directory that cannot be entered', 'mkdir s && echo evil > s/settings.json && chmod 0 s && mv s .claude'],
  ['below a directory that cannot be entered', 'mkdir -p s/a && echo evil > s/a/x.json && mv s .deep && chmod 0 .deep'],
  ['as a directory that cannot be entered', `${planted('chmod 0 .')}`],
  [
    'as a directory that cannot be entered, closed at once',
    'mkdir .git/hooks && echo evil > .git/hooks/x && chmod 0 .git/hooks',
  ],
  ['as a directory that cannot be written', `${planted()}; chmod 555 .git/hooks`],
  ['with a directory inside that cannot be read', planted('mkdir -p a/b && chmod 0 a')],
  ['with a file inside that cannot be read', planted('touch a && chmod 0 a')],
  ['with a pipe inside', planted('mkfifo a')],
  ['as a pipe', 'mkdir s && mkfifo s/settings.json && mv s .claude'],
  ['with a name inside that is no text', planted("touch $'\\xff\\xfe'")],
  ['with a tree inside whose names are too long', planted(DEEP)],
]

/** Places that may not come to exist, and commands that want to keep them. Run as whoever runs the tests, and once more as an ordinary user. */
export function plantedPlaces(who: string): void {
  describe(`${who}: what is planted in a protected place`, () => {
    const walled = walledWorkspace()
    let elsewhere = ''
    afterEach(() => {
      if (elsewhere !== '') spawnSync('rm', ['-rf', elsewhere])
      elsewhere = ''
    })
    /** What of it is there afterwards, and what was to be kept and is not. */
    const left = async (workspace: string, script: string): Promise<readonly string[]> => {
      mkdirSync(`${workspace}/.git`)
      const over = { sandbox: wallAround(workspace, profileOf), cwd: workspace, workspace }
      const { evidence } = await walled.run(script, over)
      const places = keptAside(evidence)
      expect(places).toHaveLength(1)
      const found = [workspace, ...['.git', '.claude', '.deep/a'].map((at) => `${workspace}/${at}`)].filter((at) =>
        existsSync(at),
      )
      return [
        ...found.flatMap((at) => readdirSync(at)).filter((name) => !['.git', '.claude', '.deep'].includes(name)),
        ...places.filter((place) => !existsSync(place)),
      ]
    }

    it.each(CLINGING)('is taken back %s', async (_how, script) => {
      expect(await left(walled.workspace, script)).toEqual([])
    })

    it('is taken back though a link beside it can no longer be looked at, and that is put back', async () => {
      const { workspace } = walled
      mkdirSync(`${workspace}/.git`)
      mkdirSync(`${workspace}/shared`)
      symlinkSync('../shared', `${workspace}/.git/hooks`)
      const over = { sandbox: wallAround(workspace, profileOf) }
      const { ending } = await walled.run(
        'mkdir s && echo evil > s/settings.json && mv s .claude; rm .git/hooks; mkdir .git/hooks; chmod 0 .git .claude',
        over,
      )
      expect(ending).toEqual({ how: 'exited', status: 0 })
      expect(readdirSync(`${workspace}/.claude`)).toEqual([])
      expect(readlinkSync(`${workspace}/.git/hooks`)).toBe('../shared')
    })

    it('is out of its place though there is no room to keep it elsewhere', async () => {
      const { workspace } = walled
      mkdirSync(`${workspace}/.git`)
      const before = process.env['TMPDIR']
      const io = {
        onChunk: () => {
          process.env['TMPDIR'] = '/nonexistent'
          writeFileSync(`${workspace}/go`, '')
        },
      }
      try {
        const wait = 'echo up; until [[ -e go ]]; do sleep 0.02; done; rm go'
        const { evidence } = await walled.run(`${wait}; ${planted()}`, {
          sandbox: wallAround(workspace, profileOf),
          io,
        })
        const [name = '', ...others] = readdirSync(`${workspace}/.git`)
        expect([name, others]).toEqual([expect.stringMatching(/^cordon-quarantine-/), []])
        expect(evidence.join()).toContain(`to ${workspace}/.git/${name}`)
      } finally {
        if (before === undefined) delete process.env['TMPDIR']
        else process.env['TMPDIR'] = before
      }
    })

    it('leaves no directory behind that keeps later commands from being run', async () => {
      const { workspace } = walled
      const run = (script: string) => walled.run(script, { sandbox: wallAround(workspace, profileOf) })
      await run('mkdir -p .claude .deep/a && chmod 0 .claude .deep/a .deep')
      expect((await run('echo on')).stdout).toBe('on\n')
    })

    it.each(CLINGING)('is taken back on another file system %s', async (_how, script) => {
      elsewhere = mkdtempSync('/dev/shm/cordon-test-')
      expect(await left(elsewhere, script)).toEqual([])
    })
  })
}
