import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { markedRun } from './left-running.js'

const run = { leftRunning: async (): Promise<readonly string[]> => [] }

/**
 * Once per run: the binary that tests start is built from the sources they test. Nothing is done when it is. A build that fails
 * fails those tests by itself; the others need not wait for it to be mended.
 */
export function setup(): void {
  const { status, stderr } = spawnSync(resolve(import.meta.dirname, '../script/setup'), ['--only-build'], {
    encoding: 'utf8',
  })
  if (status !== 0) process.stderr.write(`dist/ could not be brought up to date:\n${stderr}\n`)
  run.leftRunning = markedRun()
}

/** Processes that the run has left behind are named; with CORDON_LEAKS=fail they fail it. */
export async function teardown(): Promise<void> {
  const left = await run.leftRunning()
  if (left.length === 0) return
  process.stderr.write(`Processes of this run are still running:\n${left.join('\n')}\n`)
  // An error thrown here would be shown, and the run would still count as passed.
  if (process.env.CORDON_LEAKS === 'fail') process.exitCode = 1
}
