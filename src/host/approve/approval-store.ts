import { randomBytes } from 'node:crypto'
import {
  closeSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { Approval } from '../../core/model/approval.js'
import { CordonError } from '../../core/model/errors.js'

/** Held commands on disk, one file each, so that a person at another terminal can answer them. */
export interface ApprovalStore {
  add(approval: Approval): void
  get(id: string): Approval
  list(): readonly Approval[]
  /** The first answer wins: a second one is refused with APPROVAL_INVALID. */
  answer(id: string, verdict: 'approved' | 'denied'): Approval
  /** Takes a granted approval out of the world, atomically: of two that try, one gets it. */
  consume(id: string): boolean
}

const SAFE_ID = /^[a-z0-9]{6,64}$/
/** Answered, used and expired ones are kept this long, so that a late answer is told what became of it. */
const KEEP_MS = 7 * 24 * 60 * 60 * 1000

/**
 * `<id>.json` is the held command, `<id>.answer` what was said to it, `<id>.used` what is left of a grant that ran. The last two
 * are created exclusively, so that of two who try, one succeeds.
 */
export function openApprovals(directory: string, now: () => number): ApprovalStore {
  const file = (id: string, suffix: string): string => join(directory, `${id}.${suffix}`)

  const has = (id: string, suffix: string): boolean => {
    try {
      readFileSync(file(id, suffix))
      return true
    } catch {
      return false
    }
  }

  const stateOf = (approval: Approval): Approval['state'] => {
    if (has(approval.id, 'used')) return 'used'
    const answer = answerOf(approval.id)
    if (answer === 'denied') return 'denied'
    if (Date.parse(approval.expiresAt) <= now()) return 'expired'
    return answer ?? 'pending'
  }

  const answerOf = (id: string): 'approved' | 'denied' | null => {
    try {
      return readFileSync(file(id, 'answer'), 'utf8') === 'approved' ? 'approved' : 'denied'
    } catch {
      return null
    }
  }

  const get = (id: string): Approval => {
    if (!SAFE_ID.test(id)) throw unknown(id)
    try {
      const approval = Approval.parse(JSON.parse(readFileSync(file(id, 'json'), 'utf8')))
      return { ...approval, state: stateOf(approval) }
    } catch {
      throw unknown(id)
    }
  }

  const list = (): readonly Approval[] => {
    const ids = names(directory)
      .filter((name) => name.endsWith('.json'))
      .map((name) => name.slice(0, -5))
    return ids.flatMap((id) => tryGet(get, id)).sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1))
  }

  const prune = (): void => {
    for (const old of list()) {
      if (Date.parse(old.expiresAt) + KEEP_MS > now()) continue
      for (const suffix of ['json', 'answer', 'used']) rmSync(file(old.id, suffix), { force: true })
    }
  }

  return {
    add(approval) {
      mkdirSync(directory, { recursive: true, mode: 0o700 })
      prune()
      const temporary = file(approval.id, 'new')
      writeFileSync(temporary, JSON.stringify(approval), { mode: 0o600 })
      renameSync(temporary, file(approval.id, 'json'))
    },
    get,
    list,
    answer(id, verdict) {
      const approval = get(id)
      if (approval.state !== 'pending') throw settled(approval)
      // Written first and linked then, so that nobody who looks meanwhile takes half an answer for a no.
      const temporary = file(id, `answer-${randomBytes(6).toString('hex')}`)
      writeFileSync(temporary, verdict, { mode: 0o600 })
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

const tryGet = (get: (id: string) => Approval, id: string): Approval[] => {
  try {
    return [get(id)]
  } catch {
    return []
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
      ? `Approval ${id} is approved already; the first answer counts. It is used by running the same command with --approval ${id}.`
      : `Approval ${id} is ${state} already; the first answer counts. Run the command again to ask anew.`,
  )
