import type { Change, ChangeSet, FileDiff, TransactionRecord } from '../model/change.js'
import type { TransactionReport } from '../model/result.js'

export interface WireChange {
  readonly path: string
  readonly kind: Change['kind']
  readonly type: Change['type']
  readonly bytes_before: number | null
  readonly bytes_after: number | null
}

export interface WireChanges {
  readonly counts: {
    readonly created: number
    readonly modified: number
    readonly deleted: number
    readonly mode_changed: number
    readonly bytes: number
  }
  readonly list: readonly WireChange[]
  readonly omitted: number
}

/** Transactions as JSON: snake_case all the way down. */
export type WireReport = Omit<TransactionReport, 'changes'> & { readonly changes?: WireChanges }
export type WireRecord = Omit<TransactionRecord, 'changes'> & { readonly changes: WireChanges }
export type WireDiff = WireChange & Omit<FileDiff, 'change'>

const changeToWire = ({ path, kind, type, bytesBefore, bytesAfter }: Change): WireChange => ({
  path,
  kind,
  type,
  bytes_before: bytesBefore,
  bytes_after: bytesAfter,
})

function changesToWire({ counts, list, omitted }: ChangeSet): WireChanges {
  const { modeChanged, bytes, ...plain } = counts
  return { counts: { ...plain, mode_changed: modeChanged, bytes }, list: list.map(changeToWire), omitted }
}

export const reportToWire = ({ changes, ...report }: TransactionReport): WireReport =>
  changes ? { ...report, changes: changesToWire(changes) } : report

export const recordToWire = (record: TransactionRecord): WireRecord => ({
  ...record,
  changes: changesToWire(record.changes),
})

export const diffToWire = ({ change, ...diff }: FileDiff): WireDiff => ({ ...changeToWire(change), ...diff })
