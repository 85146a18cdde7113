import type { AuditRecord } from '../../core/model/audit.js'
import { took } from '../../core/present/took.js'
import type { Paint } from './paint.js'
import { cut, pad, visible } from './visible.js'

const HEADINGS = ['when', 'agent', 'ended', 'exit', 'took', 'rule', 'command'] as const
const GOOD = new Set<AuditRecord['outcome']>(['success', 'running'])
const HELD = new Set<AuditRecord['outcome']>(['held', 'cancelled', 'rollback'])
/** No column but the command's own needs more. */
const MAX_CELL = 24

/** The record as a table, one line per request, the command cut to what is left of the line. */
export function auditTable(records: readonly AuditRecord[], paint: Paint, columns: number): string {
  if (records.length === 0) return 'Nothing on record.\n'
  const rows = records.map(cells)
  const widths = HEADINGS.slice(0, -1).map((heading, i) =>
    Math.max(heading.length, ...rows.map((row) => row[i]?.length ?? 0)),
  )
  const room = Math.max(24, columns - widths.reduce((sum, width) => sum + width + 2, 0))
  const line = (row: readonly string[], style: (i: number, text: string) => string): string =>
    row.map((text, i) => style(i, i < widths.length ? pad(text, widths[i] ?? 0) : cut(text, room))).join('  ')
  const head = line(HEADINGS, (_, text) => paint.dim(text))
  const body = rows.map((row, i) => {
    const outcome = records[i]?.outcome ?? 'running'
    return line(row, (column, text) =>
      column === 2 ? tint(outcome, paint)(text) : column === 0 ? paint.dim(text) : text,
    )
  })
  return `${[head, ...body].map((text) => text.trimEnd()).join('\n')}\n`
}

const cells = (record: AuditRecord): readonly string[] => [
  record.at.slice(0, 19).replace('T', ' '),
  cut(record.agent ?? '-', MAX_CELL),
  record.outcome,
  record.exitCode === null || record.exitCode === undefined ? '-' : String(record.exitCode),
  record.durationMs === undefined ? '-' : took(record.durationMs).replace('Took ', ''),
  cut(record.rule ?? record.errorCode ?? '-', MAX_CELL),
  visible(record.command),
]

function tint(outcome: AuditRecord['outcome'], paint: Paint): (text: string) => string {
  if (GOOD.has(outcome)) return paint.green
  return HELD.has(outcome) ? paint.yellow : paint.red
}
