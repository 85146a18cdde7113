import { afterEach, describe, expect, it } from 'vitest'
import type { Audit } from '../../src/engine/ports/ports.js'
import { ended, intent } from './audit-events.js'

/** Tests that every Audit keeps its contract. `open` returns a new, empty one. */
export function auditContract(name: string, open: () => Audit): void {
  describe(`the audit contract: ${name}`, () => {
    let audits: Audit[] = []
    const fresh = (): Audit => {
      const audit = open()
      audits.push(audit)
      return audit
    }
    afterEach(() => {
      for (const audit of audits) audit.close()
      audits = []
    })

    it('a new audit log is empty and whole', () => {
      const audit = fresh()
      expect(audit.query({})).toEqual([])
      expect(audit.verify()).toMatchObject({ ok: true, rows: 0 })
    })

    it('a started request is listed as running, then with its result', () => {
      const audit = fresh()
      audit.began(intent('a'))
      expect(audit.query({})).toEqual([{ ...intent('a'), outcome: 'running', endedAt: null }])
      audit.ended(ended('a', { exitCode: 3, outcome: 'error', message: 'no' }))
      const { id: _, at, ...rest } = ended('a', { exitCode: 3, outcome: 'error', message: 'no' })
      expect(audit.query({})).toEqual([{ ...intent('a'), ...rest, endedAt: at }])
      expect(audit.verify()).toMatchObject({ ok: true, rows: 2 })
    })

    it('a refused request is recorded completely', () => {
      const audit = fresh()
      audit.refused(
        intent('r', { verdict: 'deny', planDigest: null }),
        ended('r', { outcome: 'blocked', exitCode: null }),
      )
      expect(audit.query({})).toMatchObject([{ id: 'r', verdict: 'deny', outcome: 'blocked', exitCode: null }])
      expect(audit.verify()).toMatchObject({ ok: true, rows: 2 })
    })

    it('every character of a command is recorded', () => {
      const audit = fresh()
      const command = 'printf "\u0000\u001f\ud800 😀 é \u2028" \n; \' " \\ %'
      audit.began(intent('odd', { command, request: null, cwd: null }))
      expect(audit.query({})[0]).toMatchObject({ command, request: null, cwd: null })
    })

    it('the newest entries are listed first, fifty by default', () => {
      const audit = fresh()
      for (let i = 0; i < 60; i += 1) audit.refused(intent(`i${i}`), ended(`i${i}`))
      const ids = audit.query({}).map(({ id }) => id)
      expect(ids).toHaveLength(50)
      expect(ids.slice(0, 2)).toEqual(['i59', 'i58'])
      expect(audit.query({ limit: 2 }).map(({ id }) => id)).toEqual(['i59', 'i58'])
      expect(audit.query({ limit: 1000 })).toHaveLength(60)
    })

    it('all records are read oldest first, over any number of pages', () => {
      const audit = fresh()
      for (let i = 0; i < 1_201; i += 1) audit.refused(intent(`i${i}`), ended(`i${i}`))
      const ids = [...audit.records({})].map(({ id }) => id)
      expect(ids).toEqual(Array.from({ length: 1_201 }, (_, i) => `i${i}`))
      expect([...audit.records({ limit: 2 })].map(({ id }) => id)).toEqual(['i0', 'i1'])
      expect([...audit.records({ limit: 700, outcome: 'success' })]).toHaveLength(700)
      expect([...audit.records({ outcome: 'running' })]).toEqual([])
    })

    it.each([
      [{ agent: 'x' }, ['c', 'b']],
      [{ agent: 'X' }, []],
      [{ outcome: 'blocked' }, ['c']],
      [{ outcome: 'running' }, ['d']],
      [{ outcome: 'interrupted' }, []],
      [{ verdict: 'deny' }, ['c']],
      [{ text: 'push' }, ['c', 'b']],
      [{ text: '%' }, []],
      [{ since: '2026-01-02T00:00:00Z' }, ['d', 'c']],
      [{ since: '2026-01-02T00:00:00.001Z' }, ['d']],
      [{ id: 'b' }, ['b']],
      [{ agent: 'x', text: 'push', outcome: 'success', limit: 1 }, ['b']],
    ] as const)('the query %j finds its entries', (query, ids) => {
      const audit = fresh()
      audit.refused(intent('a'), ended('a'))
      audit.refused(intent('b', { agent: 'x', command: 'git push' }), ended('b'))
      audit.refused(
        intent('c', { agent: 'x', command: 'git push -f', verdict: 'deny', at: '2026-01-02T00:00:00.000Z' }),
        ended('c', { outcome: 'blocked' }),
      )
      audit.began(intent('d', { at: '2026-01-03T00:00:00Z' }))
      expect(audit.query(query).map(({ id }) => id)).toEqual(ids)
    })

    it('an invalid query is refused', () => {
      const audit = fresh()
      for (const bad of [{ limit: 0 }, { limit: 1.5 }, { since: 'yesterday' }, { unknown: 1 }, { outcome: 'fine' }]) {
        expect(() => audit.query(bad as never)).toThrowError(expect.objectContaining({ code: 'INVALID_ARGUMENTS' }))
      }
    })

    it('an end without a start, a second start and a second end are refused', () => {
      const audit = fresh()
      const internal = expect.objectContaining({ code: 'INTERNAL' })
      expect(() => audit.ended(ended('a'))).toThrowError(internal)
      audit.began(intent('a'))
      expect(() => audit.began(intent('a'))).toThrowError(internal)
      audit.ended(ended('a'))
      expect(() => audit.ended(ended('a'))).toThrowError(internal)
      expect(() => audit.refused(intent('a'), ended('a'))).toThrowError(internal)
      expect(audit.verify()).toMatchObject({ ok: true, rows: 2 })
    })

    it('a closed audit log reports its use', () => {
      const audit = fresh()
      audit.began(intent('a'))
      audit.close()
      audit.close()
      const gone = expect.objectContaining({ code: 'AUDIT_UNAVAILABLE' })
      expect(() => audit.began(intent('b'))).toThrowError(gone)
      expect(() => audit.query({})).toThrowError(gone)
    })
  })
}
