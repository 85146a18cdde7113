import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { gitlinksOf } from '../../../src/host/git/gitlinks.js'
import { readIndex } from '../../../src/host/git/read-index.js'
import { nestedRepositories } from '../../../src/host/git/repositories.js'
import { gitDirectories } from '../../../src/host/observe/git-directories.js'
import { locateMasked } from '../../../src/host/observe/masked-programs.js'
import { scriptText } from '../../../src/host/observe/script-text.js'
import { entriesOf } from '../../../src/host/untrusted-files/entries-of.js'
import { readUntrustedFile } from '../../../src/host/untrusted-files/read-untrusted-file.js'

let top: string
beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'cordon-hostile-')))
  mkdirSync(join(top, '.git'))
})
afterEach(() => rmSync(top, { recursive: true, force: true }))

const at = (path: string): string => join(top, path)
const fifo = (path: string): unknown => execFileSync('mkfifo', [at(path)])
const MODE_GITLINK = 0o160000

/** An entry of an index: of version 4 with what is removed from the name before and the rest of it. */
function entry(rest: string, length: number, options: { readonly removed?: number } = {}): Buffer {
  const head = Buffer.alloc(62)
  head.writeUInt32BE(MODE_GITLINK, 24)
  head.writeUInt16BE(Math.min(length, 0xfff), 60)
  const name = Buffer.from(`${rest}\0`)
  if (options.removed !== undefined) return Buffer.concat([head, Buffer.from([options.removed]), name])
  const size = (62 + length + 8) & ~7
  return Buffer.concat([head, name], size)
}

function index(version: number, count: number, entries: readonly Buffer[]): Buffer {
  const head = Buffer.from('DIRC\0\0\0\0\0\0\0\0')
  head.writeUInt32BE(version, 4)
  head.writeUInt32BE(count, 8)
  return Buffer.concat([head, ...entries])
}

/** Measures milliseconds, and the bytes that stay allocated inside and outside the heap. */
function cost(work: () => unknown): { readonly ms: number; readonly bytes: number } {
  const before = process.memoryUsage()
  const begun = performance.now()
  work()
  const after = process.memoryUsage()
  return {
    ms: performance.now() - begun,
    bytes: after.heapUsed - before.heapUsed + after.external - before.external,
  }
}

/** Far more than is needed on a busy machine, and far less than the attack took. */
const SOON_MS = 3_000
const LITTLE_BYTES = 128 * 1024 * 1024

describe('a file that a command has put where the engine reads', () => {
  it.each(['/proc/kmsg', '/proc/self/pagemap', '/proc/self/mem', '/sys/kernel/mm/transparent_hugepage/enabled'])(
    'is not read, not even through symlinks, where it is one of the kernel: %s',
    (place) => {
      symlinkSync(place, at('.git/index'))
      expect(readUntrustedFile(at('.git/index'), 65_536)).toBeNull()
      expect(readUntrustedFile(at('.git/index'), 65_536, 'follow')).toBeNull()
      expect(scriptText(at('.git/index'))).toBeNull()
      expect(gitlinksOf(at('.git')).names).toEqual([])
    },
  )

  it('is not one of the kernel by a symlink in place of the directory above', () => {
    rmSync(at('.git'), { recursive: true })
    symlinkSync('/proc/self', at('.git'))
    expect(readUntrustedFile(at('.git/pagemap'), 1024)).toBeNull()
    expect(readUntrustedFile(at('.git/status'), 1024)).toBeNull()
    expect(gitDirectories(top, { home: at('home'), env: {} }).writable).toEqual([])
  })

  it('is not waited for where it is a pipe', () => {
    for (const path of ['.git/index', '.git/config', '.git/commondir', 'busybox']) fifo(path)
    expect(readUntrustedFile(at('.git/config'), 1024)).toBeNull()
    expect(readUntrustedFile(at('.git/config'), 1024, 'follow')).toBeNull()
    expect(gitlinksOf(at('.git')).names).toEqual([])
    expect(gitDirectories(top, { home: at('home'), env: {} }).protected).toContain(at('.git/config'))
    expect(locateMasked(['wget'], top)).not.toContain(at('busybox'))
  })

  it('is read where it is a regular file', () => {
    writeFileSync(at('plain'), 'text')
    symlinkSync('plain', at('link'))
    expect(readUntrustedFile(at('plain'), 4)?.toString()).toBe('text')
    expect(readUntrustedFile(at('plain'), 3)).toBeNull()
    expect(readUntrustedFile(at('link'), 4)).toBeNull()
    expect(readUntrustedFile(at('link'), 4, 'follow')?.toString()).toBe('text')
  })
})

