import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { hiddenByName } from '../../../src/host/observe/hidden-names.js'

let root: string
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'cordon-names-')))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const write = (path: string): void => {
  mkdirSync(join(root, path, '..'), { recursive: true })
  writeFileSync(join(root, path), 'SECRET=1\n')
}
const found = (patterns = ['.env', '~/.ssh', 'a/b']): readonly string[] =>
  hiddenByName(patterns, [root])
    .map((path) => path.slice(root.length + 1))
    .sort()

it('files of a hidden name are found at any depth, and in no node_modules or .git', () => {
  for (const path of ['.env', 'a/.env', 'a/b/c/.env', 'a/x.env', 'node_modules/p/.env', '.git/.env']) write(path)
  expect(found()).toEqual(['.env', 'a/.env', 'a/b/c/.env'])
})

it('a pattern without a directory finds every name that it matches', () => {
  for (const path of ['a/.env.local', 'a/b/.env.test', 'a/env']) write(path)
  expect(found(['.env.*'])).toEqual(['a/.env.local', 'a/b/.env.test'])
})

it('no symlink to a directory is followed, and one of a hidden name is found', () => {
  write('a/.env')
  symlinkSync('a', join(root, 'linked'))
  symlinkSync('a/.env', join(root, '.env'))
  expect(found()).toEqual(['.env', 'a/.env'])
})

it('a file that appears, moves or goes is noticed by the next search, however soon that is', () => {
  mkdirSync(join(root, 'a/b'), { recursive: true })
  for (let round = 0; round < 50; round++) {
    expect(found()).toEqual([])
    write('a/b/.env')
    expect(found()).toEqual(['a/b/.env'])
    renameSync(join(root, 'a'), join(root, 'c'))
    expect(found()).toEqual(['c/b/.env'])
    renameSync(join(root, 'c'), join(root, 'a'))
    rmSync(join(root, 'a/b/.env'))
  }
})

it('a directory that replaces a known one is read again', () => {
  write('a/b/c')
  write('other/b/.env')
  expect(found()).toEqual(['other/b/.env'])
  renameSync(join(root, 'a/b'), join(root, 'gone'))
  renameSync(join(root, 'other/b'), join(root, 'a/b'))
  expect(found()).toEqual(['a/b/.env'])
})

it('a search of 2,000 files that have not changed takes less than 1 ms of processor time', async () => {
  for (let d = 0; d < 200; d++) for (let f = 0; f < 10; f++) write(`p${d % 20}/d${d}/${f === 0 && d < 10 ? '.env' : f}`)
  found()
  await new Promise((resolve) => setTimeout(resolve, 150))
  expect(found()).toHaveLength(10)
  const rounds = Array.from({ length: 10 }, () => {
    const before = process.cpuUsage()
    for (let n = 0; n < 10; n++) found()
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 10_000
  })
  expect(Math.min(...rounds)).toBeLessThan(1)
})
