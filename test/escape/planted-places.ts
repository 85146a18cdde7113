import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { pathsOf, wallAround } from '../contract/launcher-plan.js'
import { walledWorkspace } from '../contract/walled-workspace.js'

const profileOf = pathsOf({ protected: ['.git/hooks', '.claude/settings.json'] })
const HOOK = 'mkdir -p .git/hooks && printf "#!/bin/sh\\n" > .git/hooks/pre-commit && chmod 755 .git/hooks/pre-commit'
const SETTINGS = 'mkdir .claude && echo evil > .claude/settings.json'
const DEEP = `perl -e 'for (1 .. 300) { mkdir "deep" x 10; chdir "deep" x 10 }'`

/** What a command does so that what it planted cannot be taken away again. */
const CLINGING: readonly (readonly [how: string, script: string])[] = [
  ['in a directory that cannot be written', `${SETTINGS}; chmod 555 .claude`],
  ['as a directory that cannot be written', `${HOOK}; chmod 555 .git/hooks`],
  ['with a directory inside that cannot be read', `${HOOK}; mkdir -p .git/hooks/a/b; chmod 0 .git/hooks/a`],
  ['with a file inside that cannot be read', `${HOOK}; touch .git/hooks/a; chmod 0 .git/hooks/a`],
  ['with a pipe inside', `${HOOK}; mkfifo .git/hooks/a`],
  ['as a pipe', 'mkdir .claude; mkfifo .claude/settings.json'],
  ['with a name inside that is no text', `${HOOK}; touch .git/hooks/$'\\xff\\xfe'`],
  ['with a tree inside whose names are too long', `${HOOK}; cd .git/hooks; ${DEEP}`],
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
