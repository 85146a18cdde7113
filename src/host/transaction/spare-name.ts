import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'

const NAME = /^spare-(\d+)-[0-9a-f]+$/

/** For what a process keeps ready for a transaction that has not begun. */
export const spareName = (): string => `spare-${process.pid}-${randomBytes(6).toString('hex')}`

/** It was kept ready by a process that is gone. */
export function isAbandoned(name: string): boolean {
  const pid = NAME.exec(name)?.[1]
  return pid !== undefined && !existsSync(`/proc/${pid}`)
}
