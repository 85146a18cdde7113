import { spawn } from 'node:child_process'
import { readdirSync, rmdirSync, rmSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isErrno } from './entry.js'
import { withinOwn } from './own-directory.js'

/** Removes a tree of ours, whatever modes its directories have and however deep a command has dug. Nothing there is fine. */
export async function removeTree(directory: string): Promise<void> {
  try {
    await rm(directory, { recursive: true, force: true })
  } catch {
    await removeByWalking(directory)
  }
}

/** Node names everything by its whole path, which the host does not take past 4,096 bytes; these go down step by step. */
const WALKING = 'chmod -R u+rwx -- "$1" 2>/dev/null; exec rm -rf -- "$1"'

function removeByWalking(directory: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn('sh', ['-c', WALKING, 'sh', directory], {
      stdio: 'ignore',
      env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' },
    })
    child.on('error', reject)
    child.on('close', (status) =>
      status === 0 ? resolve() : reject(new Error(`${directory} could not be removed: rm ended with ${status}`)),
    )
  })
}

/** Removes a vault that holds nothing but the `.gitignore` it has inside a workspace. */
export function removeIfUnused(vault: string): Promise<void> {
  return withinOwn(vault, (own) => {
    const inside = own.inside('')
    const names = readdirSync(inside)
    if (!names.every((name) => name === '.gitignore')) return
    for (const name of names) rmSync(join(inside, name))
    try {
      rmdirSync(vault)
    } catch (error) {
      if (!isErrno(error, 'ENOENT', 'ENOTEMPTY', 'ENOTDIR')) throw error
    }
  })
}
