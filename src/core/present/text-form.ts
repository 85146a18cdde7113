import type { Result } from '../model/result.js'
import { took } from './took.js'

/** A result as a model reads it: the output, how it ended if not well, and how long it took. */
export function toText(result: Result): string {
  return [body(result), ...ending(result), took(result.durationMs)].join('\n\n')
}

function body({ stdout, stderr }: Result): string {
  const parts = [stdout, stderr].filter((text) => text !== '').map(withoutLastNewline)
  return parts.length === 0 ? '(no output)' : parts.join('\n')
}

function ending({ exitCode, error, timedOut, cancelled, transaction, evidence, ending: how }: Result): string[] {
  const said: string[] = []
  if (error !== null && (timedOut || cancelled || how.how === 'killed')) said.push(error.message)
  else if (exitCode !== 0) said.push(`Command exited with code ${exitCode}`)
  if (transaction?.outcome === 'rolled-back') {
    said.push(`Changes were taken back: ${transaction.restored} restored, ${transaction.deleted} deleted`)
  }
  if (evidence.length > 0) said.push(`The wall: ${evidence.join('; ')}`)
  if (transaction?.warning != null) said.push(`Warning: ${transaction.warning}`)
  return said
}

const withoutLastNewline = (text: string): string => (text.endsWith('\n') ? text.slice(0, -1) : text)
