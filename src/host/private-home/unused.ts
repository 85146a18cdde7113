import { lstatSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LIMITS } from '../../core/model/basics/limits.js'
import { finishRemovals, removeTree } from './remove.js'
import { lastUseOf, usersOf } from './uses.js'

const CLEANED = '.cleaned'
const CLEAN_EVERY_MS = 24 * 60 * 60 * 1000
/** Limit of entries in one tree of /tmp; a larger tree counts as used. */
const MAX_LOOKS = 10_000

function lastUse(path: string): number {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  return stats === undefined ? 0 : Math.max(stats.mtimeMs, stats.ctimeMs)
}

function namesIn(path: string): readonly string[] {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}

/** Reports whether a tree did not change since a time. */
function isOlder(path: string, time: number): boolean {
  const queue = [path]
  for (let looks = 0; queue.length > 0; looks += 1) {
    const next = queue.pop() ?? path
    if (looks > MAX_LOOKS || lastUse(next) > time) return false
    if (lstatSync(next, { throwIfNoEntry: false })?.isDirectory())
      queue.push(...namesIn(next).map((name) => join(next, name)))
  }
  return true
}

/**
 * Removes homes without a command for `LIMITS.homeAgeMs`, and entries of their /tmp older than `LIMITS.tmpAgeMs`. Stops
 * at an inaccessible directory; the command itself reports the reason.
 */
export function removeUnused(directory: string, now: number): void {
  try {
    removeOlder(directory, now)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'EACCES' && code !== 'EROFS') throw error
  }
}

function removeOlder(directory: string, now: number): void {
  if (now - lastUse(join(directory, CLEANED)) < CLEAN_EVERY_MS || lastUse(directory) === 0) return
  writeFileSync(join(directory, CLEANED), '')
  finishRemovals(directory)
  for (const name of namesIn(directory).filter((one) => !one.startsWith('.'))) {
    const root = join(directory, name)
    if (usersOf(root).length > 0) continue
    if (lastUseOf(root) < now - LIMITS.homeAgeMs) removeTree(root)
    else cleanTmp(join(root, 'tmp'), now - LIMITS.tmpAgeMs)
  }
}

function cleanTmp(tmp: string, time: number): void {
  for (const agent of namesIn(tmp)) {
    const directory = join(tmp, agent)
    finishRemovals(directory)
    for (const name of namesIn(directory)) if (isOlder(join(directory, name), time)) removeTree(join(directory, name))
  }
}
