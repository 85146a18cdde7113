import { dirname } from 'node:path'
import type { AuditVerification, VerifyOptions } from '../../core/model/run/audit.js'
import type { StateKey } from '../state-key/state-key.js'
import { GENESIS } from './chain.js'
import { hasCommandTraces } from './command-traces.js'
import type { Database } from './driver.js'
import { anchorFor, type Head, readAnchor, wasBegun, writeAnchor } from './head-anchor.js'
import { rowMissingFrom } from './sink-comparison.js'
import { verifyChain, verifyNothing } from './verify.js'

type Ask = (empty: () => AuditVerification, action: (db: Database) => AuditVerification) => AuditVerification

/** Verifies a log, or accepts its current state. `ask` opens the log if it exists. */
export function verifyLog(
  { file, key, sinkFile }: { readonly file: string; readonly key: StateKey; readonly sinkFile: string | null },
  { expect, accept }: VerifyOptions,
  ask: Ask,
): AuditVerification {
  const anchor = anchorFor(file, key)
  const begun = wasBegun(anchor) || hasCommandTraces(dirname(file))
  const expected = () => ({ anchor: readAnchor(anchor), anchorFile: anchor.file, head: expect, wasBegun: begun })
  if (!accept)
    return ask(
      () => withSink(verifyNothing(file, expected()), null, sinkFile),
      (db) => withSink(verifyChain(db, expected()), db, sinkFile),
    )
  return ask(
    () => {
      if (begun) writeAnchor(anchor, { rows: 0, digest: GENESIS })
      return { ok: true, rows: 0, head: null }
    },
    (db) => {
      const end = db.prepare('SELECT rows, digest FROM head WHERE one = 1').get() as Head | undefined
      const found = verifyChain(db, { ...expected(), anchor: end ?? null })
      if (found.ok && end) writeAnchor(anchor, end)
      return found
    },
  )
}

/** Adds to what was found whether the rows that the sink has are there too. */
function withSink(found: AuditVerification, db: Database | null, sinkFile: string | null): AuditVerification {
  const row = found.ok && sinkFile !== null ? rowMissingFrom(db, sinkFile) : null
  if (!found.ok || row === null) return found
  const reason = `row ${row} of the audit sink ${sinkFile} is not in the log. If you started a new log, move that file away`
  return { ok: false, rows: found.rows, brokenAt: row, reason }
}
