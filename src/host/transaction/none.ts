import type { Transactions } from '../../engine/ports.js'

/** Secures nothing: what a command changes stays changed. */
export const noTransactions: Transactions = {
  during: async (plan, _grant, launch) => ({ ending: await launch(plan), report: null }),
}
