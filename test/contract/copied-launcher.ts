import type { Plan } from '../../src/core/model/plan.js'
import type { Launcher, LaunchIo } from '../../src/engine/ports.js'
import { createBubblewrap } from '../../src/host/launch/bubblewrap.js'

/** A launcher whose every command that can runs in a copy of a wall: before each, one is made to wait for it. */
export interface CopiedLauncher extends Launcher {
  /** How many did. */
  readonly copied: number
}

export function createCopied(): CopiedLauncher {
  const inner = createBubblewrap({ warm: 1 })
  let copied = 0
  const launch = async (plan: Plan, io: LaunchIo) => {
    if (plan.sandbox.kind === 'bubblewrap') {
      const rehearsal = { ...plan, argv: ['/bin/bash', '-c', ':'], timeoutMs: null }
      const quiet = { stdin: 'closed', signal: io.signal, onChunk: () => undefined, onStart: () => undefined } as const
      await inner.launch(rehearsal, quiet)
      const kind = await inner.readied(plan)
      if (kind === 'built') throw new Error('a wall could not be copied')
      if (kind === 'copied') copied += 1
    }
    return inner.launch(plan, io)
  }
  return {
    probe: () => inner.probe(),
    launch,
    close: () => inner.close(),
    get copied() {
      return copied
    },
  }
}
