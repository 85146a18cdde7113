import type { AuditRecord } from '../../core/model/run/audit.js'

/** A person's answer to a held command, as the audit log shows it. */
export type AnswerRecord = AuditRecord & { readonly answer: NonNullable<AuditRecord['answer']> }

/** The audit log's view of an approval. `forged` names why an answer does not count. */
export type RecordedAnswer =
  | { readonly state: 'none' }
  | { readonly state: 'answered'; readonly record: AnswerRecord; readonly used: boolean }
  | { readonly state: 'forged'; readonly why: string }

/**
 * Answers to held commands: rows of the audit log, signed. Each approval has one answer at most, which is used once
 * at most.
 */
export interface AnswerLog {
  /** Returns false where the approval has an answer already. */
  answered(record: AnswerRecord): boolean
  find(approval: string): RecordedAnswer
  /** Returns false where the answer was used already, or there is none. */
  use(approval: string, at: string): boolean
  /** Records a forged answer, once for each approval. */
  forged(record: AuditRecord): void
}
