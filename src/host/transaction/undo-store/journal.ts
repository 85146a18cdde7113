import { readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { CordonError } from '../../../core/model/basics/errors.js'
import { TransactionRecord } from '../../../core/model/run/change.js'
import { isErrno, namesIn } from '../paths/entry.js'
import { ProcessIdentity } from '../paths/process-identity.js'
import { AppendedFiles } from './append-cache.js'
import { framed, lastFrame } from './journal-frame.js'
import { isAbandoned } from './spare-name.js'
import { Step } from './step.js'

/** A record and what only its own process, or the one that cleans up after it, needs to know. */
export const StoredRecord = z.strictObject({
  ...TransactionRecord.shape,
  adapter: z.enum(['overlay', 'copy', 'undo']),
  rootPaths: z
    .array(
      z.strictObject({ root: z.string(), storePath: z.string(), scratch: z.string(), identity: z.string().optional() }),
    )
    .readonly(),
  owner: ProcessIdentity,
  /** The state after a crash during a commit. A rolled back transaction also returns to it after a conflict. */
  fallback: z.enum(['interrupted', 'waiting', 'rolled-back']),
  /** Absolute paths that other processes changed while a command ran whose changes were restored. */
  underneath: z.array(z.string()).readonly().optional(),
  scope: z.array(z.string()).readonly(),
  /** Bytes of pre-images. */
  keptBytes: z.int(),
  /** Set if the files in the undo store are no longer needed. */
  spent: z.literal(true).optional(),
})
export type StoredRecord = z.infer<typeof StoredRecord>

/** Renames the keys of records that builds before 0.1.0 wrote, so that their changes can still be undone. */
function withCurrentKeys(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('footings' in value)) return value
  const { footings, ...rest } = value
  if (!Array.isArray(footings)) return value
  return { ...rest, rootPaths: footings.map(({ vault, ...paths }) => ({ ...paths, storePath: vault })) }
}

export interface Journal {
  /** Makes what the next transaction needs, so that it is there when that begins. */
  prepare(): void
  /**
   * Appends the current state. The previous one counts until the new one is complete. `durable`: flushed before the
   * call returns, so it survives a power failure.
   */
  write(record: StoredRecord, steps: readonly Step[], durable: boolean): void
  /** As `write`, and lets others be served while many steps are put into words. The steps must not change meanwhile. */
  writeMany(record: StoredRecord, steps: readonly Step[], durable: boolean): Promise<void>
  record(id: string): StoredRecord
  steps(id: string): readonly Step[]
  /** Newest first. */
  ids(): readonly string[]
  /** Returns the records of all ids, except those with an incomplete first frame and those being removed. */
  records(): readonly StoredRecord[]
  remove(id: string): void
  /** Removes files without a record that are older than this: their process died before it wrote one. */
  removeUnwritten(ageMs: number): void
  close(): void
}

const ID = /^[A-Za-z0-9_-]{1,128}$/
const ENDING = '.journal'
/** States in which the process still writes the file. */
const OPEN = new Set<StoredRecord['state']>(['running', 'applying'])

/** Steps after which other commands get a turn. */
const YIELD_EVERY = 1_024
const lineOf = (item: StoredRecord | Step): string => `${JSON.stringify(item)}\n`

/**
 * Opens the journal: one file per transaction. Its last complete frame counts: the record on the first line, then one
 * step per line.
 */
export function openJournal(directory: string): Journal {
  const fileOf = (id: string): string => join(directory, `${checkedId(id)}${ENDING}`)
  const files = new AppendedFiles(directory, fileOf)
  const known = new Map<string, { readonly version: string; readonly record: StoredRecord }>()
  const record = (id: string): StoredRecord => {
    const version = versionOf(fileOf(id), id)
    const found = known.get(id)
    if (found?.version === version) return found.record
    const fresh = StoredRecord.parse(withCurrentKeys(JSON.parse(linesOf(fileOf(id), id)[0] ?? '')))
    known.set(id, { version, record: fresh })
    return fresh
  }
  const ids = (): readonly string[] =>
    namesIn(directory)
      .filter((name) => name.endsWith(ENDING))
      .map((name) => name.slice(0, -ENDING.length))
      .sort()
      .reverse()
  const append = (of: StoredRecord, lines: readonly string[], durable: boolean): void => {
    files.append(of.id, framed(Buffer.from(lines.join(''))), durable)
    if (!OPEN.has(of.state)) files.close(of.id)
  }
  return {
    prepare: () => files.prepare(),
    write: (of, steps, durable) => append(of, [of, ...steps].map(lineOf), durable),
    async writeMany(of, steps, durable) {
      const lines = [lineOf(of)]
      for (let at = 0; at < steps.length; at += YIELD_EVERY) {
        lines.push(...steps.slice(at, at + YIELD_EVERY).map(lineOf))
        if (at + YIELD_EVERY < steps.length) await new Promise(setImmediate)
      }
      append(of, lines, durable)
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
      for (const name of namesIn(directory)) {
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
  throw new CordonError(
    'INVALID_ARGUMENTS',
    `${JSON.stringify(id)} is not a transaction id. List the ids with \`cordon history\`.`,
  )
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
  new CordonError('NOT_FOUND', `Transaction ${id} does not exist. List the transactions with \`cordon history\`.`)
