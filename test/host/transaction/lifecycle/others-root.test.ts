import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ownersMode } from '../../../../src/host/transaction/overlay/layer-layout.js'
import { bundled } from '../support/bundled.js'

const NOBODY = 65534

it.each([
  [0o755, 5, 0o555],
  [0o775, 7, 0o775],
  [0o2750, 5, 0o2550],
  [0o700, 0, 0o000],
])('the layer of a root of mode %o in which the user has the rights %o has the mode %o', (mode, rights, expected) => {
  expect(ownersMode(mode, rights)).toBe(expected)
})

describe.skipIf(process.geteuid?.() !== 0)('a workspace that belongs to another user', () => {
  let top: string
  let workspace: string
  beforeEach(() => {
    top = realpathSync(mkdtempSync(join(tmpdir(), 'cordon-others-root-')))
    workspace = join(top, 'workspace')
    mkdirSync(workspace)
    writeFileSync(join(workspace, 'file'), 'text\n')
    chownSync(top, NOBODY, NOBODY)
  })
  afterEach(() => rmSync(top, { recursive: true, force: true }))

  async function run(script: string) {
    const child = await bundled('others-root-child.ts', join(top, 'child.mjs'))
    const as = { uid: NOBODY, gid: NOBODY }
    const { stdout, stderr } = spawnSync(process.execPath, [child, top, script], { encoding: 'utf8', cwd: '/', ...as })
    expect(stderr).toBe('')
    return JSON.parse(stdout)
  }

  it('refuses the command what it refuses its user, and nothing is left to commit', async () => {
    chmodSync(workspace, 0o755)
    const script =
      'for c in "touch new" "rm -f file" "mkdir d" "mv file x"; do $c 2>/dev/null && echo "$c"; done; cat file'
    expect(await run(script)).toMatchObject({ heard: 'text\n', outcome: 'none', warning: null })
    expect(readdirSync(workspace)).toEqual(['file'])
  }, 60_000)

  it('is committed to where its mode lets the user write', async () => {
    chmodSync(workspace, 0o777)
    expect(await run('touch new; rm file')).toMatchObject({ outcome: 'committed', warning: null })
    expect(readdirSync(workspace)).toEqual(['new'])
  }, 60_000)
})
