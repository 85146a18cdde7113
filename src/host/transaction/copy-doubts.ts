import { closeSync, constants, openSync, readSync } from 'node:fs'
import { type AttributeDesk, sameAttributes } from './attributes.js'
import { sameVersion } from './entry.js'
import { type Footing, type Ground, openGround } from './ground.js'
import { lending } from './lend.js'
import { parentOf } from './raw-path.js'
import type { Step } from './step.js'

/**
 * A file whose time of change alone is another may have been given another name, or have other attributes, or other content under the old
 * time; one with another mode as well. Its copy tells.
 */
export async function resolved(
  steps: readonly Step[],
  footings: readonly Footing[],
  desk: AttributeDesk,
): Promise<readonly Step[]> {
  const ground = openGround(footings)
  try {
    const certain: Step[] = []
    for (const step of steps) {
      if (!isDoubtful(step)) certain.push(step)
      else if (!(await asCopied(step, ground, desk))) certain.push({ ...step, act: 'put' })
      else if (step.before?.mode !== step.after?.mode) certain.push({ ...step, act: 'meta', from: null, keep: null })
    }
    return certain
  } finally {
    ground.close()
  }
}

const isDoubtful = ({ act, before, after }: Step): boolean =>
  act === 'put' &&
  before?.type === 'file' &&
  after !== null &&
  before.uid === after.uid &&
  before.gid === after.gid &&
  sameVersion({ ...before, mode: after.mode }, after)

async function asCopied({ root, path, keep }: Step, ground: Ground, desk: AttributeDesk): Promise<boolean> {
  if (keep === null) return false
  const places = [ground.tree(root).at(path), ground.vault(root, keep)] as const
  return lending(ground.tree(root), [parentOf(path)], async () => {
    const [now, was] = await desk.read(places)
    return (!now || !was || sameAttributes(now, was)) && sameContent(...places)
  })
}

const CHUNK = 1024 * 1024

function sameContent(a: Buffer, b: Buffer): boolean {
  const open: number[] = []
  try {
    for (const place of [a, b])
      open.push(openSync(place, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK))
    return sameBytes(open[0] ?? -1, open[1] ?? -1)
  } catch {
    // Closed to its owner by the command: another version, to be sure.
    return false
  } finally {
    for (const descriptor of open) closeSync(descriptor)
  }
}

function sameBytes(a: number, b: number): boolean {
  const [first, second] = [Buffer.allocUnsafe(CHUNK), Buffer.allocUnsafe(CHUNK)]
  for (;;) {
    const [one, two] = [readSync(a, first), readSync(b, second)]
    if (one !== two || !first.subarray(0, one).equals(second.subarray(0, two))) return false
    if (one === 0) return true
  }
}
