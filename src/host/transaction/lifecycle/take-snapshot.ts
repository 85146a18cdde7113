import type { Plan, Securing } from '../../../core/model/policy/plan.js'
import { copyRootPaths, snapshotByCopy } from '../copy/snapshot-by-copy.js'
import type { PreparedLayers } from '../overlay/prepared-layers.js'
import { overlayRootPaths, snapshotByOverlay, writableRoots } from '../overlay/snapshot-by-overlay.js'
import type { StoredRecord } from '../undo-store/journal.js'
import type { RootPaths } from '../undo-store/open-roots.js'
import type { ActiveSnapshot } from '../undo-store/snapshot-port.js'
import { deleteFiles, type Store } from '../undo-store/store.js'

/** The store, with overlays mounted ahead; null where none are wanted. */
export interface StoreWithPreparedLayers extends Store {
  readonly spares: PreparedLayers | null
}

type Securely = { readonly record: StoredRecord; readonly by: ActiveSnapshot } | { readonly failure: string }

/** Takes a snapshot by overlay, or by copies if the host has no overlays. Writes the record before it creates files. */
export async function takeSnapshot(
  store: StoreWithPreparedLayers,
  begun: StoredRecord,
  plan: Plan,
  securing: Securing,
): Promise<Securely> {
  const failures: string[] = []
  if (plan.sandbox.kind !== 'none') {
    const roots = writableRoots(plan)
    // Asked first: there is much to do until it is answered.
    const attributes = store.roots.of(roots)
    const tried = await attempt(
      store,
      { ...begun, adapter: 'overlay' },
      () => overlayRootPaths(roots, store.locationCache),
      (rootPaths) => snapshotByOverlay({ id: begun.id, plan, rootPaths, attributes, ...pick(store) }),
    )
    if (!('failure' in tried)) return tried
    failures.push(tried.failure)
  }
  const tried = await attempt(
    store,
    { ...begun, adapter: 'copy' },
    () => copyRootPaths(plan, store.locationCache),
    (rootPaths) => snapshotByCopy({ id: begun.id, plan, rootPaths, securing, attributeClient: store.attributeClient }),
  )
  return 'failure' in tried ? { failure: failureOf(failures, tried.failure) } : tried
}

/** Names the failure of the overlay too, unless the copy failed for the same reason. */
const failureOf = (overlay: readonly string[], copy: string): string =>
  [...overlay.filter((failure) => failure !== copy).map((failure) => `no overlay (${failure})`), copy].join('; ')

const pick = ({ stateDirectory, attributeClient, spares }: StoreWithPreparedLayers) => ({
  stateDirectory,
  attributeClient,
  spares,
})

async function attempt(
  { journal }: Store,
  begun: StoredRecord,
  place: () => readonly RootPaths[],
  make: (rootPaths: readonly RootPaths[]) => Promise<ActiveSnapshot>,
): Promise<Securely> {
  let record = begun
  try {
    record = { ...begun, rootPaths: place() }
    if (record.rootPaths.length === 0) return { failure: 'the command may not write to any directory' }
    journal.write(record, [], false)
    return { record, by: await make(record.rootPaths) }
  } catch (error) {
    await deleteFiles(record, false)
    journal.remove(record.id)
    return { failure: error instanceof Error ? error.message : String(error) }
  }
}
