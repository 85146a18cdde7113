import { expect, it } from 'vitest'
import { createBubblewrap } from '../../src/host/launch/bubblewrap.js'
import { type CopiedLauncher, createCopied } from '../contract/copied-launcher.js'
import { launchAndHear, planOf, removeDirectory, temporaryDirectory, wallAround } from '../contract/launcher-plan.js'
import { maskAttacks } from './masks.js'
import { unixSocketAttacks } from './unix-sockets.js'
import { wallAttacks } from './wall.js'

/** Whom a command takes itself for, and whose the files around it are. */
const WHO = [
  'echo $UID $EUID ${GROUPS[@]} $SHELL; id; grep -E "^(Uid|Gid|Groups|Cap)" /proc/self/status',
  'tr -s " " < /proc/self/uid_map | cut -d " " -f 2,4',
  'stat -c "%n %u %g %a" . / /tmp /dev /dev/pts /dev/shm /proc /proc/self /proc/1 /etc/passwd',
  'touch mine; stat -c "%u %g" mine; rm mine',
].join('; ')

/** What is tried on a wall that bubblewrap built, tried once more on copies of one. */
export function copyAttacks(who: string): void {
  const launchers: CopiedLauncher[] = []
  const create = (): CopiedLauncher => {
    const launcher = createCopied()
    launchers.push(launcher)
    return launcher
  }
  wallAttacks(`${who}, in a copy`, create)
  maskAttacks(`${who}, in a copy`, create)
  unixSocketAttacks(`${who}, in a copy`, create)
  it(`${who}, a command in a copy is the user it is in a wall built for it, and nobody else`, async () => {
    const workspace = temporaryDirectory()
    const plan = planOf(workspace, wallAround(workspace), { script: WHO })
    const built = createBubblewrap()
    const copied = create()
    try {
      const inBuilt = (await launchAndHear(built, plan)).stdout.toString()
      expect((await launchAndHear(copied, plan)).stdout.toString()).toBe(inBuilt)
      expect(inBuilt).toMatch(new RegExp(`^${process.getuid?.()} ${process.getuid?.()} `))
    } finally {
      await Promise.all([built.close(), copied.close()])
      removeDirectory(workspace)
    }
  })
  it('all of these were copies', () => {
    expect(launchers.map(({ copied }) => copied > 0)).toEqual(launchers.map(() => true))
  })
}
