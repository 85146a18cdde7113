import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const NOBODY = 65_534
const SCRIPT = resolve(import.meta.dirname, '../../../script/kills.mjs')

it('kills by an ordinary user leave no process, mount, descriptor or file', async () => {
  // Runs in a process started as that user. One that only changed its user cannot read its own /proc entries.
  const asUser = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
  const output = await promisify(execFile)(process.execPath, [SCRIPT, '28', '--seed', '2'], { ...asUser, cwd: '/' })
  expect(output.stdout).toMatch(/^28 kills as an ordinary user, seed 2: (0 \w+,? ?)+\n$/)
}, 240_000)
