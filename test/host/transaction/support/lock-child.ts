import { existsSync, mkdirSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import { textOf } from '../../../../src/host/transaction/paths/process-identity.js'
import { Locks } from '../../../../src/host/transaction/undo-store/root-locks.js'

/**
 * node lock-child.mjs <directory> <root> <rounds> <lock of the root>: takes the lock again and again, and each time
 * leaves it to a process that is dead. Says `both` if another was in at the same time.
 */
const [, , directory = '', root = '', rounds = '', lock = ''] = process.argv
const locks = new Locks(join(directory, 'locks'))
const inside = join(directory, 'inside')
while (!existsSync(join(directory, 'go'))) await new Promise(setImmediate)
for (let round = 0; round < Number(rounds); round += 1) {
  await locks.during([root], async () => {
    try {
      mkdirSync(inside)
      await new Promise((resolve) => setTimeout(resolve, 1))
      rmdirSync(inside)
    } catch {
      process.stdout.write('both\n')
    }
  })
  // As if it had been killed while it held the lock.
  leave()
}
process.stdout.write('done\n')

function leave(): void {
  const dead = textOf({ pid: process.pid, started: `00000000-0000-0000-0000-000000000000 ${Math.random()}` })
  try {
    mkdirSync(lock)
    mkdirSync(join(lock, dead))
  } catch {
    // Another holds it.
  }
}
