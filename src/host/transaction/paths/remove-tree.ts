import { spawn } from 'node:child_process'
import { readdirSync, rmdirSync, rmSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { helperScript } from '../../helper-scripts/helper-script.js'
import { isErrno } from './entry.js'
import { withinOwn } from './own-directory.js'

/** Removes a tree of Cordon, with any modes and any depth. No-op if it does not exist. */
export async function removeTree(directory: string): Promise<void> {
  try {
    await rm(directory, { recursive: true, force: true })
  } catch {
    await removeByWalking(directory)
  }
}

/** Removes a tree by relative names, because the host limits a whole path to 4,096 bytes. */
function removeByWalking(directory: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn('sh', ['-c', helperScript('remove-tree.sh'), 'sh', directory], {
      stdio: 'ignore',
      env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' },
    })
    child.on('error', reject)
    child.on('close', (status) =>
      status === 0 ? resolve() : reject(new Error(`cannot remove ${directory}: rm failed with status ${status}`)),
    )
  })
}

/** Removes an undo store that contains only its `.gitignore`. */
export function removeIfUnused(store: string): Promise<void> {
  return withinOwn(store, (own) => {
    const inside = own.inside('')
    const names = readdirSync(inside)
    if (!names.every((name) => name === '.gitignore')) return
    for (const name of names) rmSync(join(inside, name))
    try {
      rmdirSync(store)
    } catch (error) {
      if (!isErrno(error, 'ENOENT', 'ENOTEMPTY', 'ENOTDIR')) throw error
    }
  })
}
