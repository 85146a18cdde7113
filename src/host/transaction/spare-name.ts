import { randomBytes } from 'node:crypto'
import { type Owner, processNow, textOf, thisProcess } from './owner.js'
import { keyOf } from './place.js'

const NAME = /^spare-(\d+)-([0-9a-f]+)-[0-9a-f]+$/

/** For what a process keeps ready for a transaction that has not begun. */
export const spareName = (owner: Owner = thisProcess()): string =>
  `spare-${owner.pid}-${keyOf(textOf(owner))}-${randomBytes(6).toString('hex')}`

/** It was kept ready by a process that is gone, though another may have its number by now. */
export function isAbandoned(name: string): boolean {
  const [, pid, key] = NAME.exec(name) ?? []
  if (pid === undefined) return false
  const now = processNow(Number(pid))
  return now.started === '' || keyOf(textOf(now)) !== key
}
