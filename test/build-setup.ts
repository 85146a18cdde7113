import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'

/**
 * Builds the binary that tests start, if its sources changed. A failed build fails those tests by itself, so the
 * others still run.
 */
export function setup(): void {
  const words = [resolve(import.meta.dirname, '../script/setup'), ['--only-build'], { encoding: 'utf8' }] as const
  const { status, stderr } = spawnSync(...words)
  if (status !== 0) process.stderr.write(`dist/ could not be built:\n${stderr}\n`)
}
