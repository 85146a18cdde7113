import { spawn } from 'node:child_process'
import { utimesSync } from 'node:fs'
import { helperScript } from '../../helper-scripts/helper-script.js'
import type { RawPath } from './raw-path.js'
import type { Tree } from './tree.js'

/** A directory and its time of modification in nanoseconds. */
export interface Timed {
  readonly tree: Tree
  readonly path: RawPath
  readonly mtime: string
}

/** Below the number of directories a tree keeps open. */
const BATCH = 32

/** Sets a time with the microsecond precision of Node. */
export function setTime({ tree, path, mtime }: Timed): void {
  const seconds = Number(BigInt(mtime) / 1000n) / 1e6
  utimesSync(tree.inside(path), seconds, seconds)
}

/** To the nanosecond, for directories that must be exactly as they were. `touch` does what Node cannot. */
export async function restoreTimes(times: readonly Timed[]): Promise<void> {
  const off = times.filter(({ tree, path, mtime }) => tree.entry(path)?.mtime !== mtime)
  for (let at = 0; at < off.length; at += BATCH) {
    await touch(off.slice(at, at + BATCH).flatMap(({ tree, path, mtime }) => [asSeconds(mtime), tree.inside(path)]))
  }
}

const asSeconds = (mtime: string): string => `${mtime.slice(0, -9) || '0'}.${mtime.slice(-9).padStart(9, '0')}`

function touch(args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn('sh', ['-c', helperScript('set-times.sh'), 'sh', ...args], {
      stdio: 'ignore',
      env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
    })
    child.on('error', reject)
    child.on('close', (status) => (status === 0 ? resolve() : reject(new Error(`touch failed with status ${status}`))))
  })
}
