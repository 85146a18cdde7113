import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { CordonError } from '../../../src/core/model/basics/errors.js'
import { openDatabase } from '../../../src/host/audit/driver.js'
import { openAudit } from '../../../src/host/audit/sqlite-audit.js'
import { ended, intent } from '../../contract/audit-events.js'
import { buildAppender, startAppender } from './appender-process.js'

const base = mkdtempSync(join(tmpdir(), 'cordon-audit-'))
let script = ''
beforeAll(async () => {
  script = await buildAppender(base)
})
afterAll(() => rmSync(base, { recursive: true, force: true }))

let file = ''
beforeEach(() => {
  file = join(mkdtempSync(join(base, 'a-')), 'sub', 'audit.db')
})

const write = (to = file): CordonError | null => {
  const audit = openAudit({ file: to })
  try {
    audit.began(intent('x'))
    return null
  } catch (error) {
    return error as CordonError
  } finally {
    audit.close()
  }
}
/** Changes the log as another program would. */
const change = (sql: string): void => {
  const database = openDatabase(file)
  database.exec(sql)
  database.close()
}
const place = (content: string): void => {
  mkdirSync(join(file, '..'), { recursive: true })
  writeFileSync(file, content)
}

describe('the path of the audit log', () => {
  it('is made for its owner alone, and only when it is written', () => {
    const audit = openAudit({ file })
    expect(audit.query({})).toEqual([])
    expect(audit.verify()).toMatchObject({ ok: true, rows: 0 })
    expect(existsSync(join(file, '..'))).toBe(false)
    audit.began(intent('x'))
    expect(statSync(join(file, '..')).mode & 0o777).toBe(0o700)
    for (const name of [file, `${file}-wal`]) expect(statSync(name).mode & 0o777).toBe(0o600)
    audit.close()
  })

  it('is closed to others when it was open to them', () => {
    place('')
    chmodSync(file, 0o644)
    expect(write()).toBeNull()
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  it.each([
    [
      'is not a database',
      () => place('hello, I am a text file and long enough for a header\n'.repeat(40)),
      'not an audit log',
    ],
    [
      'is a database of something else',
      () => {
        place('')
        change('CREATE TABLE t (x)')
      },
      'not an audit log',
    ],
    [
      'is a link',
      () => {
        place('')
        renameSync(file, `${file}.real`)
        symlinkSync(`${file}.real`, file)
      },
      'symbolic link',
    ],
    [
      'is a link to nowhere',
      () => {
        place('')
        rmSync(file)
        symlinkSync('/nowhere/at/all', file)
      },
      'symbolic link',
    ],
    ['is a directory', () => mkdirSync(file, { recursive: true }), 'not a regular file'],
    [
      'is a pipe',
      () => {
        place('')
        rmSync(file)
        execFileSync('mkfifo', [file])
      },
      'not a regular file',
    ],
    [
      'has another schema version',
      () => {
        write()
        change('PRAGMA user_version = 99')
      },
      'another version of Cordon wrote it. Use that version to read it, or move it away',
    ],
    ['lies below a file', () => writeFileSync(join(file, '..'), ''), 'not a directory'],
  ])('is refused when it %s, with the path and what to do', (_, prepare, cause) => {
    prepare()
    const error = write()
    expect(error).toMatchObject({ name: 'CordonError', code: 'AUDIT_UNAVAILABLE' })
    expect(error?.message).toContain(file)
    expect(error?.message).toContain(cause)
    expect(error?.message).toMatch(/\. [A-Z].*\.$/)
  })

  it('is refused on a read-only file system', () => {
    expect(write('/proc/cordon/audit.db')).toMatchObject({ code: 'AUDIT_UNAVAILABLE' })
    expect(write('a\0b')).toMatchObject({ code: 'AUDIT_UNAVAILABLE' })
  })

  it('is refused when it is damaged', () => {
    const audit = openAudit({ file })
    for (let i = 0; i < 200; i += 1) audit.refused(intent(`i${i}`), ended(`i${i}`))
    audit.close()
    const descriptor = openSync(file, 'r+')
    // Pages after the first: the file still opens as a database.
    writeSync(descriptor, Buffer.alloc(statSync(file).size - 4096, 0xa5), 0, null, 4096)
    closeSync(descriptor)
    expect(write()).toMatchObject({ code: 'AUDIT_UNAVAILABLE', message: expect.stringContaining('damaged') })
  })

  it('is refused when it was deleted or replaced while in use', () => {
    const audit = openAudit({ file })
    audit.began(intent('x'))
    rmSync(file)
    expect(() => audit.ended(ended('x'))).toThrowError(/moved or deleted while in use/)
    writeFileSync(file, '')
    expect(() => audit.ended(ended('x'))).toThrowError(expect.objectContaining({ code: 'AUDIT_UNAVAILABLE' }))
    audit.close()
  })

  it('is refused to a user who may only read it', async () => {
    write()
    chmodSync(file, 0o444)
    const said = await appendAsOrdinaryUser(file)
    expect(said).toMatchObject({ code: 'AUDIT_UNAVAILABLE', message: expect.stringContaining('no write permission') })
  })

  it('is refused on a full disk, keeps what was recorded, and goes on when there is room again', async () => {
    // A file system of its own, so small that it is full after some hundred requests.
    const disk = mkdtempSync(join(base, 'disk-'))
    const shell = `node="$1"; script="$2"; log=${disk}/audit.db
      "$node" "$script" $log append a 100000 | tail -n 1
      "$node" "$script" $log append b 1 | tail -n 1
      cp $log $log-wal ${disk}/audit.head ${disk}/secret.key "$3"`
    const copy = mkdtempSync(join(base, 'copy-'))
    const sandbox = ['bwrap', '--die-with-parent', '--dev-bind', '/', '/', '--size', '2000000', '--tmpfs', disk]
    const { exited, said } = startAppender([
      ...sandbox,
      'bash',
      '--norc',
      '-c',
      shell,
      'bash',
      process.execPath,
      script,
      copy,
    ])
    await exited
    expect(said).toHaveLength(2)
    for (const line of said) {
      expect(JSON.parse(line)).toMatchObject({
        code: 'AUDIT_UNAVAILABLE',
        message: expect.stringContaining('the disk is full'),
      })
    }
    const audit = openAudit({ file: join(copy, 'audit.db') })
    expect(audit.verify()).toMatchObject({ ok: true })
    expect(audit.query({ limit: 10_000 }).length).toBeGreaterThan(20)
    audit.began(intent('after'))
    expect(audit.verify()).toMatchObject({ ok: true })
    audit.close()
  })
})

/** Root may write everything, so the test gives that up where it has it. */
async function appendAsOrdinaryUser(log: string): Promise<unknown> {
  const nobody = 65_534
  const isRoot = process.getuid?.() === 0
  if (isRoot) {
    for (const path of [base, join(log, '../..'), join(log, '..')]) chmodSync(path, 0o755)
    chownSync(log, 0, 0)
  }
  const as = isRoot ? ['setpriv', '--reuid', String(nobody), '--regid', String(nobody), '--clear-groups'] : []
  const { exited, said } = startAppender([...as, process.execPath, script, log, 'append', 'u', '1'])
  await exited
  return JSON.parse(said.at(-1) ?? 'null')
}
