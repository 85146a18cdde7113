import { statSync } from 'node:fs'
import { isInside } from '../../../core/model/basics/path.js'
import type { Plan } from '../../../core/model/policy/plan.js'
import type { Evidence } from '../../../core/model/run/evidence.js'
import type { AttributeClient } from '../attributes/attributes.js'
import type { RootAttributes } from '../attributes/root-attributes.js'
import { fileClock } from '../paths/filesystem-clock.js'
import { type RawPath, raw } from '../paths/raw-path.js'
import { identityOf } from '../paths/root-identity.js'
import type { LocationCache } from '../undo-store/location-cache.js'
import { ownPathsIn } from '../undo-store/locations.js'
import { type OpenRoots, openRoots, type RootPaths, requireStoresInPlace } from '../undo-store/open-roots.js'
import type { ActiveSnapshot, Changed } from '../undo-store/snapshot-port.js'
import { approvedOnly } from './approved-writes.js'
import { clockOf, giveAttributes, layersOf, layOut } from './layer-layout.js'
import { type Layer, type MountedLayers, mountLayers } from './mount-layers.js'
import { planWithin } from './plan-within.js'
import type { PreparedLayers, ReadyOverlay } from './prepared-layers.js'
import { reviewed } from './review-changes.js'
import { stage } from './stage-changes.js'
import { UpperScan } from './upper-scan.js'

/** The directories a plan lets its command write to, none of them inside another. */
export function writableRoots(plan: Plan): readonly string[] {
  const mounts = plan.sandbox.kind === 'none' ? [] : plan.sandbox.mounts
  const writable = mounts.flatMap((mount) => (mount.op === 'write' && mount.from === mount.at ? [mount.at] : []))
  const directories = [...new Set(writable)].filter((path) => statSync(path, { throwIfNoEntry: false })?.isDirectory())
  return directories.filter((path) => !directories.some((other) => other !== path && isInside(path, other)))
}

export function overlayRootPaths(roots: readonly string[], placement: LocationCache): readonly RootPaths[] {
  return roots.map((root) => ({ root, ...placement.of(root, roots), identity: identityOf(root) }))
}

export interface OverlayRequest {
  readonly attributeClient: AttributeClient
  readonly id: string
  readonly plan: Plan
  readonly rootPaths: readonly RootPaths[]
  /** Attributes of the real roots at the start of the command. */
  readonly attributes: Promise<RootAttributes>
  readonly stateDirectory: string
  /** Overlays mounted ahead; null where none are. */
  readonly spares: PreparedLayers | null
}

/**
 * Mounts an overlay over every directory that the command may write to. The real directories do not change until the
 * commit. Rejects with a sentence if this host cannot; the caller removes the created files.
 */
export async function snapshotByOverlay(request: OverlayRequest): Promise<ActiveSnapshot> {
  const { id, plan, rootPaths, spares, attributes } = request
  const { layers, mounted } = (await spares?.take(id, rootPaths, attributes)) ?? (await mountedNow(request))
  const since = await fileClock(clockOf(layers[0]?.job ?? '')).begin()
  // Opened now, so that changes are compared with this directory even if another one replaces it.
  const openedRoots = openRoots(rootPaths)
  for (const root of rootPaths.keys()) openedRoots.tree(root)
  let isReleased = false
  const notices: Evidence[] = []
  return {
    plan: planWithin(plan, mounted.pid),
    inTree: false,
    notices,
    changes: () => changesOf(request, openedRoots, { layers, mounted, since, notices }),
    release() {
      if (isReleased) return
      isReleased = true
      openedRoots.close()
      mounted.close()
      setImmediate(() => spares?.refill(plan, rootPaths))
    },
  }
}

async function mountedNow({ id, rootPaths, attributes, attributeClient }: OverlayRequest): Promise<ReadyOverlay> {
  const layers = layersOf(id, rootPaths)
  layOut(layers)
  await giveAttributes(layers, await attributes, attributeClient)
  return { layers, mounted: await mountLayers(layers) }
}

interface Ended {
  readonly layers: readonly Layer[]
  readonly mounted: MountedLayers
  readonly since: bigint
  readonly notices: Evidence[]
}

async function changesOf(
  { id, plan, rootPaths, stateDirectory, attributeClient }: OverlayRequest,
  openedRoots: OpenRoots,
  { layers, mounted, since, notices }: Ended,
): Promise<Changed> {
  requireStoresInPlace(openedRoots, rootPaths)
  const changed: { steps: Changed['steps'][number][]; conflicts: RawPath[] } = { steps: [], conflicts: [] }
  for (const [root, { storePath, scratch, root: top }] of rootPaths.entries()) {
    const { upper, job } = layers[root] ?? { upper: '', job: '' }
    const ours = ownPathsIn(top, [stateDirectory, storePath, scratch])
    const tree = openedRoots.tree(root)
    const view = raw(mounted.view(root))
    const scan = await new UpperScan({
      root,
      tree,
      upper: raw(upper),
      job,
      view,
      since,
      ours,
      attributeClient,
    }).run()
    await new Promise(setImmediate)
    const mounts = plan.sandbox.kind === 'none' ? [] : plan.sandbox.mounts
    const { found, conflicts } = await reviewed(approvedOnly(scan, raw(top), mounts, notices), {
      top: raw(top),
      roots: rootPaths.map((one) => raw(one.root)),
      view: raw(mounted.root),
      upper: raw(upper),
      approved: plan.gitSettings ?? [],
      places: mounts.flatMap((mount) =>
        mount.op !== 'pin' && 'reviewed' in mount && mount.reviewed === 'settings' ? [raw(mount.at)] : [],
      ),
      notices,
    })
    await new Promise(setImmediate)
    const at = { layer: root, job, home: `${id}/${root}`, upper: raw(upper), upperInStore: storePath === scratch }
    changed.steps.push(...(await stage(found, at, mounted, attributeClient)))
    changed.conflicts.push(...conflicts.map((path) => `${raw(top)}/${path}`))
  }
  return changed
}
