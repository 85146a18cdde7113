import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MaskedPrograms } from '../../../src/host/observe/masked-programs.js'

describe('the programs a sandbox masks', () => {
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

  it('are found in every version, whichever of them the plain name leads to', () => {
    for (const name of ['danger-12', 'danger3.11', 'danger3.12', 'dangerous', 'danger-zone'])
      writeFileSync(join(top, 'bin', name), '', { mode: 0o755 })
    symlinkSync('danger3.11', join(top, 'bin/danger3'))
    const masked = new MaskedPrograms(join(top, 'bin'))
    expect(masked.locate(['danger'])).toEqual(['danger', 'danger-12'].map((name) => join(top, 'bin', name)))
    expect(masked.locate(['danger3'])).toEqual(['danger3.11', 'danger3.12'].map((name) => join(top, 'bin', name)))
  })

  it('are languages only when they are denied themselves, and never the shell', () => {
    writeFileSync(join(top, 'bin/perl'), '', { mode: 0o755 })
    linkSync(join(top, 'bin/perl'), join(top, 'bin/perl5.36.0'))
    symlinkSync('perl', join(top, 'bin/nickname'))
    symlinkSync('/bin/bash', join(top, 'bin/rsh'))
    const here = (denied: string): readonly string[] =>
      new MaskedPrograms(join(top, 'bin')).locate([denied]).filter((path) => path.startsWith(top))
    expect(here('perl')).toEqual(['perl', 'perl5.36.0'].map((name) => join(top, 'bin', name)))
    expect([here('nickname'), new MaskedPrograms(join(top, 'bin')).locate(['rsh'])]).toEqual([[], []])
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
