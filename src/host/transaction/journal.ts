import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { TransactionRecord } from '../../core/model/change.js'
import { CordonError } from '../../core/model/errors.js'
import { AppendedFiles } from './appended-files.js'
import { isErrno } from './entry.js'
import { framed, lastFrame } from './frame.js'
import { Owner } from './owner.js'
import { isAbandoned } from './spare-name.js'
import { Step } from './step.js'

/** A record and what only its own process, or the one that cleans up after it, needs to know. */
export const StoredRecord = z.strictObject({
  ...TransactionRecord.shape,
  adapter: z.enum(['overlay', 'copy', 'undo']),
  footings: z
    .array(
      z.strictObject({ root: z.string(), vault: z.string(), scratch: z.string(), identity: z.string().optional() }),
    )
    .readonly(),
  owner: Owner,
  /** The state it returns to when its process dies while applying. A restored one returns to it after a conflict too. */
  fallback: z.enum(['interrupted', 'waiting', 'rolled-back']),
  /** Absolute paths that other processes changed while a command ran whose changes were restored. */
  underneath: z.array(z.string()).readonly().optional(),
  scope: z.array(z.string()).readonly(),
  /** Bytes of pre-images. */
  keptBytes: z.int(),
  /** Nothing that its process left in the vault is needed any more. */
  spent: z.literal(true).optional(),
})
export type StoredRecord = z.infer<typeof StoredRecord>

export interface Journal {
  /** Makes what the next transaction needs, so that it is there when that begins. */
  prepare(): void
  /**
   * Appends what stands now; what stood before counts until all of it is there. `durable`: on the disk when this returns, so it holds
   * against a power failure too.
   */
  write(record: StoredRecord, steps: readonly Step[], durable: boolean): void
  record(id: string): StoredRecord
  steps(id: string): readonly Step[]
  /** Newest first. */
  ids(): readonly string[]
  /** Of all ids. Those whose first word was cut short, or that are being removed, have none. */
  records(): readonly StoredRecord[]
  remove(id: string): void
  /** Files that have no record, when nobody has written to them for so long: their process died before it had. */
  removeUnwritten(ageMs: number): void
  close(): void
}

const ID = /^[A-Za-z0-9_-]{1,128}$/
const ENDING = '.journal'
/** What its process goes on writing to. */
const OPEN = new Set<StoredRecord['state']>(['running', 'applying'])

/** One file for each transaction. Its last whole frame counts: on the first line the record, on each further one a step. */
export function openJournal(directory: string): Journal {
  const fileOf = (id: string): string => join(directory, `${checkedId(id)}${ENDING}`)
  const files = new AppendedFiles(directory, fileOf)
  const known = new Map<string, { readonly version: string; readonly record: StoredRecord }>()
  const record = (id: string): StoredRecord => {
    const version = versionOf(fileOf(id), id)
    const found = known.get(id)
    if (found?.version === version) return found.record
    const fresh = StoredRecord.parse(JSON.parse(linesOf(fileOf(id), id)[0] ?? ''))
    known.set(id, { version, record: fresh })
    return fresh
  }
  const ids = (): readonly string[] =>
    entries(directory)
      .filter((name) => name.endsWith(ENDING))
      .map((name) => name.slice(0, -ENDING.length))
      .sort()
      .reverse()
  return {
    prepare: () => files.prepare(),
    write(of, steps, durable) {
      const lines = [of, ...steps].map((line) => `${JSON.stringify(line)}\n`)
      files.append(of.id, framed(Buffer.from(lines.join(''))), durable)
      if (!OPEN.has(of.state)) files.close(of.id)
    },
    record,
    steps: (id) =>
      linesOf(fileOf(id), id)
        .slice(1, -1)
        .map((line) => Step.parse(JSON.parse(line))),
    ids,
    records: () => ids().flatMap((id) => found(() => record(id))),
    remove(id) {
      files.close(id)
      known.delete(id)
      rmSync(fileOf(id), { force: true })
    },
    removeUnwritten(ageMs) {
      for (const name of entries(directory)) {
        const id = name.endsWith(ENDING) ? name.slice(0, -ENDING.length) : null
        const isEmpty = id === null ? isAbandoned(name) : found(() => record(id)).length === 0
        if (isEmpty && ageOf(join(directory, name)) > ageMs) rmSync(join(directory, name), { force: true })
      }
    },
    close: () => files.closeAll(),
  }
}

export function checkedId(id: string): string {
  if (typeof id === 'string' && ID.test(id)) return id
  throw new CordonError('INVALID_ARGUMENTS', `${JSON.stringify(id)} is not the id of a transaction.`)
}

function entries(directory: string): readonly string[] {
  try {
    return readdirSync(directory)
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return []
    throw error
  }
}

const ageOf = (file: string): number => Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())

function versionOf(file: string, id: string): string {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false })
  if (!stats) throw missing(id)
  return `${stats.ino} ${stats.size} ${stats.mtimeNs}`
}

function linesOf(file: string, id: string): readonly string[] {
  try {
    const body = lastFrame(readFileSync(file))
    if (body) return body.toString('utf8').split('\n')
  } catch (error) {
    if (!isErrno(error, 'ENOENT')) throw error
  }
  throw missing(id)
}

function found<T>(get: () => T): readonly T[] {
  try {
    return [get()]
  } catch (error) {
    if (error instanceof CordonError && error.code === 'NOT_FOUND') return []
    throw error
  }
}

export const missing = (id: string): CordonError =>
  new CordonError('NOT_FOUND', `There is no transaction ${id}; \`cordon history\` shows those there are.`)
