import type { Plan, Securing } from '../../core/model/plan.js'
import { copyFootings, secureByCopy } from './copy.js'
import type { Footing } from './ground.js'
import type { StoredRecord } from './journal.js'
import { overlayFootings, secureByOverlay, writableRoots } from './overlay.js'
import type { Secured } from './secured.js'
import { type Store, sweep } from './store.js'

type Securely = { readonly record: StoredRecord; readonly by: Secured } | { readonly failure: string }

/** By overlay where the host has it, else by copies; the record of it is written before anything is made. */
export async function secure(store: Store, begun: StoredRecord, plan: Plan, securing: Securing): Promise<Securely> {
  const failures: string[] = []
  if (plan.sandbox.kind !== 'none') {
    const roots = writableRoots(plan)
    // Asked first: there is much to do until it is answered.
    const attributes = store.roots.of(roots)
    const tried = await attempt(
      store,
      { ...begun, adapter: 'overlay' },
      () => overlayFootings(roots, store.placement),
      (footings) => secureByOverlay({ id: begun.id, plan, footings, attributes, ...pick(store) }),
    )
    if (!('failure' in tried)) return tried
    failures.push(tried.failure)
  }
  const tried = await attempt(
    store,
    { ...begun, adapter: 'copy' },
    () => copyFootings(plan, store.placement),
    (footings) => secureByCopy({ id: begun.id, plan, footings, securing, desk: store.desk }),
  )
  return 'failure' in tried ? { failure: failureOf(failures, tried.failure) } : tried
}

/** Names the failure of the overlay too, unless the copy failed for the same reason. */
const failureOf = (overlay: readonly string[], copy: string): string =>
  [...overlay.filter((failure) => failure !== copy).map((failure) => `no overlay (${failure})`), copy].join('; ')

const pick = ({ stateDirectory, desk, spares }: Store) => ({ stateDirectory, desk, spares })

async function attempt(
  { journal }: Store,
  begun: StoredRecord,
  place: () => readonly Footing[],
  make: (footings: readonly Footing[]) => Promise<Secured>,
): Promise<Securely> {
  let record = begun
  try {
    record = { ...begun, footings: place() }
    if (record.footings.length === 0) return { failure: 'there is no directory the command may write to' }
    journal.write(record, [], false)
    return { record, by: await make(record.footings) }
  } catch (error) {
    await sweep(record, false)
    journal.remove(record.id)
    return { failure: error instanceof Error ? error.message : String(error) }
  }
}
