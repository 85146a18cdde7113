import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Plan } from '../src/core/model/policy/plan.js'
import { createBubblewrap, type SandboxLauncher } from '../src/host/launch/bubblewrap.js'
import { createTransactions } from '../src/host/transaction/transactions.js'
import { median } from './median.js'

const ROUNDS = 40
const COMMAND_ROUNDS = 300
const READY_MS = 60
const CHANGED = 10
const SMALL = 10
const LARGE = 100_000
const PER_DIRECTORY = 100
const GRANT = { digest: '', by: 'policy', approval: null } as const

type Settle = (change: 'modify' | 'create') => Promise<number>

/**
 * Measures a transaction by the size of the tree, against copying the tree, and as part of a sandboxed command.
 */
export async function transactionBench(): Promise<Record<string, number>> {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'cordon-bench-')))
  const launcher = createBubblewrap()
  const ahead = createBubblewrap({ warm: 2 })
  try {
    const small = settling(top, 'small', SMALL)
    const large = settling(top, 'large', LARGE)
    // A hundred thousand new files on their way to the disk would be measured too.
    spawnSync('sync')
    const [smallMs, largeMs] = await interleaved(
      ROUNDS,
      () => small('modify'),
      () => large('modify'),
    )
    const [smallNewMs, largeNewMs] = await interleaved(
      ROUNDS,
      () => small('create'),
      () => large('create'),
    )
    const copyMs = copying(join(top, 'large'), join(top, 'copy'))
    const cold = inTheSandbox(launcher, join(top, 'cold'))
    const warm = inTheSandbox(ahead, join(top, 'warm'))
    const [spawnMs, plainMs, securedMs, warmPlainMs, warmMs] = await interleaved(
      COMMAND_ROUNDS,
      bare,
      () => cold.run('off'),
      () => cold.run('always'),
      () => readyAgain().then(() => warm.run('off')),
      () => readyAgain().then(() => warm.run('always')),
    )
    await Promise.all([cold.close(), warm.close()])
    return rounded({
      largeToSmall: largeMs / smallMs,
      largeToSmallCreated: largeNewMs / smallNewMs,
      toCopy: largeMs / copyMs,
      warmCommitted: warmMs / spawnMs,
      warmPlain: warmPlainMs / spawnMs,
      coldCommitted: securedMs / spawnMs,
      coldPlain: plainMs / spawnMs,
      settleMs: smallMs,
      spawnMs,
    })
  } finally {
    await Promise.all([launcher.close(), ahead.close()])
    rmSync(top, { recursive: true, force: true })
  }
}

/** Each way in turn, so that a busy moment hits them all. */
async function interleaved(
  rounds: number,
  ...ways: readonly (() => Promise<number>)[]
): Promise<readonly [number, number, number, number, number]> {
  const times = ways.map((): number[] => [])
  for (let round = 0; round < rounds; round += 1)
    for (const [index, way] of ways.entries()) times[index]?.push(await way())
  const [a = 0, b = 0, c = 0, d = 0, e = 0] = times.map(median)
  return [a, b, c, d, e]
}

/** Waits until the warm pool and the next overlay are ready, which happens between commands. */
const readyAgain = (): Promise<void> => sleep(READY_MS)

const rounded = (numbers: Readonly<Record<string, number>>): Record<string, number> =>
  Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, Number(value.toPrecision(3))]))

function plant(workspace: string, files: number): void {
  for (let n = 0; n < files; n += 1) {
    const directory = join(workspace, `d${Math.floor(n / PER_DIRECTORY)}`)
    if (n % PER_DIRECTORY === 0) mkdirSync(directory, { recursive: true })
    writeFileSync(join(directory, `f${n}`), `file ${n}\n`)
  }
}

const planFor = (workspace: string, fields: Partial<Plan>): Plan => ({
  argv: ['/bin/bash', '-c', 'true'],
  cwd: workspace,
  env: [['PATH', '/usr/bin:/bin']],
  stdinDigest: null,
  sandbox: { kind: 'bubblewrap', mounts: [{ op: 'write', from: workspace, at: workspace }], network: 'none' },
  limits: { memoryBytes: null, processes: null, cpuSeconds: null, fileBytes: null, openFiles: null, diskBytes: null },
  timeoutMs: null,
  graceMs: 0,
  transaction: 'always',
  workspace,
  agent: null,
  profile: 'bench',
  policyDigest: '',
  digest: '',
  ...fields,
})

/** Time from the beginning of a transaction to its commit, without what the command itself takes. */
function settling(top: string, name: string, files: number): Settle {
  const workspace = join(top, name)
  plant(workspace, files)
  const transactions = createTransactions({ stateDirectory: join(top, `${name}-state`) })
  let round = 0
  return async (change) => {
    round += 1
    let command = 0
    const from = performance.now()
    const { report } = await transactions.during(planFor(workspace, {}), GRANT, async ({ sandbox }) => {
      const began = performance.now()
      const view = `/proc/${sandbox.kind === 'bubblewrap' ? sandbox.within : 0}/root${workspace}`
      for (let n = 0; n < CHANGED; n += 1)
        writeFileSync(join(view, 'd0', change === 'modify' ? `f${n}` : `n${round}-${n}`), `${round}\n`)
      command = performance.now() - began
      return { how: 'exited', status: 0 }
    })
    if (report?.outcome !== 'committed') throw new Error(`the bench's transaction was ${report?.outcome}`)
    return performance.now() - from - command
  }
}

function copying(from: string, to: string): number {
  const began = performance.now()
  const { status } = spawnSync('cp', ['-a', from, to])
  if (status !== 0) throw new Error('cp failed')
  return performance.now() - began
}

function bare(): Promise<number> {
  const from = performance.now()
  return new Promise((resolve, reject) => {
    const child = spawn('bash', ['-c', 'true'], { stdio: 'pipe' })
    child.once('error', reject)
    child.once('close', () => resolve(performance.now() - from))
  })
}

interface Sandboxed {
  run(transaction: Plan['transaction']): Promise<number>
  close(): Promise<void>
}

/** A command that makes one file: begun, run, its change listed and kept. */
function inTheSandbox(launcher: SandboxLauncher, top: string): Sandboxed {
  const workspace = join(top, 'work')
  mkdirSync(workspace, { recursive: true })
  const transactions = createTransactions({
    stateDirectory: join(top, 'state'),
    ahead: { size: 2, onReady: (plan) => launcher.prepare(plan) },
  })
  const sandbox: Plan['sandbox'] = {
    kind: 'bubblewrap',
    mounts: [
      { op: 'read', from: '/', at: '/' },
      { op: 'dev', at: '/dev' },
      { op: 'proc', at: '/proc' },
      { op: 'write', from: workspace, at: workspace },
    ],
    network: 'none',
  }
  let round = 0
  return {
    async run(transaction) {
      round += 1
      const plan = planFor(workspace, {
        sandbox,
        transaction,
        argv: ['/bin/bash', '-c', `echo ${round} > n${round}`],
      })
      const io = {
        stdin: 'closed',
        signal: new AbortController().signal,
        onChunk: () => {},
        onStart: () => {},
      } as const
      const from = performance.now()
      const { report } = await transactions.during(plan, GRANT, (actual) => launcher.launch(actual, io))
      const took = performance.now() - from
      const wanted = transaction === 'off' ? undefined : 'committed'
      if (report?.outcome !== wanted) throw new Error(`the bench's transaction was ${report?.outcome}`)
      return took
    },
    close: () => transactions.close(),
  }
}
