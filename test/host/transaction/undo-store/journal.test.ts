import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Journal, openJournal, type StoredRecord } from '../../../../src/host/transaction/undo-store/journal.js'
import { spareName } from '../../../../src/host/transaction/undo-store/spare-name.js'
import type { Step } from '../../../../src/host/transaction/undo-store/step.js'

const record = (state: StoredRecord['state'], id = 'one'): StoredRecord => ({
  id,
  at: '2026-01-01T00:00:00.000Z',
  command: 'echo "ä\n"',
  agent: null,
  workspace: '/w',
  kind: 'command',
  of: null,
  state,
  changes: {
    counts: { created: 0, modified: 0, deleted: 0, modeChanged: 0, directories: 0, bytes: 0 },
    list: [],
    omitted: 0,
  },
  undo: 'none',
  note: null,
  adapter: 'overlay',
  rootPaths: [],
  owner: { pid: 1, started: '' },
  fallback: 'interrupted',
  scope: [],
  keptBytes: 0,
})
/** Its path looks like the head of a frame, on a line of its own. */
const STEP: Step = {
  root: 0,
  path: 'a\n00000000 2\n{}',
  act: 'drop',
  before: null,
  after: null,
  from: null,
  keep: 'one/0/before/0',
}

let directory: string
let journal: Journal
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'cordon-journal-'))
  journal = openJournal(directory)
})
afterEach(() => {
  journal.close()
  rmSync(directory, { recursive: true, force: true })
})

const file = (): string => join(directory, 'one.journal')

/** Reads the journal anew: the state and the steps, or null if there is none. */
function found(): readonly [string, readonly Step[]] | null {
  const fresh = openJournal(directory)
  const [first] = fresh.records()
  return first ? [first.state, fresh.steps(first.id)] : null
}

/** The bytes of one record after another. */
function written(): { readonly whole: Buffer; readonly firstEnds: number } {
  journal.write(record('running'), [], false)
  const firstEnds = readFileSync(file()).length
  journal.write(record('applying'), [STEP, STEP], false)
  return { whole: readFileSync(file()), firstEnds }
}

describe('a journal', () => {
  it('holds the last write, durable or not, for every reader', () => {
    written()
    expect(found()).toEqual(['applying', [STEP, STEP]])
    journal.write(record('committed'), [STEP], true)
    expect(found()).toEqual(['committed', [STEP]])
    expect(journal.record('one').state).toBe('committed')
  })

  it('cut short after any byte, holds what had been written as a whole before', () => {
    const { whole, firstEnds } = written()
    for (let length = 0; length <= whole.length; length += 1) {
      writeFileSync(file(), whole.subarray(0, length))
      const expected = length < firstEnds ? null : length < whole.length ? ['running', []] : ['applying', [STEP, STEP]]
      expect([length, found()]).toEqual([length, expected])
    }
  })

  it('cut short after any byte, holds what is written next', () => {
    const { whole } = written()
    for (let length = 0; length < whole.length; length += 1) {
      writeFileSync(file(), whole.subarray(0, length))
      openJournal(directory).write(record('interrupted'), [STEP], false)
      expect([length, found()]).toEqual([length, ['interrupted', [STEP]]])
    }
  })

  it('with any byte of what was written last damaged, holds what was written before', () => {
    const { whole, firstEnds } = written()
    for (let at = firstEnds; at < whole.length; at += 1) {
      const damaged = Buffer.from(whole)
      damaged[at] = (damaged[at] ?? 0) ^ 1
      writeFileSync(file(), damaged)
      expect([at, found()]).toEqual([at, ['running', []]])
      damaged[at] = 0
      writeFileSync(file(), damaged)
      expect([at, found()]).toEqual([at, ['running', []]])
    }
  })

  it('of which only the end reached the disk holds that', () => {
    const { whole, firstEnds } = written()
    writeFileSync(file(), Buffer.concat([Buffer.alloc(firstEnds), whole.subarray(firstEnds)]))
    expect(found()).toEqual(['applying', [STEP, STEP]])
  })

  it('of a build before 0.1.0, with other names for its roots, is read with the current ones', () => {
    const { rootPaths: _, ...rest } = record('committed')
    const older = { ...rest, footings: [{ root: '/w', vault: '/state/vault', scratch: '/state/vault' }] }
    // biome-ignore lint/suspicious/noExplicitAny: this is the form of an older build.
    journal.write(older as any, [], true)
    const found = openJournal(directory)
    expect(found.record('one').rootPaths).toEqual([{ root: '/w', storePath: '/state/vault', scratch: '/state/vault' }])
    found.close()
  })

  it('that was removed meanwhile is written anew', () => {
    written()
    unlinkSync(file())
    journal.write(record('committed'), [STEP], false)
    expect(found()).toEqual(['committed', [STEP]])
  })

  it('sees what another process wrote since', () => {
    journal.write(record('waiting'), [], false)
    expect(journal.record('one').state).toBe('waiting')
    openJournal(directory).write(record('discarded'), [], false)
    expect(journal.record('one').state).toBe('discarded')
    openJournal(directory).remove('one')
    expect(() => journal.record('one')).toThrow('Transaction one does not exist')
  })

  it('refuses what is not the name of a transaction', () => {
    for (const id of ['../one', '', 'a/b', 'a.b']) expect(() => journal.record(id)).toThrow('is not a transaction id')
  })
})

describe('a journal made ahead', () => {
  it('is used for the next transaction, and never for one that is there', () => {
    journal.write(record('waiting'), [STEP], false)
    journal.prepare()
    journal.write(record('running'), [], false)
    expect(found()).toEqual(['running', []])
    expect(readFileSync(file(), 'latin1')).toContain('"waiting"')
    const [spare] = readdirSync(directory).filter((name) => name.startsWith('spare-'))
    journal.write(record('running', 'two'), [], false)
    expect([typeof spare, journal.ids()]).toEqual(['string', ['two', 'one']])
    expect(journal.record('two').id).toBe('two')
    journal.prepare()
    expect(readdirSync(directory).filter((name) => name.startsWith('spare-'))).not.toEqual([spare])
    journal.close()
    expect(readdirSync(directory).sort()).toEqual(['one.journal', 'two.journal'])
  })

  it('is not left behind when the journal is closed', () => {
    journal.prepare()
    journal.close()
    expect(readdirSync(directory)).toEqual([])
  })
})

describe('files of a process that died before it had written a record', () => {
  it('are removed when they are old, and others are not', () => {
    const { whole } = written()
    const names = ['torn.journal', 'young.journal', spareName({ pid: 2 ** 22 + 1, started: '' }), spareName()]
    for (const name of names) writeFileSync(join(directory, name), whole.subarray(0, 40))
    const long = new Date(Date.now() - 3_600_000)
    for (const name of [...names, 'one.journal']) {
      if (name !== 'young.journal') utimesSync(join(directory, name), long, long)
    }
    journal.removeUnwritten(60_000)
    expect(names.map((name) => existsSync(join(directory, name)))).toEqual([false, true, false, true])
    expect(journal.ids()).toEqual(['young', 'one'])
    expect(journal.records().map(({ id }) => id)).toEqual(['one'])
  })
})
