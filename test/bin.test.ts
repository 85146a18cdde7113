import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BINARY } from './surface/binary.js'

const BUILT = dirname(BINARY)
const { version } = JSON.parse(readFileSync(resolve(BUILT, '../package.json'), 'utf8'))

/** Prints if V8 accepts the cached code, as at the start of a command. */
const ACCEPTED = `
  const { readFileSync } = require('node:fs')
  const [, file] = process.argv
  const script = new (require('node:vm').Script)(readFileSync(file, 'utf8'), { cachedData: readFileSync(file + '.cache') })
  process.stdout.write(String(!script.cachedDataRejected))`

describe('the start of the command line', () => {
  const root = mkdtempSync(join(tmpdir(), 'cordon-bin-'))
  const dist = join(root, 'dist')
  const script = join(dist, readdirSync(BUILT).find((name) => /^cli-.*\.cjs$/.test(name)) ?? '')
  const cache = `${script}.cache`
  beforeAll(() => {
    cpSync(BUILT, dist, { recursive: true })
    writeFileSync(join(root, 'package.json'), JSON.stringify({ type: 'module', version }))
  })
  afterAll(() => rmSync(root, { recursive: true }))

  const start = (...flags: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [...flags, join(dist, 'bin.cjs'), '--version'], {
      encoding: 'utf8',
      env: {},
    })
    return { status, stdout, stderr }
  }
  const works = { status: 0, stdout: `${version}\n`, stderr: '' }

  it('finds its code compiled already', () => {
    expect(spawnSync(process.execPath, ['-e', ACCEPTED, script], { encoding: 'utf8', env: {} }).stdout).toBe('true')
    expect(start()).toEqual(works)
  })

  it('compiles its code again for a V8 with other flags', () => {
    expect(start('--stack-size=900')).toEqual(works)
  })

  it.each<readonly [string, () => void]>([
    ['cut off', () => truncateSync(cache, 100_000)],
    ['empty', () => writeFileSync(cache, '')],
    ['something else', () => writeFileSync(cache, 'not compiled code '.repeat(10_000))],
    ['gone', () => rmSync(cache)],
  ])('compiles its code again when what was kept is %s', (_, spoil) => {
    const kept = readFileSync(cache)
    spoil()
    expect(start()).toEqual(works)
    writeFileSync(cache, kept)
  })

  it('has nothing but ASCII in its code, which is read byte by byte', () => {
    expect(readFileSync(script, 'utf8').search(/[^\0-\x7f]/)).toBe(-1)
  })

  it('loads of Node what a command uses, and no more', () => {
    const listed = `process.on('exit', () => require('node:fs').writeSync(2, JSON.stringify(process.moduleLoadList)))`
    writeFileSync(join(root, 'list.cjs'), listed)
    const { status, stderr } = start('--require', join(root, 'list.cjs'))
    const loaded: readonly string[] = JSON.parse(stderr)
    expect(status).toBe(0)
    expect(loaded).toContain('NativeModule fs')
    expect(loaded.filter((name) => /^NativeModule (?:http|zlib|crypto|readline)$/.test(name))).toEqual([])
  })

  it('reads its code as strictly as modules are read', () => {
    expect(readFileSync(script, 'utf8')).toMatch(/^\(function \(exports, require, __filename\) \{ 'use strict'/)
  })
})
