import { securedWorkspace, type TransactionsUnderTest } from './secured-workspace.js'
import { settling } from './transaction-settling.js'
import { telling } from './transaction-telling.js'
import { undoing } from './transaction-undoing.js'

/** Tests the contract of every transaction method with real commands and mounts. */
export function transactionContract(name: string, subject: TransactionsUnderTest): void {
  const ground = securedWorkspace(subject)
  for (const promises of [settling, undoing, telling]) promises(name, ground)
}
