import { closeSync, constants, openSync, readSync } from 'node:fs'
import { type AttributeClient, sameAttributes } from '../attributes/attributes.js'
import { sameVersion } from '../paths/entry.js'
import { withOwnerAccess } from '../paths/owner-access.js'
import { parentOf } from '../paths/raw-path.js'
import { type OpenRoots, openRoots, type RootPaths } from '../undo-store/open-roots.js'
import type { Step } from '../undo-store/step.js'

/**
 * Compares uncertain files with their copies. A changed ctime or mode can mean another name, other attributes, or new
 * content with the old time.
 */
export async function resolved(
  steps: readonly Step[],
  rootPaths: readonly RootPaths[],
  attributeClient: AttributeClient,
): Promise<readonly Step[]> {
  const openedRoots = openRoots(rootPaths)
  try {
    const certain: Step[] = []
    for (const step of steps) {
      if (!isDoubtful(step)) certain.push(step)
      else if (!(await asCopied(step, openedRoots, attributeClient))) certain.push({ ...step, act: 'put' })
      else if (step.before?.mode !== step.after?.mode) certain.push({ ...step, act: 'meta', from: null, keep: null })
    }
    return certain
  } finally {
    openedRoots.close()
  }
}

const isDoubtful = ({ act, before, after }: Step): boolean =>
  act === 'put' &&
  before?.type === 'file' &&
  after !== null &&
  before.uid === after.uid &&
  before.gid === after.gid &&
  sameVersion({ ...before, mode: after.mode }, after)

async function asCopied(
  { root, path, keep }: Step,
  openedRoots: OpenRoots,
  attributeClient: AttributeClient,
): Promise<boolean> {
  if (keep === null) return false
  const places = [openedRoots.tree(root).at(path), openedRoots.stored(root, keep)] as const
  return withOwnerAccess(openedRoots.tree(root), [parentOf(path)], async () => {
    const [now, was] = await attributeClient.read(places)
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
