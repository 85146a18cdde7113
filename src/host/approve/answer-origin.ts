import { readFileSync, readlinkSync } from 'node:fs'
import { userInfo } from 'node:os'
import { isatty } from 'node:tty'
import type { AnswerOrigin } from '../../core/model/policy/approval.js'

/**
 * Returns the user and terminal of this process. The login uid survives sudo and su, and no process of a user can
 * change it.
 */
export function answerOrigin(env: Readonly<Record<string, string | undefined>>): AnswerOrigin {
  return {
    user: userName(),
    uid: process.getuid?.() ?? null,
    loginUid: loginUid(),
    sudoUser: env.SUDO_USER || null,
    terminal: terminalOf([0, 2, 1]),
    pid: process.pid,
  }
}

function userName(): string | null {
  try {
    return userInfo().username
  } catch {
    return null
  }
}

/** Value of the kernel for "no login". */
const UNSET = 0xffff_ffff

function loginUid(): number | null {
  try {
    const uid = Number(readFileSync('/proc/self/loginuid', 'utf8'))
    return Number.isSafeInteger(uid) && uid !== UNSET ? uid : null
  } catch {
    return null
  }
}

function terminalOf(descriptors: readonly number[]): string | null {
  const open = descriptors.find((descriptor) => isatty(descriptor))
  if (open === undefined) return null
  try {
    return readlinkSync(`/proc/self/fd/${open}`)
  } catch {
    return 'a terminal'
  }
}
