import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import { pathsOf, sandboxAround } from '../../contract/launcher-plan.js'
import { quarantinedFiles } from '../../contract/quarantined-files.js'
import { sandboxedWorkspace } from '../../contract/sandboxed-workspace.js'

const profileOf = pathsOf({ protected: ['.git/hooks', '.claude/settings.json', '.deep/a/x.json'] })
/** Makes files elsewhere and moves them as a whole, so that the early cleanup finds all of them at once. */
const planted = (more = 'true'): string =>
  `mkdir .git/s && printf "#!/bin/sh\\n" > .git/s/pre-commit && chmod 755 .git/s/pre-commit && (cd .git/s && ${more}) && mv .git/s .git/hooks`
const DEEP = `perl -e 'for (1 .. 300) { mkdir "deep" x 10; chdir "deep" x 10 }'`

/** Commands that resist the removal of their planted files. */
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

/** Tests forbidden paths against commands that want to keep files there, as the tests' user and as an ordinary user. */
export function plantedPaths(who: string): void {
  describe(`${who}: files planted at a protected path`, () => {
    const sandboxed = sandboxedWorkspace()
    let elsewhere = ''
    afterEach(() => {
      if (elsewhere !== '') spawnSync('rm', ['-rf', elsewhere])
      elsewhere = ''
    })
    /** Returns leftovers, and files that should exist and do not. */
    const left = async (workspace: string, script: string): Promise<readonly string[]> => {
      mkdirSync(`${workspace}/.git`)
      const over = { sandbox: sandboxAround(workspace, profileOf), cwd: workspace, workspace }
      const { evidence } = await sandboxed.run(script, over)
      const places = quarantinedFiles(evidence)
      expect(places).toHaveLength(1)
      const found = [workspace, ...['.git', '.claude', '.deep/a'].map((at) => `${workspace}/${at}`)].filter((at) =>
        existsSync(at),
      )
      return [
        ...found.flatMap((at) => readdirSync(at)).filter((name) => !['.git', '.claude', '.deep'].includes(name)),
        ...places.filter((place) => !existsSync(place)),
      ]
    }

    it.each(CLINGING)('a planted file is moved to quarantine %s', async (_how, script) => {
      expect(await left(sandboxed.workspace, script)).toEqual([])
    })

    it('a planted file is moved away even beside an unreadable symlink, which is restored', async () => {
      const { workspace } = sandboxed
      mkdirSync(`${workspace}/.git`)
      mkdirSync(`${workspace}/shared`)
      symlinkSync('../shared', `${workspace}/.git/hooks`)
      const over = { sandbox: sandboxAround(workspace, profileOf) }
      const { ending } = await sandboxed.run(
        'mkdir s && echo evil > s/settings.json && mv s .claude; rm .git/hooks; mkdir .git/hooks; chmod 0 .git .claude',
        over,
      )
      expect(ending).toEqual({ how: 'exited', status: 0 })
      expect(readdirSync(`${workspace}/.claude`)).toEqual([])
      expect(readlinkSync(`${workspace}/.git/hooks`)).toBe('../shared')
    })

    it('a planted file leaves its path even on a full disk', async () => {
      const { workspace } = sandboxed
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
        const { evidence } = await sandboxed.run(`${wait}; ${planted()}`, {
          sandbox: sandboxAround(workspace, profileOf),
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

    it('a planted file leaves no locked directory that blocks later commands', async () => {
      const { workspace } = sandboxed
      const run = (script: string) => sandboxed.run(script, { sandbox: sandboxAround(workspace, profileOf) })
      await run('mkdir -p .claude .deep/a && chmod 0 .claude .deep/a .deep')
      expect((await run('echo on')).stdout).toBe('on\n')
    })

    it.each(CLINGING)('a planted file is moved to quarantine on another file system %s', async (_how, script) => {
      elsewhere = mkdtempSync('/dev/shm/cordon-test-')
      expect(await left(elsewhere, script)).toEqual([])
    })
  })
}
