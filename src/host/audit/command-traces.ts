import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Directories of a state directory that are filled only after the log has its first row. */
const RECORDS: readonly (readonly [directory: string, ending: string])[] = [
  ['transactions', '.journal'],
  ['approvals', '.json'],
]

/** Reports whether a state directory has traces of commands or approvals. Their audit rows were written first. */
export const hasCommandTraces = (stateDirectory: string): boolean =>
  RECORDS.some(([directory, ending]) => namesIn(join(stateDirectory, directory)).some((name) => name.endsWith(ending)))

/** Reports whether a state directory has traces of commands. */
export const hasTransactions = (stateDirectory: string): boolean =>
  namesIn(join(stateDirectory, 'transactions')).some((name) => name.endsWith('.journal'))

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory)
  } catch {
    return []
  }
}
