import { shortId } from '../../../core/model/basics/id.js'
import type { AuditRecord } from '../../../core/model/run/audit.js'
import { took } from '../../../core/present/took.js'
import { localTime } from '../terminal/local-time.js'
import type { Paint } from '../terminal/style.js'
import { type Column, table } from '../terminal/table.js'
import { visible } from '../terminal/visible-text.js'

const GOOD = new Set<AuditRecord['outcome']>(['success', 'running', 'authorized'])
const HELD = new Set<AuditRecord['outcome']>(['held', 'cancelled', 'rollback'])
/** The most columns of a cell, except the command's. */
const MAX_CELL = 24

const COLUMNS: readonly Column<AuditRecord>[] = [
  { heading: 'id', text: ({ id }) => shortId(id), tint: (_, paint) => paint.cyan },
  { heading: 'when', text: ({ at }) => localTime(at), tint: (_, paint) => paint.dim },
  { heading: 'agent', text: ({ agent }) => visible(agent ?? '-'), max: MAX_CELL, optional: 2 },
  { heading: 'ended', text: ({ outcome }) => outcome, tint: ({ outcome }, paint) => tint(outcome, paint) },
  { heading: 'exit', text: ({ exitCode }) => String(exitCode ?? '-') },
  {
    heading: 'took',
    text: ({ durationMs }) => (durationMs === undefined ? '-' : took(durationMs).replace('Took ', '')),
    optional: 1,
  },
  { heading: 'rule', text: ({ rule, errorCode }) => visible(rule ?? errorCode ?? '-'), max: MAX_CELL, optional: 3 },
  { heading: 'command', text: ({ command }) => visible(command) },
]

/** The record as a table, one line per request, the command cut to what is left of the line. */
export const auditTable = (records: readonly AuditRecord[], paint: Paint, width: number): string =>
  records.length === 0 ? 'Nothing on record.\n' : table(records, COLUMNS, { paint, width })

function tint(outcome: AuditRecord['outcome'], paint: Paint): (text: string) => string {
  if (GOOD.has(outcome)) return paint.green
  return HELD.has(outcome) ? paint.yellow : paint.red
}
