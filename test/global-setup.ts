import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'

/**
 * Once per run: the binary that tests start is built from the sources they test. Nothing is done when it is. A build that fails
 * fails those tests by itself; the others need not wait for it to be mended.
 */
export function setup(): void {
  const { status, stderr } = spawnSync(resolve(import.meta.dirname, '../script/setup'), ['--only-build'], {
    encoding: 'utf8',
  })
  if (status !== 0) process.stderr.write(`dist/ could not be brought up to date:\n${stderr}\n`)
}
