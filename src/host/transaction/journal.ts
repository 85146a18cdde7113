import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import * as z from 'zod'
import { TransactionRecord } from '../../core/model/change.js'
import { CordonError } from '../../core/model/errors.js'
import { isErrno } from './entry.js'
import { Owner } from './owner.js'
import { Step } from './step.js'

/** A record and what only its own process, or the one that cleans up after it, needs to know. */
export const StoredRecord = z.strictObject({
  ...TransactionRecord.shape,
  adapter: z.enum(['overlay', 'copy', 'undo']),
  footings: z.array(z.strictObject({ root: z.string(), vault: z.string(), scratch: z.string() })).readonly(),
  owner: Owner,
  /** What becomes of it when its process dies while applying. */
  fallback: z.enum(['interrupted', 'waiting']),
  scope: z.array(z.string()).readonly(),
  /** Bytes of pre-images. */
  keptBytes: z.int(),
})
export type StoredRecord = z.infer<typeof StoredRecord>

export interface Journal {
  /** Atomically replaces what is stored. `durable`: on the disk when this returns, so it holds against a power failure too. */
  write(record: StoredRecord, steps: readonly Step[], durable: boolean): void
  record(id: string): StoredRecord
  steps(id: string): readonly Step[]
  /** Newest first. */
  ids(): readonly string[]
  remove(id: string): void
}

/** The first line is the record, each further line a step: a list of records need not read the steps. */
const HEAD_BYTES = 16 * 1024
const ID = /^[A-Za-z0-9_-]{1,128}$/

export function openJournal(directory: string): Journal {
  const fileOf = (id: string): string => join(directory, `${id}.jsonl`)
  const checked = (id: string): string => {
    if (typeof id === 'string' && ID.test(id)) return id
    throw new CordonError('INVALID_ARGUMENTS', `${JSON.stringify(id)} is not the id of a transaction.`)
  }
  return {
    write(record, steps, durable) {
      const file = fileOf(checked(record.id))
      const text = [record, ...steps].map((line) => JSON.stringify(line)).join('\n')
      mkdirSync(directory, { recursive: true, mode: 0o700 })
      writeWhole(file, `${text}\n`, durable)
    },
    record: (id) => StoredRecord.parse(JSON.parse(firstLine(fileOf(checked(id)), id))),
    steps: (id) =>
      contents(fileOf(checked(id)), id)
        .split('\n')
        .slice(1, -1)
        .map((line) => Step.parse(JSON.parse(line))),
    ids: () =>
      entries(directory)
        .filter((name) => name.endsWith('.jsonl'))
        .map((name) => name.slice(0, -'.jsonl'.length))
        .sort()
        .reverse(),
    remove: (id) => rmSync(fileOf(checked(id)), { force: true }),
  }
}

function entries(directory: string): readonly string[] {
  try {
    return readdirSync(directory)
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return []
    throw error
  }
}

function writeWhole(file: string, text: string, durable: boolean): void {
  const fresh = `${file}.new`
  const descriptor = openSync(fresh, 'w', 0o600)
  try {
    writeFileSync(descriptor, text)
    if (durable) fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
  renameSync(fresh, file)
  if (durable) syncDirectory(dirname(file))
}

function syncDirectory(directory: string): void {
  const descriptor = openSync(directory, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

function contents(file: string, id: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw missing(error, id)
  }
}

function firstLine(file: string, id: string): string {
  const head = Buffer.alloc(HEAD_BYTES)
  try {
    const descriptor = openSync(file, 'r')
    try {
      const end = head.subarray(0, readSync(descriptor, head)).indexOf('\n')
      if (end >= 0) return head.toString('utf8', 0, end)
    } finally {
      closeSync(descriptor)
    }
  } catch (error) {
    throw missing(error, id)
  }
  return contents(file, id).split('\n', 1)[0] ?? ''
}

const missing = (error: unknown, id: string): unknown =>
  isErrno(error, 'ENOENT')
    ? new CordonError('NOT_FOUND', `There is no transaction ${id}; \`cordon history\` shows those there are.`)
    : error
