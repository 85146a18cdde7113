import { randomBytes } from 'node:crypto'
import {
  closeSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { Answered, Approval } from '../../core/model/approval.js'
import { CordonError } from '../../core/model/errors.js'
import { resolveId } from '../../core/model/id.js'
import { readOwnFile } from './read-own-file.js'

/** Held commands on disk, one file each, so that a person at another terminal can answer them. */
export interface ApprovalStore {
  /** Stores a held command and returns it. `shared`, the default: if the same plan waits already, returns that one instead. */
  add(approval: Approval, shared?: boolean): Approval
  /** Takes an id or a beginning that no other has. */
  get(id: string): Approval
  ids(): readonly string[]
  /** Newest first. */
  list(): readonly Approval[]
  /** The first answer wins: a second one is refused with APPROVAL_INVALID. */
  answer(id: string, verdict: 'approved' | 'denied', note?: string): Approval
  /** Marks an answer as used, atomically: of two that try, one gets it. */
  consume(id: string): boolean
}

const SAFE_ID = /^[a-z0-9]{1,64}$/
/** Answered, used and expired ones are kept this long, so that a late answer is told what became of it. */
const KEEP_MS = 7 * 24 * 60 * 60 * 1000
/** The command is at most 1 MiB of arguments; the rest is reasons. */
const MAX_BYTES = 8 * 1024 * 1024
const SUFFIXES = ['json', 'answer', 'used'] as const

/**
 * `<id>.json` is the held command, `<id>.answer` what was said to it, `<id>.used` what is left of an answer that was used. The last two
 * are created exclusively, so that of two who try, one succeeds.
 */
export function openApprovals(directory: string, now: () => number): ApprovalStore {
  const file = (id: string, suffix: string): string => join(directory, `${id}.${suffix}`)

  const isUsed = (id: string): boolean => lstatSync(file(id, 'used'), { throwIfNoEntry: false }) !== undefined

  const withAnswer = (held: Approval, answer: Answered | null): Approval => {
    if (answer === null)
      return { ...held, state: isUsed(held.id) ? 'used' : Date.parse(held.expiresAt) <= now() ? 'expired' : 'pending' }
    const { verdict, note, at } = answer
    const answered = { ...held, note, answeredAt: at }
    if (verdict === 'denied') return { ...answered, state: 'denied' }
    const expiresAt = new Date(Date.parse(at) + held.runMs).toISOString()
    const state = isUsed(held.id) ? 'used' : Date.parse(expiresAt) <= now() ? 'expired' : 'approved'
    return { ...answered, expiresAt, state }
  }

  const read = (id: string): Approval | null => {
    const held = parsed(Approval, readOwnFile(file(id, 'json'), MAX_BYTES))
    if (held === null || held.id !== id) return null
    return withAnswer(held, answerOf(id))
  }

  /** A file that is no answer is no yes. */
  const answerOf = (id: string): Answered | null => {
    const path = file(id, 'answer')
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return null
    return (
      parsed(Answered, readOwnFile(path, MAX_BYTES)) ?? { verdict: 'denied', note: null, at: new Date(0).toISOString() }
    )
  }

  const ids = (): readonly string[] =>
    names(directory).flatMap((name) => (name.endsWith('.json') ? [name.slice(0, -5)] : []))

  const get = (given: string): Approval => {
    const id = SAFE_ID.test(given) ? resolveId(given, ids(), unknown) : null
    const found = id === null ? null : read(id)
    if (found === null) throw unknown(given)
    return found
  }

  const list = (): readonly Approval[] =>
    ids()
      .flatMap((id) => read(id) ?? [])
      .sort((a, b) => (a.createdAt === b.createdAt ? (a.id < b.id ? 1 : -1) : a.createdAt < b.createdAt ? 1 : -1))

  const prune = (): void => {
    for (const id of ids()) {
      const written = lstatSync(file(id, 'json'), { throwIfNoEntry: false })?.mtimeMs ?? 0
      const ends = Date.parse(read(id)?.expiresAt ?? new Date(written).toISOString())
      if (ends + KEEP_MS > now()) continue
      for (const suffix of SUFFIXES) rmSync(file(id, suffix), { force: true })
    }
  }

  /** The oldest decides, so that two processes that add at once agree on one. */
  const waiting = (digest: string): Approval | undefined =>
    list().findLast((one) => one.state === 'pending' && one.digest === digest)

  return {
    add(approval, shared = true) {
      mkdirSync(directory, { recursive: true, mode: 0o700 })
      prune()
      const before = shared ? waiting(approval.digest) : undefined
      if (before) return before
      const temporary = file(approval.id, 'new')
      writeFileSync(temporary, JSON.stringify(approval), { mode: 0o600 })
      renameSync(temporary, file(approval.id, 'json'))
      // Another process may have added one meanwhile.
      const standing = (shared ? waiting(approval.digest) : undefined) ?? approval
      if (standing.id !== approval.id) rmSync(file(approval.id, 'json'), { force: true })
      return standing
    },
    get,
    ids,
    list,
    answer(given, verdict, note) {
      const approval = get(given)
      const { id } = approval
      if (approval.state !== 'pending') throw settled(approval)
      const answer: Answered = { verdict, note: note?.trim() || null, at: new Date(now()).toISOString() }
      // Written first and linked then, so that nobody who looks meanwhile takes half an answer for a no.
      const temporary = file(id, `answer-${randomBytes(6).toString('hex')}`)
      writeFileSync(temporary, JSON.stringify(answer), { mode: 0o600 })
      try {
        linkSync(temporary, file(id, 'answer'))
      } catch {
        throw settled(get(id))
      } finally {
        rmSync(temporary, { force: true })
      }
      return get(id)
    },
    consume(id) {
      try {
        closeSync(openSync(file(id, 'used'), 'wx', 0o600))
        return true
      } catch {
        return false
      }
    },
  }
}

const names = (directory: string): string[] => {
  try {
    return readdirSync(directory)
  } catch {
    return []
  }
}

function parsed<T>(schema: { parse(value: unknown): T }, text: string | null): T | null {
  try {
    return text === null ? null : schema.parse(JSON.parse(text))
  } catch {
    return null
  }
}

const unknown = (id: string): CordonError =>
  new CordonError(
    'NOT_FOUND',
    `There is no approval ${JSON.stringify(id)}. \`cordon approvals\` lists those that wait.`,
  )

const settled = ({ id, state }: Approval): CordonError =>
  new CordonError(
    'APPROVAL_INVALID',
    state === 'approved'
      ? `Approval ${id} is approved already; the first answer counts. Run the same command again to use it.`
      : `Approval ${id} is ${state} already; the first answer counts. Run the command again to ask anew.`,
  )
