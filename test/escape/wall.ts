import type { Launcher } from '../../src/engine/ports.js'
import { createBubblewrap } from '../../src/host/launch/bubblewrap.js'
import { attackedWall } from './attacked-wall.js'
import { fileAttacks } from './wall-files.js'
import { gitAttacks } from './wall-git.js'
import { kernelDoors } from './wall-kernel.js'
import { networkDoors } from './wall-network.js'
import { processAttacks } from './wall-processes.js'

/** Attacks on the wall, each really tried. Run as whoever runs the tests, and once more as an ordinary user. */
export function wallAttacks(who: string, create: () => Launcher = createBubblewrap): void {
  const wall = attackedWall(create)
  for (const attacks of [fileAttacks, kernelDoors, processAttacks, networkDoors, gitAttacks]) attacks(who, wall)
}
