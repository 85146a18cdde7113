import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { lookAt, lookThrough, witnessed } from '../../../src/host/untrusted-files/witness.js'

let top: string
beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'cordon-witness-')))
  mkdirSync(join(top, 'real'))
  symlinkSync('real', join(top, 'link'))
})
afterEach(() => rmSync(top, { recursive: true, force: true }))

it('a missing path behind a symlink is noticed when it appears, though the symlink itself was looked at', () => {
  const { witness } = witnessed(() => [lookAt(join(top, 'link')), lookThrough(join(top, 'link/missing'))])
  expect(witness.holds()).toBe(true)
  writeFileSync(join(top, 'real/missing'), '')
  expect(witness.holds()).toBe(false)
})

it('a path that is missing with its directories is noticed when the first of them appears', () => {
  const { witness } = witnessed(() => lookAt(join(top, 'a/b/c')))
  expect(witness.holds()).toBe(true)
  mkdirSync(join(top, 'a'))
  expect(witness.holds()).toBe(false)
})

it('a path that has just changed proves nothing', () => {
  writeFileSync(join(top, 'file'), '')
  expect(witnessed(() => lookAt(join(top, 'file'))).witness.isCertain).toBe(false)
})

it('a file below /proc proves nothing, because its times do not tell of changes', () => {
  expect(witnessed(() => lookAt('/proc/self/status')).witness.isCertain).toBe(false)
})
