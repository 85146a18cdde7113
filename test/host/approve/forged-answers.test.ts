import { chmodSync, copyFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Approval } from '../../../src/core/model/policy/approval.js'
import { type ApprovalStore, openApprovals } from '../../../src/host/approve/approval-store.js'
import { canonical, digestOf, GENESIS } from '../../../src/host/audit/chain.js'
import { openDatabase } from '../../../src/host/audit/driver.js'
import { openAudit } from '../../../src/host/audit/sqlite-audit.js'

const NOW = Date.parse('2026-01-01T00:00:00Z')

const approval = (id: string, digest = `plan ${id}`): Approval => ({
  id,
  digest,
  command: 'git push',
  cwd: '/w',
  workspace: '/w',
  agent: 'a',
  profile: 'workspace',
  because: [],
  scripts: [],
  rule: null,
  createdAt: new Date(NOW).toISOString(),
  expiresAt: new Date(NOW + 86_400_000).toISOString(),
  runMs: 600_000,
  answeredAt: null,
  note: null,
  approver: null,
  state: 'pending',
})

interface Body {
  kind: string
  id: string
  event: Record<string, unknown> & { answer?: { scope: string } }
  signature?: string
}

/** Attacks by programs of the same user on the state directory, without its key. */
describe('a forged answer to a held command', () => {
  let state = ''
  const closing: (() => void)[] = []

  const openStore = (directory = state): ApprovalStore & { readonly rows: () => readonly unknown[] } => {
    const audit = openAudit({ file: join(directory, 'audit.db') })
    closing.push(() => audit.close())
    const store = openApprovals({
      directory: join(directory, 'approvals'),
      now: () => NOW,
      log: audit.answers,
      origin: () => ({ user: 'anna', uid: 7, loginUid: 7, sudoUser: null, terminal: null, pid: 1 }),
      caller: 'cli',
    })
    return { ...store, rows: () => audit.query({ outcome: 'blocked' }).map(({ id, rule }) => `${rule} ${id}`) }
  }
  const close = (): void => {
    for (const one of closing.splice(0)) one()
  }
  /** Rewrites the log as `change` has its rows, with a chain that is whole. */
  const rewriteLog = (change: (bodies: Body[]) => Body[]): void => {
    close()
    const db = openDatabase(join(state, 'audit.db'))
    const rows = db.prepare('SELECT body FROM events ORDER BY seq').all() as { body: string }[]
    const bodies = change(rows.map(({ body }) => JSON.parse(body)))
    db.exec('DELETE FROM events')
    let digest = GENESIS
    for (const [at, body] of bodies.entries()) {
      digest = digestOf(digest, at + 1, canonical(body))
      db.prepare('INSERT INTO events (seq, body, digest) VALUES (?, ?, ?)').run(at + 1, canonical(body), digest)
    }
    db.prepare('UPDATE head SET rows = ?, digest = ?').run(bodies.length, digest)
    db.close()
    const [, , signature = ''] = readFileSync(join(state, 'audit.head'), 'latin1').trim().split(' ')
    writeFileSync(join(state, 'audit.head'), `${String(bodies.length).padStart(16)} ${digest} ${signature}\n`)
  }
  const copyOf = (name: string): string => {
    close()
    const copy = join(state, name)
    for (const file of ['audit.db', 'audit.head']) copyFileSync(join(state, file), `${copy}-${file}`)
    return copy
  }

  beforeEach(() => {
    state = mkdtempSync(join(tmpdir(), 'cordon-forged-'))
    const store = openStore()
    store.add(approval('aaaa'))
    store.add(approval('bbbb'))
    store.answer('aaaa', 'once', 'this branch')
  })
  afterEach(() => {
    close()
    rmSync(state, { recursive: true, force: true })
  })

  const answerOf = (bodies: readonly Body[]): Body =>
    structuredClone(bodies.find(({ kind }) => kind === 'answered')) as Body

  it.each<[string, string, (bodies: Body[]) => Body[]]>([
    ['the row of another, under its id', 'bbbb', (bodies) => [...bodies, { ...answerOf(bodies), id: 'bbbb' }]],
    [
      'the row of another, renamed throughout',
      'bbbb',
      (bodies) => [...bodies, JSON.parse(JSON.stringify(answerOf(bodies)).replaceAll('aaaa', 'bbbb'))],
    ],
    [
      'a row without a signature',
      'bbbb',
      (bodies) => [...bodies, { ...answerOf(bodies), id: 'bbbb', signature: undefined as never }],
    ],
    ['a row that is no answer', 'bbbb', (bodies) => [...bodies, { kind: 'answered', id: 'bbbb', event: {} }]],
    [
      'an earlier time in its row',
      'aaaa',
      (bodies) => bodies.map((b) => ({ ...b, event: { ...b.event, at: '2027-01-01T00:00:00.000Z' } })),
    ],
    [
      'another plan in its row',
      'aaaa',
      (bodies) => bodies.map((b) => ({ ...b, event: { ...b.event, planDigest: 'plan bbbb' } })),
    ],
    [
      'other words in its row',
      'aaaa',
      (bodies) => bodies.map((b) => JSON.parse(JSON.stringify(b).replace('this branch', 'all branches'))),
    ],
    ['a log written anew around its row', 'aaaa', (bodies) => [{ kind: 'forged', id: 'x', event: {} }, ...bodies]],
  ])('a forged answer does not count: %s', (_, id, change) => {
    rewriteLog(change)
    const store = openStore()
    expect(store.get(id).state).toBe('forged')
    expect(store.forgery(id)).toMatch(/audit log|audit\.head/)
    expect(store.rows()).toContain(`approval/forged ${id}`)
    expect(() => store.answer(id, 'once')).toThrow(/forged already/)
  })

  it('does not count a no that was turned into a yes', () => {
    openStore().answer('bbbb', 'deny')
    rewriteLog((bodies) => bodies.map((b) => JSON.parse(JSON.stringify(b).replace('"deny"', '"once"'))))
    expect(openStore().get('bbbb').state).toBe('forged')
  })

  it('counts once, though the log is set back to a copy from before its use, or its last rows are cut off', () => {
    const copy = copyOf('before')
    expect(openStore().consume('aaaa')).toBe(true)
    const after = copyOf('after')
    copyFileSync(`${copy}-audit.db`, join(state, 'audit.db'))
    expect(openStore().get('aaaa').state).toBe('forged')
    copyFileSync(`${after}-audit.db`, join(state, 'audit.db'))
    rewriteLog((bodies) => bodies.filter(({ kind }) => kind !== 'used'))
    expect(openStore().get('aaaa').state).toBe('forged')
  })

  it('is used once per process, even if the files change', () => {
    const copy = copyOf('before')
    const store = openStore()
    expect(store.consume('aaaa')).toBe(true)
    expect(store.consume('aaaa')).toBe(false)
    expect(store.get('aaaa').state).toBe('used')
    expect(readFileSync(`${copy}-audit.head`, 'latin1')).not.toBe(readFileSync(join(state, 'audit.head'), 'latin1'))
  })

  it('counts for one of two engines', () => {
    const [one, other] = [openStore(), openStore()]
    expect([one.consume('aaaa'), other.consume('aaaa'), other.get('aaaa').state]).toEqual([true, false, 'used'])
  })

  it('is none for a held command whose file was edited, copied under another id or written by others', () => {
    const file = (id: string): string => join(state, 'approvals', `${id}.json`)
    const { sealed } = JSON.parse(readFileSync(file('bbbb'), 'utf8'))
    copyFileSync(file('aaaa'), file('cccc'))
    writeFileSync(file('dddd'), JSON.stringify({ ...approval('dddd'), state: 'approved' }))
    const other = sealed[40] === 'A' ? 'B' : 'A'
    writeFileSync(file('bbbb'), JSON.stringify({ sealed: `${sealed.slice(0, 40)}${other}${sealed.slice(41)}` }))
    const store = openStore()
    expect(store.list().map(({ id }) => id)).toEqual(['aaaa'])
    expect([...store.rows()].sort()).toEqual(['bbbb', 'cccc', 'dddd'].map((id) => `approval/forged ${id}`))
  })

  it('is none in another state directory, which has another key', () => {
    const other = mkdtempSync(join(tmpdir(), 'cordon-forged-'))
    try {
      openStore(other).add(approval('eeee'))
      cpSync(join(state, 'approvals'), join(other, 'approvals'), { recursive: true })
      expect(
        openStore(other)
          .list()
          .map(({ id }) => id),
      ).toEqual(['eeee'])
    } finally {
      close()
      rmSync(other, { recursive: true, force: true })
    }
  })

  it('leaves neither the command nor the answer readable in a file', () => {
    const texts = ['aaaa', 'bbbb'].map((id) => readFileSync(join(state, 'approvals', `${id}.json`), 'utf8'))
    expect(texts.join('')).not.toMatch(/git|push|this branch/)
  })

  it('is refused where others may read the key, and held commands wait anew where it was removed', () => {
    close()
    chmodSync(join(state, 'secret.key'), 0o644)
    expect(() => openStore().list()).toThrow(/secret\.key cannot be used: other users may read or write it/)
    close()
    rmSync(join(state, 'secret.key'))
    expect(openStore().list()).toEqual([])
  })
})
