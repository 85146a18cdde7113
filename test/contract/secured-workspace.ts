import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import type { Plan, Sandbox, Securing } from '../../src/core/model/policy/plan.js'
import type { Launcher } from '../../src/engine/ports/ports.js'
import { createTransactions } from '../../src/host/transaction/transactions.js'
import { launchAndCollect, planOf } from './launcher-plan.js'
import { furnish } from './transaction-tree.js'

export interface TransactionsUnderTest {
  launcher(): Launcher
  sandbox(workspace: string): Sandbox
}

export const SECURING: Securing = {
  onFailure: 'restore',
  rollbackCodes: null,
  scope: [],
  maxBytes: 64 * 1024 * 1024,
  required: true,
}
export const GRANT = { digest: '', by: 'policy', approval: null } as const

/** Changes of every kind. */
export const EVERYTHING = [
  'echo more >> a.txt',
  'rm src/b.txt',
  'mkdir -p new/deep && echo n > new/deep/n',
  'chmod 600 tool.sh',
  'rm -rf src/deep && mkdir src/deep && echo other > src/deep/d',
  'ln -sfn src link',
  'mv tool.sh moved.sh',
  'rmdir empty && echo file > empty',
  'mkfifo pipe',
  'ln a.txt second-name',
].join('; ')

type Transactions = ReturnType<typeof createTransactions>

/** Workspace with files for each test, whose commands run in transactions. */
export interface SecuredWorkspace {
  /** Contains the workspace, and is not part of it. */
  readonly top: string
  readonly workspace: string
  readonly launcher: Launcher
  readonly transactions: Transactions
  sandbox(): Sandbox
  run(script: string, over?: Partial<Plan>): ReturnType<Transactions['during']>
  at(path: string): string
  text(path: string): string
  /** Returns stored data of past transactions after all are settled. */
  leftOvers(): Promise<readonly string[]>
}

export function securedWorkspace(subject: TransactionsUnderTest): SecuredWorkspace {
  let top = ''
  let launcher: Launcher
  let transactions: Transactions
  beforeAll(() => {
    launcher = subject.launcher()
  })
  afterAll(() => launcher.close())
  beforeEach(() => {
    top = realpathSync(mkdtempSync(join(tmpdir(), 'cordon-transaction-')))
    mkdirSync(workspaceOf())
    furnish(workspaceOf())
    transactions = createTransactions({ stateDirectory: join(top, 'state') })
  })
  afterEach(async () => {
    await transactions.close()
    execFileSync('chmod', ['-R', 'u+rwX', top])
    rmSync(top, { recursive: true, force: true })
  })

  const workspaceOf = (): string => join(top, 'workspace')
  const sandbox = (): Sandbox => subject.sandbox(workspaceOf())
  const at = (path: string): string => join(workspaceOf(), path)
  return {
    get top() {
      return top
    },
    get workspace() {
      return workspaceOf()
    },
    get launcher() {
      return launcher
    },
    get transactions() {
      return transactions
    },
    sandbox,
    run: (script, over = {}) => {
      const plan = planOf(workspaceOf(), sandbox(), { transaction: 'always', securing: SECURING, script, ...over })
      return transactions.during(plan, GRANT, async (actual) => (await launchAndCollect(launcher, actual)).ending)
    },
    at,
    text: (path) => readFileSync(at(path), 'utf8'),
    leftOvers: async () => {
      await transactions.close()
      const storePath = join(top, 'state/undo-store')
      return existsSync(storePath) ? readdirSync(storePath) : []
    },
  }
}
