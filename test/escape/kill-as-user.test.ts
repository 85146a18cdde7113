import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const NOBODY = 65_534
const SCRIPT = resolve(import.meta.dirname, '../../script/kills.mjs')

it('kills by an ordinary user leave nothing either', async () => {
  // In a process started as that user: one that only changed its user is closed to itself in /proc.
  const asUser = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
  const told = await promisify(execFile)(process.execPath, [SCRIPT, '28', '--seed', '2'], { ...asUser, cwd: '/' })
  expect(told.stdout).toMatch(/^28 kills as an ordinary user, seed 2: (0 \w+,? ?)+\n$/)
}, 240_000)
