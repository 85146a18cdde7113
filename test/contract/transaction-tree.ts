import { createHash } from 'node:crypto'
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'

/**
 * Describes a tree completely: type, mode, owner, content, time to the nanosecond, and hard links. Opens directories
 * that are locked to their owner meanwhile, so that an ordinary user sees as much as root.
 */
export function treeOf(root: string): Readonly<Record<string, string>> {
  const closed: { readonly at: Buffer; readonly mode: number }[] = []
  try {
    return readTree(root, (at, mode) => {
      closed.push({ at, mode })
      chmodSync(at, mode | 0o700)
    })
  } finally {
    for (const { at, mode } of closed.reverse()) chmodSync(at, mode)
  }
}

function readTree(root: string, open: (at: Buffer, mode: number) => void): Readonly<Record<string, string>> {
  const found: Record<string, string> = {}
  const groups = new Map<bigint, string>()
  const pending = ['']
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    const bytes = Buffer.from(`${root}/${path}`, 'latin1')
    const stats = lstatSync(path === '' ? root : bytes, { bigint: true })
    if (stats.isDirectory()) {
      const mode = Number(stats.mode & 0o7777n)
      if ((mode & 0o500) !== 0o500 && process.geteuid?.() !== 0) open(bytes, mode)
      const names = readdirSync(path === '' ? root : bytes, { encoding: 'latin1' })
        .sort()
        .reverse()
      for (const name of names) pending.push(path === '' ? name : `${path}/${name}`)
    }
    const content = stats.isSymbolicLink()
      ? readlinkSync(bytes)
      : stats.isFile()
        ? createHash('sha1').update(readFileSync(bytes)).digest('hex')
        : ''
    const linked = stats.isFile() && stats.nlink > 1n ? (groups.get(stats.ino) ?? path) : ''
    if (linked !== '') groups.set(stats.ino, linked)
    const kind = stats.mode.toString(8)
    found[path] = [kind, stats.uid, stats.gid, stats.mtimeNs, content, linked].join(' ')
  }
  return found
}

/** Describes a tree without times, for changes that a command is meant to leave. */
export const shapeOf = (root: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(treeOf(root)).map(([path, line]) => {
      const [kind, uid, gid, , content, linked] = line.split(' ')
      return [path, [kind, uid, gid, content, linked].join(' ')]
    }),
  )

/** Fills a workspace with files of each kind, all older than the test. */
export function furnish(workspace: string): void {
  mkdirSync(join(workspace, 'src/deep'), { recursive: true })
  mkdirSync(join(workspace, 'empty'))
  writeFileSync(join(workspace, 'a.txt'), 'one\ntwo\nthree\n')
  writeFileSync(join(workspace, 'src/b.txt'), 'b')
  writeFileSync(join(workspace, 'src/deep/c.txt'), 'c')
  writeFileSync(join(workspace, 'linked'), 'same')
  linkSync(join(workspace, 'linked'), join(workspace, 'src/also-linked'))
  symlinkSync('a.txt', join(workspace, 'link'))
  writeFileSync(join(workspace, 'tool.sh'), '#!/bin/sh\n')
  chmodSync(join(workspace, 'tool.sh'), 0o750)
  const then = new Date(Date.now() - 3_600_000)
  for (const path of ['a.txt', 'src/b.txt', 'src/deep', 'src', 'empty', 'tool.sh', '.'])
    utimesSync(join(workspace, path), then, then)
}
