import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Database, openDatabase } from '../../../src/host/audit/driver.js'
import { prepareSchema } from '../../../src/host/audit/schema.js'
import { openAudit } from '../../../src/host/audit/sqlite-audit.js'

/** The database, with something that happens right after a question of that number was answered. */
function interrupted(db: Database, after: number, happens: () => void): Database {
  let asked = 0
  const answered = <T>(answer: T): T => {
    asked += 1
    if (asked === after) happens()
    return answer
  }
  return {
    exec: (sql) => db.exec(sql),
    close: () => db.close(),
    prepare: (sql) => {
      const statement = db.prepare(sql)
      return {
        run: (...values) => statement.run(...values),
        get: (...values) => answered(statement.get(...values)),
        all: (...values) => answered(statement.all(...values)),
      }
    },
  }
}

/** Makes the log where there is none. */
function expectWhole(file: string): void {
  const audit = openAudit({ file })
  expect(audit.verify()).toMatchObject({ ok: true, rows: 0 })
  audit.close()
}

describe('a log that is made by two at once', () => {
  let directory = ''

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'cordon-audit-create-'))
  })
  afterEach(() => {
    rmSync(directory, { recursive: true, force: true })
  })

  it.each([1, 2, 3])('is used by both, though the other is faster after question %i', (after) => {
    const file = join(directory, 'audit.db')
    const db = openDatabase(file)
    prepareSchema(interrupted(db, after, () => expectWhole(file)))
    db.close()
    expectWhole(file)
  })
})
