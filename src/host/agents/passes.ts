import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, renameSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readOwnFile } from '../approve/read-own-file.js'
import { seal, unseal } from '../state-key/seal.js'
import type { StateKey } from '../state-key/state-key.js'

/** Leave for one run of one plan, which a hook hands to the shell of the same agent. */
export interface Pass {
  readonly digest: string
  readonly approval: string
  readonly agent: string
  /** The agent's session, if it reports one. */
  readonly session: string | null
  /**
   * `dialog`: the agent asks the person, and starts the command only after a yes. `grant`: an approval was used up
   * for it.
   */
  readonly by: 'dialog' | 'grant'
  /** Milliseconds since the epoch. */
  readonly until: number
}

export interface Passes {
  leave(pass: Pass): void
  /** Uses up a pass for the plan. Null where there is none for this session. Of two that try, one gets it. */
  redeem(digest: string, session: string | null): Pass | null
}

const PURPOSE = 'passes of hooks'
const NAME = /^([0-9a-f]{64})-[0-9a-f]{16}$/
const MAX_BYTES = 16_384

/**
 * Passes are files of the state directory, sealed with its key: sandboxes hide both, so that no command can make,
 * copy or read one. A pass is used by removing its file.
 */
export function openPasses(directory: string, key: StateKey, now: () => number): Passes {
  const read = (name: string): Pass | null => {
    const secret = key.forReading(PURPOSE)
    const sealed = readOwnFile(join(directory, name), MAX_BYTES)
    const text = secret && sealed ? unseal(secret, name, sealed) : null
    return text === null ? null : (JSON.parse(text) as Pass)
  }
  const prune = (): void => {
    for (const name of names(directory)) if ((read(name)?.until ?? 0) <= now()) remove(join(directory, name))
  }
  return {
    leave(pass) {
      mkdirSync(directory, { recursive: true, mode: 0o700 })
      prune()
      const name = `${pass.digest}-${randomBytes(8).toString('hex')}`
      const temporary = join(directory, `new-${name}`)
      writeFileSync(temporary, seal(key.forWriting(PURPOSE), name, JSON.stringify(pass)), { mode: 0o600, flag: 'wx' })
      renameSync(temporary, join(directory, name))
    },
    redeem(digest, session) {
      for (const name of names(directory).filter((one) => NAME.exec(one)?.[1] === digest)) {
        const pass = read(name)
        if (pass === null || pass.digest !== digest || pass.session !== session || pass.until <= now()) continue
        if (remove(join(directory, name))) return pass
      }
      return null
    },
  }
}

function names(directory: string): readonly string[] {
  try {
    return readdirSync(directory).filter((name) => NAME.test(name))
  } catch {
    return []
  }
}

/** Returns false where another process was faster. */
function remove(file: string): boolean {
  try {
    unlinkSync(file)
    return true
  } catch {
    return false
  }
}
