import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createObserver } from '../../../src/host/observe/observer.js'
import { PROFILE } from '../../core/decide/fixture.js'

let root: string

beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'cordon-shown-')))
  for (const name of ['home/.ssh', 'home/state/cordon', 'work/a']) mkdirSync(join(root, name), { recursive: true })
  for (const name of ['home/.ssh/config', 'home/.ssh/id', 'home/state/cordon/key', 'work/.env', 'work/a/.env'])
    writeFileSync(join(root, name), '')
  symlinkSync(join(root, 'home/state'), join(root, 'home/innocent'))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** Returns what a profile with these readable paths shows of what it hides, relative to the root. */
function shownBy(readable: readonly string[], state: string | null = join(root, 'home/state/cordon')) {
  const hidden = ['~/.ssh', '**/.env', '~/state', join(root, 'home/state/cordon')]
  const profile = { ...PROFILE, paths: { ...PROFILE.paths, hidden, readable } }
  const place = { workspace: join(root, 'work'), home: join(root, 'home'), env: {} }
  const observer = createObserver(state === null ? place : { ...place, state })
  const { shown = [], readable: mounted = [] } = observer.surroundings(profile)
  expect(mounted).toEqual(expect.arrayContaining([...shown]))
  return shown.map((path) => path.slice(root.length + 1))
}

describe('hidden paths that a person shows', () => {
  it('are those that `paths.readable` names, and what is below them', () => {
    expect(shownBy(['~/.ssh/config', '.env'])).toEqual(['home/.ssh/config', 'work/.env'])
    expect(shownBy(['~/.ssh'])).toEqual(['home/.ssh'])
  })

  it('are not found by a pattern or by a directory above', () => {
    expect(shownBy(['~', '.', '/', '~/.ssh/*', '**/.env', '~/.s?h'])).toEqual([])
  })

  it("are never Cordon's own records, by their path, a directory above or a symlink", () => {
    expect(shownBy(['~/state/cordon', '~/state/cordon/key', '~/state', '~/innocent/cordon/key'])).toEqual([])
    expect(shownBy(['~/.ssh/config'], null)).toEqual([])
  })
})
