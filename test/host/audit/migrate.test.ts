import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openDatabase } from '../../../src/host/audit/driver.js'
import { openAudit } from '../../../src/host/audit/sqlite-audit.js'
import { ended, intent } from '../../contract/audit-events.js'
import { buildAppender, startAppender } from './appender-process.js'

/** The tables as the first version of Cordon made them, written down here once and for all. */
const FIRST_FORM = `
CREATE TABLE events (
  seq INTEGER PRIMARY KEY,
  body TEXT NOT NULL,
  digest TEXT NOT NULL,
  kind TEXT GENERATED ALWAYS AS (json_extract(body, '$.kind')) VIRTUAL,
  id TEXT GENERATED ALWAYS AS (json_extract(body, '$.id')) VIRTUAL,
  at TEXT GENERATED ALWAYS AS (json_extract(body, '$.event.at')) VIRTUAL,
  agent TEXT GENERATED ALWAYS AS (json_extract(body, '$.event.agent')) VIRTUAL,
  verdict TEXT GENERATED ALWAYS AS (json_extract(body, '$.event.verdict')) VIRTUAL,
  outcome TEXT GENERATED ALWAYS AS (json_extract(body, '$.event.outcome')) VIRTUAL,
  command TEXT GENERATED ALWAYS AS (json_extract(body, '$.event.command')) VIRTUAL
) STRICT;
CREATE UNIQUE INDEX events_id ON events (id, kind);
CREATE INDEX events_agent ON events (agent) WHERE agent IS NOT NULL;
CREATE INDEX events_outcome ON events (outcome) WHERE outcome IS NOT NULL;
CREATE TABLE head (one INTEGER PRIMARY KEY CHECK (one = 1), rows INTEGER NOT NULL, digest TEXT NOT NULL) STRICT;
PRAGMA application_id = 0x4352444e;
PRAGMA user_version = 1;`

/** Keys in order, as the log has them. */
const sorted = (value: unknown): unknown =>
  typeof value !== 'object' || value === null
    ? value
    : Object.fromEntries(
        Object.entries(value)
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([name, field]) => [name, sorted(field)]),
      )

let directory: string
let file: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'cordon-audit-'))
  file = join(directory, 'audit.db')
  const db = openDatabase(file)
  db.exec(FIRST_FORM)
  let digest = '0'.repeat(64)
  const bodies = ['a', 'b', 'c'].flatMap((id) => [
    {
      kind: 'began',
      id,
      event: intent(id),
      process: { pid: 1, started: '1', boot: 'b', namespace: 'n' },
    },
    { kind: 'ended', id, event: ended(id) },
  ])
  bodies.forEach((body, index) => {
    const text = JSON.stringify(sorted(body))
    digest = createHash('sha256')
      .update(`${digest}\n${index + 1}\n${text}`)
      .digest('hex')
    db.prepare('INSERT INTO events (seq, body, digest) VALUES (?, ?, ?)').run(index + 1, text, digest)
  })
  db.prepare('INSERT INTO head VALUES (1, ?, ?)').run(bodies.length, digest)
  db.close()
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

const tamper = (sql: string): void => {
  const db = openDatabase(file)
  db.exec(sql)
  db.close()
}
const versionOf = (): unknown => {
  const db = openDatabase(file)
  const { user_version: version } = db.prepare('PRAGMA user_version').get() as { user_version: number }
  db.close()
  return version
}
const opened = <T>(use: (audit: ReturnType<typeof openAudit>) => T): T => {
  const audit = openAudit({ file })
  try {
    return use(audit)
  } finally {
    audit.close()
  }
}

describe('an audit log of the first form', () => {
  it('is brought up to date when it is opened, keeps its records, verifies, and goes on', () => {
    expect(opened((audit) => audit.query({}).map(({ id }) => id))).toEqual(['c', 'b', 'a'])
    expect(versionOf()).toBe(2)
    opened((audit) => audit.refused(intent('d'), ended('d')))
    expect(opened((audit) => audit.verify())).toEqual({ ok: true, rows: 8 })
  })

  it.each([
    ['a row was edited', "UPDATE events SET body = replace(body, 'echo b', 'echo x') WHERE seq = 3"],
    ['rows were cut off', 'DELETE FROM events WHERE seq > 4'],
    ['a trigger was added', 'CREATE TRIGGER t AFTER INSERT ON events BEGIN DELETE FROM events; END'],
  ])('is refused and left exactly as it is when %s', (_how, sql) => {
    tamper(sql)
    const before = readFileSync(file)
    expect(() => opened((audit) => audit.began(intent('d')))).toThrow(
      expect.objectContaining({
        code: 'AUDIT_UNAVAILABLE',
        message: expect.stringMatching(/older form.*Move it away/),
      }),
    )
    expect(readFileSync(file).equals(before)).toBe(true)
    expect(versionOf()).toBe(1)
  })

  it('is brought up to date once by processes that open it at the same time, and none loses anything', async () => {
    const script = await buildAppender(directory)
    const writers = ['w0', 'w1', 'w2', 'w3'].map((name) =>
      startAppender([process.execPath, script, file, 'append', name, '5']),
    )
    await Promise.all(writers.map(({ exited }) => exited))
    for (const { said } of writers) expect(said.at(-1)).toBe('done')
    expect(opened((audit) => audit.verify())).toEqual({ ok: true, rows: 6 + 4 * 5 * 2 })
  }, 60_000)

  it.each([
    [
      'rewritten from before the change',
      "UPDATE forms SET digest = replace(digest, substr(digest, 1, 1), 'f') || 'f' WHERE version = 2",
    ],
    ['without its record', 'DELETE FROM forms'],
    [
      'cut off before the change, its end moved',
      'DELETE FROM events WHERE seq > 4; UPDATE head SET rows = 4, digest = (SELECT digest FROM events WHERE seq = 4)',
    ],
  ])('is found not whole after that when it is %s', (_how, sql) => {
    expect(opened((audit) => audit.verify())).toEqual({ ok: true, rows: 6 })
    tamper(sql)
    expect(opened((audit) => audit.verify())).toMatchObject({ ok: false })
  })

  it('is left alone when it is of a form that only a newer Cordon knows', () => {
    tamper('PRAGMA user_version = 3')
    const before = readFileSync(file)
    expect(() => opened((audit) => audit.verify())).toThrow(/written by a newer version of Cordon\. Use that version/)
    expect(readFileSync(file).equals(before)).toBe(true)
  })
})
