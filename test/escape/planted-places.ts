import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { pathsOf, wallAround } from '../contract/launcher-plan.js'
import { walledWorkspace } from '../contract/walled-workspace.js'

const profileOf = pathsOf({ protected: ['.git/hooks', '.claude/settings.json'] })
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
    const kept: string[] = []
    afterEach(() => {
      for (const place of kept.splice(0)) spawnSync('rm', ['-rf', dirname(place)])
      if (elsewhere !== '') spawnSync('rm', ['-rf', elsewhere])
      elsewhere = ''
    })
    /** What of it is there afterwards, and what was to be kept and is not. */
    const left = async (workspace: string, script: string): Promise<readonly string[]> => {
      mkdirSync(`${workspace}/.git`)
      const over = { wall: wallAround(workspace, profileOf), cwd: workspace, workspace }
      const { evidence } = await walled.run(script, over)
      const places = evidence.flatMap((line) => /kept at (.*)$/.exec(line)?.[1] ?? [])
      kept.push(...places)
      expect(places).toHaveLength(1)
      const found = [workspace, `${workspace}/.git`, `${workspace}/.claude`].filter((at) => existsSync(at))
      return [
        ...found.flatMap((at) => readdirSync(at)).filter((name) => !['.git', '.claude'].includes(name)),
        ...places.filter((place) => !existsSync(place)),
      ]
    }

    it.each(CLINGING)('is taken back %s', async (_how, script) => {
      expect(await left(walled.workspace, script)).toEqual([])
    })

    it.each(CLINGING)('is taken back on another file system %s', async (_how, script) => {
      elsewhere = mkdtempSync('/dev/shm/cordon-test-')
      expect(await left(elsewhere, script)).toEqual([])
    })
  })
}
