import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MaskedPrograms } from '../../../src/host/observe/masked-programs.js'

describe('the programs a wall masks', () => {
  let top = ''
  beforeEach(() => {
    top = realpathSync(mkdtempSync(join(tmpdir(), 'cordon-masked-')))
    mkdirSync(join(top, 'bin'))
    writeFileSync(join(top, 'bin/danger'), '', { mode: 0o755 })
  })
  afterEach(() => rmSync(top, { recursive: true, force: true }))

  it('are found under every name they have: in each directory of PATH, through links hard and symbolic', () => {
    mkdirSync(join(top, 'other'))
    linkSync(join(top, 'bin/danger'), join(top, 'other/harmless'))
    symlinkSync(join(top, 'bin/danger'), join(top, 'other/danger'))
    const masked = new MaskedPrograms(`${join(top, 'other')}:${join(top, 'bin')}`)
    expect(masked.locate(['danger'])).toEqual([join(top, 'bin/danger'), join(top, 'other/harmless')])
  })

  it('are still found when a directory of PATH cannot be looked at', () => {
    symlinkSync('loop', join(top, 'loop'))
    expect(new MaskedPrograms(`${join(top, 'loop')}:/no/such/place::${join(top, 'bin')}`).locate(['danger'])).toEqual([
      join(top, 'bin/danger'),
    ])
  })

  it('are found inside a file that is many programs at once, and it goes as a whole', () => {
    writeFileSync(join(top, 'bin/busybox'), 'ELF\0cat\0danger\0ls\0', { mode: 0o755 })
    symlinkSync('busybox', join(top, 'bin/applet'))
    linkSync(join(top, 'bin/busybox'), join(top, 'bin/box'))
    const masked = new MaskedPrograms(join(top, 'bin'))
    expect(masked.locate(['danger'])).toEqual(['box', 'busybox', 'danger'].map((name) => join(top, 'bin', name)))
    expect(masked.locate(['applet'])).not.toContain(join(top, 'bin/busybox'))
  })

  it('leave alone what is many programs at once and none of them denied', () => {
    writeFileSync(join(top, 'bin/toybox'), 'ELF\0cat\0dangerous\0ls\0', { mode: 0o755 })
    expect(new MaskedPrograms(join(top, 'bin')).locate(['danger'])).toEqual([join(top, 'bin/danger')])
  })
})
