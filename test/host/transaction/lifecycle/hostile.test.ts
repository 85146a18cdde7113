import { execFile } from 'node:child_process'
import { chownSync, mkdtempSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { removeTree } from '../../../../src/host/transaction/paths/remove-tree.js'
import { bundled } from '../support/bundled.js'
import { attacked } from '../support/hostile.js'

const NOBODY = 65534

const HELD = {
  'a directory replaced by a link to a place outside': {
    outcome: 'committed',
    conflicts: [],
    untouched: true,
    back: 'b',
  },
  'pipes, sockets and devices where text was': {
    outcome: 'committed',
    kinds: ['pipe', 'socket', 'pipe'],
    shown: true,
    whiteout: false,
  },
  'attributes that overlayfs would obey': {
    outcome: 'committed',
    again: 'committed',
    still: ['b', 'c', 'n\n'],
  },
  'directories deeper than any path can name': {
    outcomes: ['rolled-back', 'rolled-back'],
    warned: true,
    same: true,
    left: [],
  },
  'names that look like options, places and patterns': { outcome: 'committed', conflicts: [], back: true },
  'files become directories and directories files': {
    outcome: 'committed',
    made: ['in\n', 'file\n'],
    conflicts: [],
    same: true,
  },
  'more files than a report can name': { created: 3000, named: 100, omitted: 2901, back: [[], false] },
}

describe('a command that attacks the process that commits its changes', () => {
  it('a command that attacks the committing process gains nothing', async () => {
    expect(await attacked()).toEqual(HELD)
  }, 300_000)

  it('gains nothing from an ordinary user either', async () => {
    const top = realpathSync(mkdtempSync(join(tmpdir(), 'cordon-hostile-')))
    try {
      const child = await bundled('hostile-child.ts', join(top, 'child.mjs'))
      const root = process.geteuid?.() === 0
      if (root) chownSync(top, NOBODY, NOBODY)
      const as = root ? { uid: NOBODY, gid: NOBODY } : {}
      const env = { ...process.env, TMPDIR: top, HOME: top }
      const { stdout } = await promisify(execFile)(process.execPath, [child], { cwd: '/', env, ...as })
      expect(JSON.parse(stdout)).toEqual(HELD)
    } finally {
      await removeTree(top)
    }
  }, 300_000)
})
