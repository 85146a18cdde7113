import { createBubblewrap } from '../../src/host/launch/bubblewrap.js'
import { launcherContract } from '../contract/launcher.js'
import { wallAround } from '../contract/launcher-plan.js'
import { bindRaces } from './bind-race.js'
import { environmentAttacks } from './environment.js'
import { kernelAttacks } from './kernel-attacks.js'
import { maskAttacks } from './masks.js'
import { networkAttacks } from './network.js'
import { networkInTransaction } from './network-in-transaction.js'
import { networkTools } from './network-tools.js'
import { plantedPlaces } from './planted-places.js'
import { wallAttacks } from './wall.js'

const NOBODY = 65_534
/** The rest of this file's process lives as an ordinary user; vitest gives every file a process of its own. */
if (process.getuid?.() === 0) {
  process.setgroups?.([])
  process.setgid?.(NOBODY)
  process.setuid?.(NOBODY)
}

wallAttacks('as an ordinary user')
bindRaces('as an ordinary user')
environmentAttacks('as an ordinary user')
kernelAttacks('as an ordinary user')
maskAttacks('as an ordinary user')
networkAttacks('as an ordinary user')
networkInTransaction('as an ordinary user')
networkTools('as an ordinary user')
plantedPlaces('as an ordinary user')
launcherContract('bubblewrap as an ordinary user', {
  create: () => createBubblewrap(),
  wall: (workspace) => wallAround(workspace),
  otherWall: () => ({ kind: 'none' }),
  added: [],
})
