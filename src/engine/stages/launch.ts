import type { Plan } from '../../core/model/policy/plan.js'
import type { Ports } from '../ports/ports.js'
import { ignore } from '../tasks/caller-events.js'
import type { Run } from '../tasks/tasks.js'
import type { Launched } from './nouns.js'
import type { Output } from './output.js'

/** Starts what the plan says, and settles when nothing of it runs any more. */
export async function launch(plan: Plan, output: Output, run: Run, ports: Ports): Promise<Launched> {
  const { log, launchers, now } = ports
  const startedAt = now()
  const launcher = plan.sandbox.kind === 'none' ? launchers.none : launchers.bubblewrap
  run.state = 'running'
  let stopInterrupts = ignore
  const launched = launcher.launch(plan, {
    ...output.io,
    signal: run.abort.signal,
    onStart(process) {
      run.process = process
      stopInterrupts = output.passInterrupts(process)
      log('debug', 'process', { id: run.id, pid: process.pid })
      output.announce()
      for (const text of run.early.splice(0)) text === null ? process.endInput() : process.write(text)
    },
  })
  const ending = await launched.finally(() => stopInterrupts())
  // A command may be over before the host could tell that it had begun.
  output.announce()
  return { ending, plan, startedAt }
}
