import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openDatabase } from '../../../src/host/audit/driver.js'
import { openAudit } from '../../../src/host/audit/sqlite-audit.js'
import { ended, intent } from '../../contract/audit-events.js'

describe('verifying the audit log', () => {
  let directory: string
  let file: string
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'cordon-audit-'))
    file = join(directory, 'audit.db')
    const audit = openAudit({ file })
    for (const id of ['a', 'b', 'c']) audit.refused(intent(id), ended(id))
    audit.close()
  })
  afterEach(() => rmSync(directory, { recursive: true, force: true }))

  const tamper = (sql: string): void => {
    const db = openDatabase(file)
    db.exec(sql)
    db.close()
  }
  const verify = () => {
    const audit = openAudit({ file })
    const found = audit.verify()
    audit.close()
    return found
  }

  it('finds an untouched log whole', () => {
    expect(verify()).toEqual({ ok: true, rows: 6 })
  })

  it.each([
    ['an edit', "UPDATE events SET body = replace(body, 'echo b', 'echo x') WHERE seq = 3", 3],
    ['one byte', "UPDATE events SET body = body || ' ' WHERE seq = 5", 5],
    [
      'an edited digest',
      "UPDATE events SET digest = replace(digest, substr(digest, 1, 1), 'f') || 'f' WHERE seq = 2",
      2,
    ],
    ['a removed row', 'DELETE FROM events WHERE seq = 2', 2],
    ['a removed first row', 'DELETE FROM events WHERE seq = 1', 1],
    [
      'a removed row with the rest moved up',
      'DELETE FROM events WHERE seq = 2; UPDATE events SET seq = seq - 1 WHERE seq > 2',
      2,
    ],
    ['rows cut off the end', 'DELETE FROM events WHERE seq > 4', 5],
    ['all rows cut off', 'DELETE FROM events', 1],
    [
      'two rows swapped',
      'UPDATE events SET seq = -3 WHERE seq = 3; UPDATE events SET seq = 3 WHERE seq = 4; UPDATE events SET seq = 4 WHERE seq = -3',
      3,
    ],
    [
      'a row added',
      'INSERT INTO events (seq, body, digest) SELECT 7, replace(body, \'"c"\', \'"d"\'), digest FROM events WHERE seq = 6',
      7,
    ],
    [
      'a row before the first',
      'INSERT INTO events (seq, body, digest) SELECT 0, replace(body, \'"c"\', \'"d"\'), digest FROM events WHERE seq = 6',
      1,
    ],
    ['the end record removed', 'DELETE FROM head', 7],
    ['the end record set back', 'UPDATE head SET rows = 5', 7],
    ['a trigger added', 'CREATE TRIGGER t AFTER INSERT ON events BEGIN DELETE FROM events WHERE seq = new.seq; END', 1],
    ['an index removed', 'DROP INDEX events_agent', 1],
  ])('finds %s', (_, sql, brokenAt) => {
    tamper(sql)
    const found = verify()
    expect(found).toMatchObject({ ok: false, brokenAt })
    expect(found.ok ? '' : found.reason).toMatch(/\w/)
  })

  it('says how many rows are gone from the end', () => {
    tamper('DELETE FROM events WHERE seq > 4')
    expect(verify()).toEqual({ ok: false, rows: 4, brokenAt: 5, reason: 'the last 2 rows are missing' })
  })

  it('goes on appending to a log that was cut, without making it whole', () => {
    tamper('DELETE FROM events WHERE seq > 4')
    const audit = openAudit({ file })
    audit.refused(intent('d'), ended('d'))
    expect(audit.verify()).toMatchObject({ ok: false, brokenAt: 5 })
    audit.close()
  })
})
