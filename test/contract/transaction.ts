import { securedWorkspace, type TransactionsUnderTest } from './secured-workspace.js'
import { settling } from './transaction-settling.js'
import { telling } from './transaction-telling.js'
import { undoing } from './transaction-undoing.js'

/** What every way of securing files promises. Real commands, real mounts, nothing mocked. */
export function transactionContract(name: string, subject: TransactionsUnderTest): void {
  const ground = securedWorkspace(subject)
  for (const promises of [settling, undoing, telling]) promises(name, ground)
}
