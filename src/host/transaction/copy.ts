import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Plan, Securing } from '../../core/model/plan.js'
import { copyChanges } from './copy-changes.js'
import { type Footing, openGround } from './ground.js'
import type { StoredRecord } from './journal.js'
import { oursIn, placeFor } from './place.js'
import type { RawPath } from './raw-path.js'
import { scopeOf } from './scope.js'
import type { Secured } from './secured.js'
import { bytesOf, copyImages, type Manifest, manifestOf, readManifest, type Wanted, writeManifest } from './snapshot.js'
import type { Step } from './step.js'

export interface CopyRequest {
  readonly id: string
  readonly plan: Plan
  readonly footings: readonly Footing[]
  readonly securing: Securing
}

export const copyFootings = (plan: Plan, stateDirectory: string): readonly Footing[] => {
  const { vault } = placeFor(plan.workspace, [plan.workspace], stateDirectory)
  return [{ root: plan.workspace, vault, scratch: vault }]
}

/**
 * Copies everything in scope before the command runs, for hosts and profiles without a wall to mount an overlay in. Rejects with a
 * plain sentence when that is more than the limit or cannot be read.
 */
export async function secureByCopy({ id, plan, footings, securing }: CopyRequest): Promise<Secured> {
  const wanted = wantedIn(footings, securing.scope, plan.workspace)
  const manifests = await manifestsOf(footings, wanted)
  const bytes = manifests.reduce((sum, manifest) => sum + bytesOf(manifest), 0)
  if (bytes > securing.maxBytes) {
    throw new Error(`the files in scope are ${bytes} bytes, and no more than ${securing.maxBytes} are copied`)
  }
  for (const [index, { root, vault }] of footings.entries()) {
    const job = join(vault, id, String(index))
    mkdirSync(join(job, 'staged'), { recursive: true, mode: 0o700 })
    const manifest: Manifest = manifests[index] ?? new Map()
    // First, so that modes which are changed for the copying are put back by whoever finds this, should the process die.
    writeManifest(join(job, 'manifest'), manifest)
    await copyImages(root, job, manifest)
  }
  return {
    plan,
    inTree: true,
    changes: async () => ({ steps: stepsFrom(id, manifests, await manifestsOf(footings, wanted)), conflicts: [] }),
    release: () => {},
  }
}

/** What a copied transaction had changed when its process died. Nothing, if it died before the command began. */
export async function interruptedCopy({
  id,
  adapter,
  footings,
  workspace,
  scope,
}: StoredRecord): Promise<readonly Step[]> {
  if (adapter !== 'copy') return []
  try {
    const before = footings.map(({ vault }, index) => readManifest(join(vault, id, String(index), 'manifest')))
    return stepsFrom(id, before, await manifestsOf(footings, wantedIn(footings, scope, workspace)))
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

async function manifestsOf(footings: readonly Footing[], wanted: readonly Wanted[]): Promise<readonly Manifest[]> {
  const ground = openGround(footings)
  try {
    const manifests: Manifest[] = []
    for (const [index, one] of wanted.entries()) manifests.push(await manifestOf(ground.tree(index), one))
    return manifests
  } finally {
    ground.close()
  }
}

const stepsFrom = (id: string, before: readonly Manifest[], now: readonly Manifest[]): readonly Step[] =>
  before.flatMap((manifest, root) => copyChanges(root, `${id}/${root}`, manifest, now[root] ?? new Map()))
