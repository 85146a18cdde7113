import { spawn } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Mount, Plan, Sandbox } from '../src/core/model/policy/plan.js'
import type { Launcher } from '../src/engine/ports/ports.js'
import { createBubblewrap } from '../src/host/launch/bubblewrap.js'
import { createDirect } from '../src/host/launch/direct.js'
import { sandboxArguments } from '../src/host/launch/sandbox/bubblewrap-arguments.js'
import { peers } from './launch-peers.js'
import { ahead, standstill, throughput } from './launch-rates.js'
import { median } from './median.js'

const ROUNDS = 300
const WARM_UP = 10

/** A measured call, and preparation that is not measured, such as starting a warm sandbox. */
interface Way {
  readonly before?: () => Promise<void>
  readonly run: () => Promise<void>
}

const WARM_UP_MS = 40
const PEER_ROUNDS = 20
const GIBIBYTE = 1024 ** 3

function mountsOf(workspace: string): readonly Mount[] {
  return [
    { op: 'read', from: '/', at: '/' },
    { op: 'dev', at: '/dev' },
    { op: 'proc', at: '/proc' },
    { op: 'tmpfs', at: '/tmp', bytes: 1 << 30 },
    { op: 'write', from: workspace, at: workspace },
  ]
}

function planFor(workspace: string, sandbox: Sandbox): Plan {
  return {
    argv: ['/bin/bash', '-c', 'true'],
    cwd: workspace,
    env: [['PATH', '/usr/bin:/bin']],
    stdinDigest: null,
    sandbox,
    limits: { memoryBytes: null, processes: null, cpuSeconds: null, fileBytes: null, openFiles: null, diskBytes: null },
    timeoutMs: 30_000,
    graceMs: 2_000,
    transaction: 'off',
    workspace,
    agent: null,
    profile: 'bench',
    policyDigest: '',
    digest: '',
  }
}

function spawned(program: string, args: readonly string[], cwd: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...args], { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
    child.stdout.resume()
    child.stderr.resume()
    child.once('error', reject)
    child.once('close', (code) => (code === 0 ? resolve() : reject(new Error(`${program} exited with ${code}`))))
  })
}

async function launched(launcher: Launcher, plan: Plan): Promise<void> {
  const ending = await launcher.launch(plan, {
    stdin: 'closed',
    signal: new AbortController().signal,
    onChunk: () => undefined,
    onStart: () => undefined,
  })
  if (ending.how !== 'exited' || ending.status !== 0) throw new Error(`unexpected ending: ${JSON.stringify(ending)}`)
}

/** Medians in milliseconds, the ways taking turns so that a busy moment of the machine hits all of them alike. */
async function interleaved(ways: Readonly<Record<string, Way>>, rounds: number): Promise<Record<string, number>> {
  const times: Record<string, number[]> = Object.fromEntries(Object.keys(ways).map((name) => [name, []]))
  for (let round = -WARM_UP; round < rounds; round += 1) {
    for (const [name, way] of Object.entries(ways)) {
      await way.before?.()
      const began = performance.now()
      await way.run()
      if (round >= 0) times[name]?.push(performance.now() - began)
    }
  }
  return Object.fromEntries(Object.entries(times).map(([name, values]) => [name, median(values)]))
}

/**
 * Returns raw bubblewrap's arguments for the same sandbox. The status goes to stdout; the seccomp filter is left out.
 */
function rawArguments(plan: Plan, sandbox: Extract<Sandbox, { kind: 'bubblewrap' }>): readonly string[] {
  const setting = {
    fds: { status: 1, seccomp: 3, prelude: null, contents: 0 },
    asRoot: process.getuid?.() === 0,
    existing: new Set<string>(),
    preludePath: '',
    joinsNetwork: false,
  }
  return [...sandboxArguments(plan, sandbox, setting).args.slice(0, -2), '--', '/bin/bash', '-c', 'true']
}

/**
 * Each way in one run, as ratios to Node's own spawn but for those that name a unit, and for rates, which are to a
 * rate.
 */
export async function launchBench(rounds = ROUNDS): Promise<Record<string, number>> {
  const workspace = realpathSync(mkdtempSync(join(tmpdir(), 'cordon-bench-')))
  const sandbox = { kind: 'bubblewrap', mounts: mountsOf(workspace), network: 'none' } as const
  const sandboxed = planFor(workspace, sandbox)
  const open = planFor(workspace, { kind: 'none' })
  const [bubblewrap, ready, direct] = [createBubblewrap(), createBubblewrap({ warm: 2 }), createDirect()]
  const raw = rawArguments(sandboxed, sandbox)
  const plain = (): Promise<void> => spawned('/bin/bash', ['-c', 'true'], workspace)
  const launch = (launcher: Launcher): Promise<void> => launched(launcher, sandboxed)
  const warm: Way = { before: () => sleep(WARM_UP_MS), run: () => launch(ready) }
  try {
    const medians = await interleaved(
      {
        spawn: { run: plain },
        direct: { run: () => launched(direct, open) },
        rawBwrap: { run: () => spawned('/usr/bin/bwrap', raw, workspace) },
        cold: { run: () => launch(bubblewrap) },
        warm,
      },
      rounds,
    )
    const others = Object.entries(await peers(workspace, spawned)).map(([name, run]) => [name, { run }])
    const beside = await interleaved({ spawn: { run: plain }, ...Object.fromEntries(others) }, PEER_ROUNDS)
    const rate = await throughput(plain, launch)
    const { perSecond, idleMb } = await ahead(launch, workspace)
    const heap = Array.from({ length: 16 }, () => Buffer.alloc(GIBIBYTE / 16, 1))
    const big = await interleaved({ spawn: { run: plain }, warm }, rounds)
    const still = await standstill(launch)
    heap.length = 0
    return rounded({
      ...inUnits(medians),
      warmBigHeap: inUnits(big).warm ?? Number.NaN,
      coldToRaw: (medians.cold ?? Number.NaN) / (medians.rawBwrap ?? Number.NaN),
      ...inUnits(beside),
      throughput: rate,
      sandboxesPerSecond: perSecond,
      idleWallMb: idleMb,
      bigHeapSpawnBlocksMs: still.spawnMs,
      bigHeapRefillBlocksMs: still.refillMs,
      spawnMs: medians.spawn ?? Number.NaN,
    })
  } finally {
    await Promise.all([bubblewrap.close(), ready.close(), direct.close()])
    rmSync(workspace, { recursive: true, force: true })
  }
}

const inUnits = (medians: Readonly<Record<string, number>>): Record<string, number> =>
  Object.fromEntries(Object.entries(medians).map(([name, value]) => [name, value / (medians.spawn ?? Number.NaN)]))

const rounded = (numbers: Readonly<Record<string, number>>): Record<string, number> =>
  Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, Number(value.toPrecision(3))]))
