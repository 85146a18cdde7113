import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Plan, Securing } from '../../core/model/plan.js'
import type { AttributeDesk } from './attributes.js'
import { copyChanges, directoryChanges, withOtherNames } from './copy-changes.js'
import { resolved } from './copy-doubts.js'
import { type Footing, openGround } from './ground.js'
import type { StoredRecord } from './journal.js'
import { writtenByOthers } from './others.js'
import { oursIn } from './place.js'
import type { Placement } from './placement.js'
import { below, type RawPath, raw } from './raw-path.js'
import { identityOf } from './root-identity.js'
import { scopeOf } from './scope.js'
import type { Changed, Secured } from './secured.js'
import {
  bytesOf,
  copyImages,
  directoryAttributes,
  manifestOf,
  readSnapshot,
  type Snapshot,
  type Wanted,
  writeSnapshot,
} from './snapshot.js'
import type { Step } from './step.js'

export interface CopyRequest {
  readonly id: string
  readonly plan: Plan
  readonly footings: readonly Footing[]
  readonly securing: Securing
  readonly desk: AttributeDesk
}

export const copyFootings = (plan: Plan, placement: Placement): readonly Footing[] => {
  const { vault } = placement.of(plan.workspace, [plan.workspace])
  return [{ root: plan.workspace, vault, scratch: vault, identity: identityOf(plan.workspace) }]
}

const NOTHING: Snapshot = { entries: new Map(), attributes: new Map() }

/**
 * Copies everything in scope before the command runs, for hosts and profiles without a wall to mount an overlay in. Rejects with a
 * plain sentence when that is more than the limit or cannot be read.
 */
export async function secureByCopy({ id, plan, footings, securing, desk }: CopyRequest): Promise<Secured> {
  const wanted = wantedIn(footings, securing.scope, plan.workspace)
  const before = await snapshotsOf(footings, wanted, desk)
  const bytes = before.reduce((sum, { entries }) => sum + bytesOf(entries), 0)
  if (bytes > securing.maxBytes) {
    throw new Error(`the files in scope are ${bytes} bytes, and no more than ${securing.maxBytes} are copied`)
  }
  for (const [index, { root, vault }] of footings.entries()) {
    const job = join(vault, id, String(index))
    mkdirSync(join(job, 'staged'), { recursive: true, mode: 0o700 })
    const snapshot = before[index] ?? NOTHING
    // First, so that modes which are changed for the copying are put back by whoever finds this, should the process die.
    writeSnapshot(join(job, 'manifest'), snapshot)
    await copyImages(root, job, snapshot.entries)
  }
  return {
    plan,
    inTree: true,
    changes: async () => withoutTheirs(await stepsSince({ id, footings, before, wanted, desk }), footings),
    release: () => {},
  }
}

/** A copy does not tell who changed a file. One that somebody still writes to, though the command is over, is not taken for the command's. */
function withoutTheirs(steps: readonly Step[], footings: readonly Footing[]): Changed {
  const open = footings.map(({ root }) => (steps.length === 0 ? new Set<RawPath>() : writtenByOthers(root)))
  const isTheirs = ({ root, path, after }: Step): boolean => after?.type === 'file' && open[root]?.has(path) === true
  const theirs = steps.filter(isTheirs).map(({ root, path }) => below(raw(footings[root]?.root ?? ''), path))
  return { steps: steps.filter((step) => !isTheirs(step)), conflicts: [], theirs }
}

/** What a copied transaction had changed when its process died. Nothing, if it died before the command began. */
export async function interruptedCopy(
  { id, adapter, footings, workspace, scope }: StoredRecord,
  desk: AttributeDesk,
): Promise<readonly Step[]> {
  if (adapter !== 'copy') return []
  try {
    const before = footings.map(({ vault }, index) => readSnapshot(join(vault, id, String(index), 'manifest')))
    return await stepsSince({ id, footings, before, wanted: wantedIn(footings, scope, workspace), desk })
  } catch {
    return []
  }
}

const wantedIn = (footings: readonly Footing[], scope: readonly string[], workspace: string): readonly Wanted[] => {
  const inScope = scopeOf(scope, workspace, footings)
  return footings.map(({ root, vault }, index) => ({
    inScope: (path: RawPath) => inScope(index, path),
    ours: oursIn(root, [vault]),
  }))
}

async function snapshotsOf(
  footings: readonly Footing[],
  wanted: readonly Wanted[],
  desk: AttributeDesk,
): Promise<readonly Snapshot[]> {
  const ground = openGround(footings)
  try {
    const snapshots: Snapshot[] = []
    for (const [index, one] of wanted.entries()) {
      const entries = await manifestOf(ground.tree(index), one)
      snapshots.push({ entries, attributes: await directoryAttributes(ground.tree(index), entries, desk) })
    }
    return snapshots
  } finally {
    ground.close()
  }
}

interface Since {
  readonly id: string
  readonly footings: readonly Footing[]
  readonly before: readonly Snapshot[]
  readonly wanted: readonly Wanted[]
  readonly desk: AttributeDesk
}

async function stepsSince({ id, footings, before, wanted, desk }: Since): Promise<readonly Step[]> {
  const now = await snapshotsOf(footings, wanted, desk)
  const steps: Step[] = []
  for (const [root, was] of before.entries()) {
    const is = now[root] ?? NOTHING
    const home = `${id}/${root}`
    const certain = await resolved(copyChanges(root, home, was, is), footings, desk)
    const files = withOtherNames(certain, home, was, is)
    steps.push(...files, ...directoryChanges(root, was, is, files))
  }
  return steps
}
