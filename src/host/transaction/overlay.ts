import { statSync } from 'node:fs'
import { isInside } from '../../core/model/path.js'
import type { Plan } from '../../core/model/plan.js'
import { approvedOnly } from './approved-writes.js'
import type { AttributeDesk } from './attributes.js'
import { fileClock } from './clock.js'
import { type Footing, type Ground, openGround, requireVaultsInPlace } from './ground.js'
import { clockOf, giveAttributes, layersOf, layOut } from './lay-out.js'
import { type Layer, type MountedLayers, mountLayers } from './overlay-mount.js'
import { oursIn } from './place.js'
import type { Placement } from './placement.js'
import { planWithin } from './plan-within.js'
import { type RawPath, raw } from './raw-path.js'
import { reviewed } from './reviewed.js'
import type { RootAttributes } from './root-attributes.js'
import { identityOf } from './root-identity.js'
import type { Changed, Secured } from './secured.js'
import type { ReadyLayers, SpareLayers } from './spare-layers.js'
import { stage } from './stage.js'
import { UpperScan } from './upper-scan.js'

/** The directories a plan lets its command write to, none of them inside another. */
export function writableRoots(plan: Plan): readonly string[] {
  const mounts = plan.sandbox.kind === 'none' ? [] : plan.sandbox.mounts
  const writable = mounts.flatMap((mount) => (mount.op === 'write' && mount.from === mount.at ? [mount.at] : []))
  const directories = [...new Set(writable)].filter((path) => statSync(path, { throwIfNoEntry: false })?.isDirectory())
  return directories.filter((path) => !directories.some((other) => other !== path && isInside(path, other)))
}

export function overlayFootings(roots: readonly string[], placement: Placement): readonly Footing[] {
  return roots.map((root) => ({ root, ...placement.of(root, roots), identity: identityOf(root) }))
}

export interface OverlayRequest {
  readonly desk: AttributeDesk
  readonly id: string
  readonly plan: Plan
  readonly footings: readonly Footing[]
  /** Of the real roots, as they are when the command begins. */
  readonly attributes: Promise<RootAttributes>
  readonly stateDirectory: string
  /** Overlays mounted ahead; null where none are. */
  readonly spares: SpareLayers | null
}

/**
 * Mounts an overlay over every directory the command may write to: the real ones are not touched until the changes are applied. Rejects
 * with a plain sentence when this host cannot, leaving whatever it made for the caller to remove.
 */
export async function secureByOverlay(request: OverlayRequest): Promise<Secured> {
  const { id, plan, footings, spares, attributes } = request
  const { layers, mounted } = (await spares?.take(id, footings, attributes)) ?? (await mountedNow(request))
  const since = await fileClock(clockOf(layers[0]?.job ?? '')).begin()
  // Opened now: what the changes are compared with is this directory, whatever is put at its path while the command runs.
  const ground = openGround(footings)
  for (const root of footings.keys()) ground.tree(root)
  let isReleased = false
  const notices: string[] = []
  return {
    plan: planWithin(plan, mounted.pid),
    inTree: false,
    notices,
    changes: () => changesOf(request, ground, { layers, mounted, since, notices }),
    release() {
      if (isReleased) return
      isReleased = true
      ground.close()
      mounted.close()
      setImmediate(() => spares?.refill(plan, footings))
    },
  }
}

async function mountedNow({ id, footings, attributes, desk }: OverlayRequest): Promise<ReadyLayers> {
  const layers = layersOf(id, footings)
  layOut(layers)
  await giveAttributes(layers, await attributes, desk)
  return { layers, mounted: await mountLayers(layers) }
}

interface Ended {
  readonly layers: readonly Layer[]
  readonly mounted: MountedLayers
  readonly since: bigint
  readonly notices: string[]
}

async function changesOf(
  { id, plan, footings, stateDirectory, desk }: OverlayRequest,
  ground: Ground,
  { layers, mounted, since, notices }: Ended,
): Promise<Changed> {
  requireVaultsInPlace(ground, footings)
  const changed: { steps: Changed['steps'][number][]; conflicts: RawPath[] } = { steps: [], conflicts: [] }
  for (const [root, { vault, scratch, root: top }] of footings.entries()) {
    const { upper, job } = layers[root] ?? { upper: '', job: '' }
    const ours = oursIn(top, [stateDirectory, vault, scratch])
    const tree = ground.tree(root)
    const view = raw(mounted.view(root))
    const scan = await new UpperScan({
      root,
      tree,
      upper: raw(upper),
      job,
      view,
      since,
      ours,
      desk,
    }).run()
    const mounts = plan.sandbox.kind === 'none' ? [] : plan.sandbox.mounts
    const { found, conflicts } = reviewed(approvedOnly(scan, raw(top), mounts, notices), {
      top: raw(top),
      roots: footings.map((one) => raw(one.root)),
      view: raw(mounted.root),
      upper: raw(upper),
      approved: plan.gitSettings ?? [],
      notices,
    })
    const at = { layer: root, job, home: `${id}/${root}`, upper: raw(upper), upperInVault: vault === scratch }
    changed.steps.push(...(await stage(found, at, mounted, desk)))
    changed.conflicts.push(...conflicts.map((path) => `${raw(top)}/${path}`))
  }
  return changed
}
