import type { Launcher } from '../../../src/engine/ports/ports.js'
import { createBubblewrap } from '../../../src/host/launch/bubblewrap.js'
import { attackedSandbox } from '../support/attacked-sandbox.js'
import { fileAttacks } from './sandbox/files.js'
import { gitAttacks } from './sandbox/git.js'
import { kernelInterfaces } from './sandbox/kernel.js'
import { networkAccess } from './sandbox/network.js'
import { processAttacks } from './sandbox/processes.js'

/** Attacks a sandbox, as the tests' user and as an ordinary user. */
export function sandboxAttacks(who: string, create: () => Launcher = createBubblewrap): void {
  const sandbox = attackedSandbox(create)
  for (const attacks of [fileAttacks, kernelInterfaces, processAttacks, networkAccess, gitAttacks])
    attacks(who, sandbox)
}
