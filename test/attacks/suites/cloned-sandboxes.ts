import { expect, it } from 'vitest'
import { createBubblewrap } from '../../../src/host/launch/bubblewrap.js'
import { type ClonedLauncher, createCopied } from '../../contract/cloned-launcher.js'
import {
  launchAndCollect,
  planOf,
  removeDirectory,
  sandboxAround,
  temporaryDirectory,
} from '../../contract/launcher-plan.js'
import { maskAttacks } from './masks.js'
import { sandboxAttacks } from './sandbox.js'
import { unixSocketAttacks } from './unix-sockets.js'

/** Prints the command's user and the owners of files. */
const WHO = [
  'echo $UID $EUID ${GROUPS[@]} $SHELL; id; grep -E "^(Uid|Gid|Groups|Cap)" /proc/self/status',
  'tr -s " " < /proc/self/uid_map | cut -d " " -f 2,4',
  'stat -c "%n %u %g %a" . / /tmp /dev /dev/pts /dev/shm /proc /proc/self /proc/1 /etc/passwd',
  'touch mine; stat -c "%u %g" mine; rm mine',
].join('; ')

/** Repeats the attacks on a built sandbox on clones. */
export function cloneAttacks(who: string): void {
  const launchers: ClonedLauncher[] = []
  const create = (): ClonedLauncher => {
    const launcher = createCopied()
    launchers.push(launcher)
    return launcher
  }
  sandboxAttacks(`${who}, in a copy`, create)
  maskAttacks(`${who}, in a copy`, create)
  unixSocketAttacks(`${who}, in a copy`, create)
  it(`${who}, a command in a clone is the same user as in a built sandbox`, async () => {
    const workspace = temporaryDirectory()
    const plan = planOf(workspace, sandboxAround(workspace), { script: WHO })
    const built = createBubblewrap()
    const cloned = create()
    try {
      const inBuilt = (await launchAndCollect(built, plan)).stdout.toString()
      expect((await launchAndCollect(cloned, plan)).stdout.toString()).toBe(inBuilt)
      expect(inBuilt).toMatch(new RegExp(`^${process.getuid?.()} ${process.getuid?.()} `))
    } finally {
      await Promise.all([built.close(), cloned.close()])
      removeDirectory(workspace)
    }
  })
  it('all of these sandboxes were clones', () => {
    expect(launchers.map(({ cloned }) => cloned > 0)).toEqual(launchers.map(() => true))
  })
}
