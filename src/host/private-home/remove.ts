import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, lstatSync, readdirSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'

const REMOVED = '.removed-'

/**
 * Removes a directory that commands could write. Renames it first, so that no command sees it half removed. Changes
 * restrictive modes and never follows symlinks.
 */
export function removeTree(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return
  const removed = join(dirname(path), `${REMOVED}${randomUUID()}`)
  renameSync(path, removed)
  destroy(removed)
}

/** Removes what a process that died has left half removed. */
export function finishRemovals(directory: string): void {
  for (const name of existsSync(directory) ? readdirSync(directory) : []) {
    if (name.startsWith(REMOVED)) destroy(join(directory, name))
  }
}

/** Uses programs that need no stack and no whole path: a command can make a tree of any depth. */
function destroy(path: string): void {
  const run = (program: string, ...args: string[]): number | null =>
    spawnSync(program, [...args, '--', path], { stdio: 'ignore' }).status
  if (run('/bin/rm', '-rf') === 0) return
  run('/bin/chmod', '-R', 'u+rwX')
  run('/bin/rm', '-rf')
}
