import { shortId } from '../../../core/model/basics/id.js'
import type { Plan } from '../../../core/model/policy/plan.js'
import type { ChangeSet } from '../../../core/model/run/change.js'
import type { TransactionReport } from '../../../core/model/run/result.js'
import { type RawPath, shown } from '../paths/raw-path.js'

const NO_CHANGES: ChangeSet = {
  counts: { created: 0, modified: 0, deleted: 0, modeChanged: 0, directories: 0, bytes: 0 },
  list: [],
  omitted: 0,
}

export const noChanges = (): ChangeSet => NO_CHANGES

export const isEmpty = ({ counts }: ChangeSet): boolean =>
  counts.created + counts.modified + counts.deleted + counts.modeChanged + counts.directories === 0

type Facts = {
  readonly plan: Plan
  readonly outcome: TransactionReport['outcome']
  readonly id?: string
  readonly changes?: ChangeSet
  readonly conflicts?: readonly RawPath[]
  readonly warning?: string
}

/** Returns the report of a transaction for the caller and the model. */
export function reportOf({
  plan,
  outcome,
  id,
  changes = NO_CHANGES,
  conflicts = [],
  warning,
}: Facts): TransactionReport {
  const { created, modified, deleted, modeChanged } = changes.counts
  const back = outcome === 'rolled-back'
  return {
    mode: plan.transaction,
    outcome,
    restored: back ? modified + deleted + modeChanged : 0,
    deleted: back ? created : 0,
    warning: warning ?? null,
    id: id ?? null,
    changes,
    conflicts: conflicts.map(shown),
  }
}

const NAMED = 5

const WHERE_TO = (id: string): string =>
  `See the command's version with \`cordon diff ${shortId(id)}\`, then run \`cordon keep ${shortId(id)}\` or \`cordon discard ${shortId(id)}\`.`

function named(paths: readonly RawPath[]): string {
  const more = paths.length > NAMED ? ` and ${paths.length - NAMED} more` : ''
  return `${paths.slice(0, NAMED).map(shown).join(', ')}${more}`
}

export function conflictWarning(conflicts: readonly RawPath[], id: string): string {
  return `Not committed: another process changed ${named(conflicts)} while the command ran. Its version stays in place. ${WHERE_TO(id)}`
}

/** For what copies left alone. */
export const changedByOthersWarning = (theirs: readonly RawPath[]): string =>
  `Not rolled back: another process is writing to ${named(theirs)}`

export const failureWarning = (failure: string, id: string): string => `Not committed. ${failure} ${WHERE_TO(id)}`
