import { createBubblewrap } from '../../../src/host/launch/bubblewrap.js'
import { launcherContract } from '../../contract/launcher.js'
import { sandboxAround } from '../../contract/launcher-plan.js'
import { bindRaces } from '../suites/bind-race.js'
import { environmentAttacks } from '../suites/environment.js'
import { kernelAttacks } from '../suites/kernel-attacks.js'
import { maskAttacks } from '../suites/masks.js'
import { networkAttacks } from '../suites/network.js'
import { networkTools } from '../suites/network-tools.js'
import { sandboxAttacks } from '../suites/sandbox.js'
import { networkInTransaction } from '../support/network-in-transaction.js'
import { plantedPaths } from '../support/planted-paths.js'

const NOBODY = 65_534
/** Switches this process to an ordinary user. vitest gives every file its own process. */
if (process.getuid?.() === 0) {
  process.setgroups?.([])
  process.setgid?.(NOBODY)
  process.setuid?.(NOBODY)
}

sandboxAttacks('as an ordinary user')
bindRaces('as an ordinary user')
environmentAttacks('as an ordinary user')
kernelAttacks('as an ordinary user')
maskAttacks('as an ordinary user')
networkAttacks('as an ordinary user')
networkInTransaction('as an ordinary user')
networkTools('as an ordinary user')
plantedPaths('as an ordinary user')
launcherContract('bubblewrap as an ordinary user', {
  create: () => createBubblewrap(),
  sandbox: (workspace) => sandboxAround(workspace),
  otherSandbox: () => ({ kind: 'none' }),
  added: [],
})
