import { ownTemporaryDirectory } from './left-files.js'
import { markedRun } from './left-running.js'

const run = {
  leftRunning: async (): Promise<readonly string[]> => [],
  leftFiles: (): readonly string[] => [],
}

/**
 * Marks the processes and the temporary directory of this run, so that leftovers can be told from those of other
 * runs.
 */
export function setup(): void {
  run.leftRunning = markedRun()
  run.leftFiles = ownTemporaryDirectory()
}

/** Names the processes and temporary files that the run left behind. With CORDON_LEAKS=fail they fail it. */
export async function teardown(): Promise<void> {
  report('Processes of this run are still running', await run.leftRunning())
  report('Temporary files of this run were not removed', run.leftFiles())
}

function report(problem: string, left: readonly string[]): void {
  if (left.length === 0) return
  process.stderr.write(`${problem}:\n${left.join('\n')}\n`)
  // vitest shows an error thrown here and still counts the run as passed.
  if (process.env.CORDON_LEAKS === 'fail') process.exitCode = 1
}
