import { randomBytes } from 'node:crypto'
import { lstatSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CordonError } from '../../core/model/basics/errors.js'
import { resolveId } from '../../core/model/basics/id.js'
import { type Answer, type AnswerOrigin, Approval } from '../../core/model/policy/approval.js'
import type { Caller } from '../../core/model/run/request.js'
import { maskSecrets } from '../../core/present/mask.js'
import type { AnswerLog, RecordedAnswer } from '../../engine/ports/answer-log.js'
import { seal, unseal } from '../state-key/seal.js'
import { openStateKey, type StateKey } from '../state-key/state-key.js'
import { answerRecord, forgedRecord } from './answer-records.js'
import { readOwnFile } from './read-own-file.js'

/**
 * Held commands on disk, one file each, so that a person at another terminal can answer. The audit log holds the
 * answers.
 */
export interface ApprovalStore {
  /** Stores a held command and returns it. `shared`, the default: returns a waiting one with the same plan instead. */
  add(approval: Approval, shared?: boolean): Approval
  /** Takes an id or a beginning that no other has. */
  get(id: string): Approval
  ids(): readonly string[]
  /** Newest first. */
  list(): readonly Approval[]
  /** The first answer wins: a second one is refused with APPROVAL_INVALID. */
  answer(id: string, answer: Answer, note?: string): Approval
  /** Marks an answer as used, atomically: of two that try, one gets it. */
  consume(id: string): boolean
  /** Why an answer counts for nothing, where there is one that Cordon did not write; null where there is none. */
  forgery(id: string): string | null
}

export interface StoreOptions {
  readonly directory: string
  readonly now: () => number
  readonly log: AnswerLog
  /** Default: that of the directory above. */
  readonly key?: StateKey
  /** Origin of answers given here. */
  readonly origin: () => AnswerOrigin
  readonly caller: Caller
}

const SAFE_ID = /^[a-z0-9]{1,64}$/
/** Age at which answered, used and expired ones are removed, so that a late answer still learns their state. */
const KEEP_MS = 7 * 24 * 60 * 60 * 1000
/** The command is at most 1 MiB of arguments; the rest is reasons and scripts, encrypted and in base64. */
const MAX_BYTES = 16 * 1024 * 1024
const PURPOSE = 'held commands'

/**
 * Opens the store. `<id>.json` is the held command, sealed with the key of the state directory: a person sees exactly
 * what was held, and a secret in it is not readable on disk. After the answer its text is masked. The answer and its
 * use are rows of the audit log.
 */
