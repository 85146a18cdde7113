import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { ownTemporaryDirectory } from './left-files.js'
import { markedRun } from './left-running.js'

const run = {
  leftRunning: async (): Promise<readonly string[]> => [],
  leftFiles: (): readonly string[] => [],
}

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
  run.leftFiles = ownTemporaryDirectory()
}

/** Processes and temporary files that the run has left behind are named; with CORDON_LEAKS=fail they fail it. */
export async function teardown(): Promise<void> {
  tell('Processes of this run are still running', await run.leftRunning())
  tell('Temporary files of this run were not removed', run.leftFiles())
}

function tell(what: string, left: readonly string[]): void {
  if (left.length === 0) return
  process.stderr.write(`${what}:\n${left.join('\n')}\n`)
  // An error thrown here would be shown, and the run would still count as passed.
  if (process.env.CORDON_LEAKS === 'fail') process.exitCode = 1
}
