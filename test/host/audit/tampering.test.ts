import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Audit } from '../../../src/engine/ports/ports.js'
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
    expect(verify()).toMatchObject({ ok: true, rows: 6 })
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
  ])('verifying the audit log finds %s', (_, sql, brokenAt) => {
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

  describe('with the end of the log recorded in a file of its own', () => {
    const headOf = (): string => {
      const found = verify()
      return found.ok ? (found.head ?? '') : ''
    }
    const append = (id: string): void => {
      const audit = openAudit({ file })
      audit.refused(intent(id), ended(id))
      audit.close()
    }
    const removeLog = (): void => {
      for (const name of readdirSync(directory)) if (name.startsWith('audit.db')) rmSync(join(directory, name))
    }
    const verifyWith = (options: Parameters<Audit['verify']>[0]) => {
      const audit = openAudit({ file })
      const found = audit.verify(options)
      audit.close()
      return found
    }

    it('a log that was deleted fails, and goes on failing when it is written anew', () => {
      removeLog()
      expect(verify()).toMatchObject({
        ok: false,
        rows: 0,
        reason: expect.stringMatching(/6 rows were recorded.*--accept/),
      })
      append('d')
      expect(verify()).toMatchObject({ ok: false, reason: expect.stringMatching(/^4 rows .*are missing/) })
      for (const id of ['e', 'f', 'g', 'h']) append(id)
      expect(verify()).toMatchObject({ ok: false, reason: expect.stringContaining('the log does not match') })
    })

    it('verification fails if an older copy replaces the log', () => {
      const copy = readFileSync(file)
      append('d')
      removeLog()
      writeFileSync(file, copy, { mode: 0o600 })
      expect(verify()).toMatchObject({ ok: false, reason: expect.stringMatching(/^2 rows .*are missing/) })
    })

    it('a missing head file fails and is not written anew by later commands', () => {
      rmSync(join(directory, 'audit.head'))
      append('d')
      expect(verify()).toMatchObject({ ok: false, reason: expect.stringContaining('audit.head is missing') })
    })

    it.each([
      ['an edited head file', (line: string) => line.replace(/[0-9a-f]{64}/, '0'.repeat(64))],
      ['a head file of fewer rows', (line: string) => line.replace(/\d+/, '1')],
      ['a head file without its signature', (line: string) => `${line.slice(0, 81)}\n`],
      ['an empty head file', () => ''],
    ])('%s fails, with a log and without', (_, edit) => {
      const head = join(directory, 'audit.head')
      writeFileSync(head, edit(readFileSync(head, 'latin1')))
      append('d')
      expect(verify()).toMatchObject({ ok: false, reason: expect.stringContaining('Cordon did not write it') })
      removeLog()
      expect(verify()).toMatchObject({ ok: false, reason: expect.stringContaining('the log is gone') })
    })

    it('a log begun anew fails, where the first one and its head file were removed', () => {
      removeLog()
      rmSync(join(directory, 'audit.head'))
      append('d')
      expect(verify()).toMatchObject({ ok: false, reason: expect.stringContaining('audit.head is missing') })
      expect(verifyWith({ accept: true })).toMatchObject({ ok: true, rows: 2 })
      expect(verify()).toMatchObject({ ok: true, rows: 2 })
    })

    it('--accept takes a whole log for the whole log, and no broken one', () => {
      removeLog()
      append('d')
      expect(verifyWith({ accept: true })).toMatchObject({ ok: true, rows: 2 })
      expect(verify()).toMatchObject({ ok: true, rows: 2 })
      tamper('DELETE FROM events WHERE seq = 1')
      expect(verifyWith({ accept: true })).toMatchObject({ ok: false })
      expect(verify()).toMatchObject({ ok: false })
    })

    it('an expected head is found in a longer log, and is missed in one that was rewritten', () => {
      const head = headOf()
      append('d')
      expect(verifyWith({ expect: head })).toMatchObject({ ok: true, rows: 8 })
      removeLog()
      rmSync(join(directory, 'audit.head'))
      expect(verify()).toMatchObject({ ok: false, reason: expect.stringContaining('the log is gone') })
      rmSync(join(directory, 'secret.key'))
      for (const id of ['a', 'b', 'x', 'd']) append(id)
      expect(verify()).toMatchObject({ ok: true, rows: 8 })
      expect(verifyWith({ expect: head })).toMatchObject({
        ok: false,
        reason: expect.stringContaining('expected head'),
      })
    })

    it('an expected head that is none is an error', () => {
      expect(() => verifyWith({ expect: 'abc' })).toThrow(/64 hexadecimal digits/)
    })
  })

  it.each([
    ['transactions/x.journal', 'of commands that ran'],
    ['approvals/x.json', 'of held commands'],
  ])('finds that the log is gone with its head and key where the state directory still has records: %s', (name) => {
    for (const one of readdirSync(directory)) rmSync(join(directory, one))
    expect(verify()).toMatchObject({ ok: true, rows: 0 })
    mkdirSync(join(directory, name, '..'))
    writeFileSync(join(directory, name), '')
    expect(verify()).toMatchObject({ ok: false, reason: expect.stringContaining('the log is gone') })
  })

  it('finds a new log where one is gone with its head and key', () => {
    for (const one of readdirSync(directory)) rmSync(join(directory, one))
    mkdirSync(join(directory, 'transactions'))
    writeFileSync(join(directory, 'transactions/x.journal'), '')
    const audit = openAudit({ file })
    audit.refused(intent('d'), ended('d'))
    audit.close()
    expect(verify()).toMatchObject({ ok: false, reason: expect.stringContaining('is missing') })
  })
})
