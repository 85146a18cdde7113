import { randomBytes } from 'node:crypto'
import { type ProcessIdentity, processNow, textOf, thisProcess } from '../paths/process-identity.js'
import { keyOf } from './locations.js'

const NAME = /^spare-(\d+)-([0-9a-f]+)-[0-9a-f]+$/

/** For what a process keeps ready for a transaction that has not begun. */
export const spareName = (owner: ProcessIdentity = thisProcess()): string =>
  `spare-${owner.pid}-${keyOf(textOf(owner))}-${randomBytes(6).toString('hex')}`

/** Reports whether the process that prepared a file has ended, even if its pid is reused. */
export function isAbandoned(name: string): boolean {
  const [, pid, key] = NAME.exec(name) ?? []
  if (pid === undefined) return false
  const now = processNow(Number(pid))
  return now.started === '' || keyOf(textOf(now)) !== key
}
