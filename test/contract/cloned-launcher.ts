import type { Plan } from '../../src/core/model/policy/plan.js'
import type { Launcher, LaunchIo } from '../../src/engine/ports/ports.js'
import { createBubblewrap } from '../../src/host/launch/bubblewrap.js'

/** Launcher whose commands run in clones if possible. Before each command it waits until a clone is ready. */
export interface ClonedLauncher extends Launcher {
  /** Number of commands that ran in a clone. */
  readonly cloned: number
}

export function createCopied(): ClonedLauncher {
  const inner = createBubblewrap({ warm: 1 })
  let cloned = 0
  const launch = async (plan: Plan, io: LaunchIo) => {
    if (plan.sandbox.kind === 'bubblewrap') {
      const trialPlan = { ...plan, argv: ['/bin/bash', '-c', ':'], timeoutMs: null }
      const quiet = { stdin: 'closed', signal: io.signal, onChunk: () => undefined, onStart: () => undefined } as const
      await inner.launch(trialPlan, quiet)
      const kind = await inner.whenReady(plan)
      if (kind === 'built') throw new Error('a sandbox could not be cloned')
      if (kind === 'cloned') cloned += 1
    }
    return inner.launch(plan, io)
  }
  return {
    probe: () => inner.probe(),
    launch,
    close: () => inner.close(),
    get cloned() {
      return cloned
    },
  }
}