export function openApprovals({ directory, now, log, origin, caller, ...options }: StoreOptions): ApprovalStore {
  const key = options.key ?? openStateKey(dirname(directory))
  const file = (id: string, suffix: string): string => join(directory, `${id}.${suffix}`)
  /** Used by this process. Valid even if an older copy replaces the log. */
  const used = new Set<string>()

  const write = (approval: Approval): void => {
    const temporary = file(approval.id, `new-${randomBytes(6).toString('hex')}`)
    const sealed = seal(key.forWriting(PURPOSE), approval.id, JSON.stringify(approval))
    writeFileSync(temporary, JSON.stringify({ sealed }), { mode: 0o600 })
    renameSync(temporary, file(approval.id, 'json'))
  }

  const unsealed = (id: string): Approval | null => {
    const secret = key.forReading(PURPOSE)
    const { sealed } = (jsonOf(readOwnFile(file(id, 'json'), MAX_BYTES)) ?? {}) as { sealed?: unknown }
    const text = secret !== null && typeof sealed === 'string' ? unseal(secret, id, sealed) : null
    const held = Approval.safeParse(jsonOf(text)).data
    return held?.id === id ? held : null
  }

  const read = (id: string): Approval | null => {
    const held = unsealed(id)
    if (held !== null) return withAnswer(held, recorded(held))
    if (lstatSync(file(id, 'json'), { throwIfNoEntry: false })) report(id, null, 'a file that Cordon did not write')
    return null
  }

  /**
   * Returns the audit row of the answer for this plan. A file with the name of an answer, as earlier versions wrote it,
   * is ignored.
   */
  const recorded = (held: Approval): RecordedAnswer => {
    const planted = file(held.id, 'answer')
    if (lstatSync(planted, { throwIfNoEntry: false })) {
      report(held.id, held, 'a file with the name of an answer')
      rmSync(planted, { recursive: true, force: true })
    }
    const found = log.find(held.id)
    const isOther = found.state === 'answered' && found.record.planDigest !== held.digest
    const answer: RecordedAnswer = isOther ? { state: 'forged', why: 'the answer belongs to another plan' } : found
    if (answer.state === 'forged') report(held.id, held, answer.why)
    return answer
  }

  const reported = new Map<string, string>()
  const report = (id: string, held: Approval | null, why: string): void => {
    if (reported.has(id)) return
    reported.set(id, why)
    log.forged(forgedRecord(id, held, why, { at: iso(), caller }))
  }

  const withAnswer = (held: Approval, answer: RecordedAnswer): Approval => {
    if (answer.state === 'forged') return { ...held, state: 'forged' }
    if (answer.state === 'none') return { ...held, state: Date.parse(held.expiresAt) <= now() ? 'expired' : 'pending' }
    const { record } = answer
    const answered = {
      ...masked(held),
      note: record.answer.note,
      approver: record.approver ?? null,
      answeredAt: record.at,
    }
    if (record.answer.scope === 'deny') return { ...answered, state: 'denied' }
    const expiresAt = new Date(Date.parse(record.at) + held.runMs).toISOString()
    const isUsed = answer.used || used.has(held.id)
    return { ...answered, expiresAt, state: isUsed ? 'used' : Date.parse(expiresAt) <= now() ? 'expired' : 'approved' }
  }

  const iso = (): string => new Date(now()).toISOString()

  const ids = (): readonly string[] =>
    names(directory).flatMap((name) =>
      name.endsWith('.json') && SAFE_ID.test(name.slice(0, -5)) ? [name.slice(0, -5)] : [],
    )

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
      const held = unsealed(id)
      const ends = held ? Date.parse(held.expiresAt) + held.runMs : written
      if (ends + KEEP_MS <= now()) rmSync(file(id, 'json'), { recursive: true, force: true })
    }
  }

  /** The oldest decides, so that two processes that add at once agree on one. */
  const waiting = (digest: string): Approval | undefined =>
    list().findLast((one) => one.state === 'pending' && one.digest === digest)

  return {
    add(approval, shared = true) {
      // Opens the log, which makes the key with its first anchor.
      log.find(approval.id)
      mkdirSync(directory, { recursive: true, mode: 0o700 })
      prune()
      const before = shared ? waiting(approval.digest) : undefined
      if (before) return before
      write(approval)
      // Another process may have added one meanwhile.
      const standing = (shared ? waiting(approval.digest) : undefined) ?? approval
      if (standing.id !== approval.id) rmSync(file(approval.id, 'json'), { force: true })
      return standing
    },
    get,
    ids,
    list,
    answer(given, answer, note) {
      const approval = get(given)
      const { id } = approval
      if (approval.state !== 'pending') throw settled(approval)
      const words = { answer, note: note?.trim() ? maskSecrets(note.trim()) : null, from: origin() }
      if (!log.answered(answerRecord(masked(approval), words, { at: iso(), caller }))) throw settled(get(id))
      write(masked(approval))
      const found = get(id)
      if (found.state === 'forged') throw unrecorded(id, reported.get(id) ?? '')
      return found
    },
    consume(id) {
      if (used.has(id) || !log.use(id, iso())) return false
      used.add(id)
      return true
    },
    forgery: (id) => reported.get(id) ?? null,
  }
}

/** Returns an answered command with masked text. */
const masked = (held: Approval): Approval => ({
  ...held,
  command: maskSecrets(held.command),
  because: held.because.map(({ reason, instead, ...match }) => ({
    ...match,
    reason: maskSecrets(reason),
    ...(instead === undefined ? {} : { instead: maskSecrets(instead) }),
  })),
  rule: held.rule === null || JSON.stringify(held.rule) === maskSecrets(JSON.stringify(held.rule)) ? held.rule : null,
  scripts: held.scripts.map(([path, text]) => [path, maskSecrets(text)]),
})

const names = (directory: string): string[] => {
  try {
    return readdirSync(directory)
  } catch {
    return []
  }
}

function jsonOf(text: string | null): unknown {
  try {
    return text === null ? null : JSON.parse(text)
  } catch {
    return null
  }
}

const unknown = (id: string): CordonError =>
  new CordonError(
    'NOT_FOUND',
    `There is no approval ${JSON.stringify(id)}. List pending approvals with \`cordon approvals\`.`,
  )

const unrecorded = (id: string, why: string): CordonError =>
  new CordonError(
    'AUDIT_UNAVAILABLE',
    `The answer to approval ${id} is not valid: ${why}. Check the log with \`cordon audit verify\` first.`,
  )

const settled = ({ id, state }: Approval): CordonError =>
  new CordonError(
    'APPROVAL_INVALID',
    state === 'approved'
      ? `Approval ${id} was approved already; the first answer counts. Run the same command again to use it.`
      : `Approval ${id} is ${state} already; the first answer counts. Run the command again to ask again.`,
  )