describe('a program in a directory of the workspace that is on PATH', () => {
  it('is read if it is as small as such programs are', () => {
    writeFileSync(at('busybox'), 'x\0wget\0y')
    expect(locateMasked(['wget'], top)).toContain(at('busybox'))
    truncateSync(at('busybox'), 8 * 1024 ** 3)
    expect(cost(() => expect(locateMasked(['wget'], top)).not.toContain(at('busybox'))).bytes).toBeLessThan(
      LITTLE_BYTES,
    )
  })
})

describe('a directory that a command has filled', () => {
  it('is listed up to a number of entries', () => {
    for (let i = 0; i < 300; i++) writeFileSync(at(`${i}`), '')
    expect(entriesOf(top, 10)).toHaveLength(10)
    expect(entriesOf(top, 1_000)).toHaveLength(301)
    expect(entriesOf(at('0'), 10)).toEqual([])
    expect(entriesOf(at('missing'), 10)).toEqual([])
  })
})

describe('an index that a command has made', () => {
  it('names its gitlinks, in each version', () => {
    expect(readIndex(index(2, 2, [entry('a/b', 3), entry('c', 1)])).gitlinks).toEqual(['a/b', 'c'])
    const compressed = [entry('a/b', 3, { removed: 0 }), entry('c', 3, { removed: 1 })]
    expect(readIndex(index(4, 2, compressed)).gitlinks).toEqual(['a/b', 'a/c'])
  })

  it('names the shared index of a split one', () => {
    const link = Buffer.concat([Buffer.from('link\0\0\0\x14'), Buffer.alloc(20, 0xab), Buffer.alloc(20)])
    const split = index(2, 0, [link])
    expect(readIndex(split).shared).toBe('ab'.repeat(20))
    writeFileSync(at('.git/index'), split)
    writeFileSync(at(`.git/sharedindex.${'ab'.repeat(20)}`), index(2, 1, [entry('inner', 5)]))
    expect(gitlinksOf(at('.git')).names).toEqual(['inner'])
  })

  it('does not exhaust the memory by 3 MB of names that repeat the one before', () => {
    const long = 'd/'.repeat(50_000)
    const entries = [entry(long, long.length, { removed: 0 })]
    for (let i = 0; i < 40_000; i++) entries.push(entry('x', long.length + i + 1, { removed: 0 }))
    const bytes = index(4, entries.length, entries)
    const { ms, bytes: used } = cost(() => expect(readIndex(bytes).gitlinks).toEqual([]))
    expect(ms).toBeLessThan(SOON_MS)
    expect(used).toBeLessThan(LITTLE_BYTES)
  })

  it('is read in bounded time with three million entries, and says that these are too many repositories', () => {
    const names = Array.from({ length: 100_000 }, (_, i) =>
      entry(`${i}`.padStart(6, '0'), 6, { removed: i === 0 ? 0 : 6 }),
    )
    const bytes = index(4, names.length, names)
    const { ms } = cost(() => expect(readIndex(bytes).gitlinks).toBe('too many'))
    expect(ms).toBeLessThan(SOON_MS)
    expect(readIndex(index(4, 3_000_000, names)).gitlinks).toBe('too many')
  })

  it('is not read where it is larger than any that people have', () => {
    writeFileSync(at('.git/index'), index(2, 1, [entry('a', 1)]))
    expect(gitlinksOf(at('.git')).names).toEqual(['a'])
    truncateSync(at('.git/index'), 1024 ** 3)
    expect(cost(() => expect(gitlinksOf(at('.git')).names).toBe('too many')).bytes).toBeLessThan(LITTLE_BYTES)
  })

  it('costs little where a thousand names lie nine hundred directories deep', () => {
    const deep = Array.from({ length: 900 }, () => 'd').join('/')
    mkdirSync(at(deep), { recursive: true })
    const names = Array.from({ length: 1_000 }, (_, i) => `${deep}/${i}`)
    writeFileSync(
      at('.git/index'),
      index(
        2,
        names.length,
        names.map((name) => entry(name, name.length)),
      ),
    )
    expect(cost(() => expect(nestedRepositories(top, at('.git')).isComplete).toBe(false)).ms).toBeLessThan(SOON_MS)
  })
})
