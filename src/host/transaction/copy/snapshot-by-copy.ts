import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Plan, Securing } from '../../../core/model/policy/plan.js'
import type { AttributeClient } from '../attributes/attributes.js'
import { writtenByOthers } from '../paths/open-writers.js'
import { below, type RawPath, raw } from '../paths/raw-path.js'
import { identityOf } from '../paths/root-identity.js'
import type { StoredRecord } from '../undo-store/journal.js'
import type { LocationCache } from '../undo-store/location-cache.js'
import { ownPathsIn } from '../undo-store/locations.js'
import { openRoots, type RootPaths } from '../undo-store/open-roots.js'
import type { ActiveSnapshot, Changed } from '../undo-store/snapshot-port.js'
import type { Step } from '../undo-store/step.js'
import { copyChanges, directoryChanges, withOtherNames } from './changes-since-snapshot.js'
import { scopeOf } from './scope.js'
import {
  bytesOf,
  copyImages,
  directoryAttributes,
  manifestOf,
  readSnapshot,
  type Snapshot,
  type SnapshotScope,
  writeSnapshot,
} from './snapshot.js'
import { resolved } from './uncertain-files.js'

export interface CopyRequest {
  readonly id: string
  readonly plan: Plan
  readonly rootPaths: readonly RootPaths[]
  readonly securing: Securing
  readonly attributeClient: AttributeClient
}

export const copyRootPaths = (plan: Plan, placement: LocationCache): readonly RootPaths[] => {
  const { storePath } = placement.of(plan.workspace, [plan.workspace])
  return [{ root: plan.workspace, storePath, scratch: storePath, identity: identityOf(plan.workspace) }]
}

const NOTHING: Snapshot = { entries: new Map(), attributes: new Map() }

/**
 * Copies all files in scope before the command runs, on hosts and profiles without overlays. Rejects with a sentence if
 * they exceed the limit or are unreadable.
 */
export async function snapshotByCopy({
  id,
  plan,
  rootPaths,
  securing,
  attributeClient,
}: CopyRequest): Promise<ActiveSnapshot> {
  const wanted = wantedIn(rootPaths, securing.scope, plan.workspace)
  const before = await snapshotsOf(rootPaths, wanted, attributeClient)
  const bytes = before.reduce((sum, { entries }) => sum + bytesOf(entries), 0)
  if (bytes > securing.maxBytes) {
    throw new Error(
      `the files in scope have ${bytes} bytes, more than \`transaction.max_bytes\` (${securing.maxBytes})`,
    )
  }
  for (const [index, { root, storePath }] of rootPaths.entries()) {
    const job = join(storePath, id, String(index))
    mkdirSync(join(job, 'staged'), { recursive: true, mode: 0o700 })
    const snapshot = before[index] ?? NOTHING
    // Written first, so that recovery can restore modes that the copying changes.
    writeSnapshot(join(job, 'manifest'), snapshot)
    await copyImages(root, job, snapshot.entries)
  }
  return {
    plan,
    inTree: true,
    changes: async () => withoutTheirs(await stepsSince({ id, rootPaths, before, wanted, attributeClient }), rootPaths),
    release: () => {},
  }
}

/**
 * Leaves out steps of files that another process still writes after the command. A copy cannot tell who changed a file.
 */
function withoutTheirs(steps: readonly Step[], rootPaths: readonly RootPaths[]): Changed {
  const open = rootPaths.map(({ root }) => (steps.length === 0 ? new Set<RawPath>() : writtenByOthers(root)))
  const isTheirs = ({ root, path, after }: Step): boolean => after?.type === 'file' && open[root]?.has(path) === true
  const theirs = steps.filter(isTheirs).map(({ root, path }) => below(raw(rootPaths[root]?.root ?? ''), path))
  return { steps: steps.filter((step) => !isTheirs(step)), conflicts: [], theirs }
}

/** Returns the changes of a copied transaction whose engine died. Empty if it died before the command began. */
export async function interruptedCopy(
  { id, adapter, rootPaths, workspace, scope }: StoredRecord,
  attributeClient: AttributeClient,
): Promise<readonly Step[]> {
  if (adapter !== 'copy') return []
  try {
    const before = rootPaths.map(({ storePath }, index) => readSnapshot(join(storePath, id, String(index), 'manifest')))
    return await stepsSince({ id, rootPaths, before, wanted: wantedIn(rootPaths, scope, workspace), attributeClient })
  } catch {
    return []
  }
}

const wantedIn = (
  rootPaths: readonly RootPaths[],
  scope: readonly string[],
  workspace: string,
): readonly SnapshotScope[] => {
  const inScope = scopeOf(scope, workspace, rootPaths)
  return rootPaths.map(({ root, storePath }, index) => ({
    inScope: (path: RawPath) => inScope(index, path),
    ours: ownPathsIn(root, [storePath]),
  }))
}

async function snapshotsOf(
  rootPaths: readonly RootPaths[],
  wanted: readonly SnapshotScope[],
  attributeClient: AttributeClient,
): Promise<readonly Snapshot[]> {
  const openedRoots = openRoots(rootPaths)
  try {
    const snapshots: Snapshot[] = []
    for (const [index, one] of wanted.entries()) {
      const entries = await manifestOf(openedRoots.tree(index), one)
      snapshots.push({
        entries,
        attributes: await directoryAttributes(openedRoots.tree(index), entries, attributeClient),
      })
    }
    return snapshots
  } finally {
    openedRoots.close()
  }
}

interface Since {
  readonly id: string
  readonly rootPaths: readonly RootPaths[]
  readonly before: readonly Snapshot[]
  readonly wanted: readonly SnapshotScope[]
  readonly attributeClient: AttributeClient
}

async function stepsSince({ id, rootPaths, before, wanted, attributeClient }: Since): Promise<readonly Step[]> {
  const now = await snapshotsOf(rootPaths, wanted, attributeClient)
  const steps: Step[] = []
  for (const [root, was] of before.entries()) {
    const is = now[root] ?? NOTHING
    const home = `${id}/${root}`
    const certain = await resolved(copyChanges(root, home, was, is), rootPaths, attributeClient)
    const files = withOtherNames(certain, home, was, is)
    steps.push(...files, ...directoryChanges(root, was, is, files))
  }
  return steps
}
