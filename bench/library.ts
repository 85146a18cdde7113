import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Cordon, createCordon } from '../src/node.js'
import { median } from './median.js'

const ROUNDS = 100
const WARM_UP = 15
/** Time for the next sandbox to be prepared, outside of what is measured. */
const REST_MS = 30
const FILES = 200
const AT_ONCE = 8
const COMMANDS = 120
const TURNS = 3
const CHECKS = 200
const P99 = 0.99

type Run = () => Promise<unknown>

const PROFILES = ['workspace', 'readonly', 'developer', 'open'] as const
const WRITES = 'echo text > written'

function spawned(cwd: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn('/bin/bash', ['-c', 'true'], { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
    child.stdout.resume()
    child.stderr.resume()
    child.once('error', reject)
    child.once('close', (code) => (code === 0 ? resolve() : reject(new Error(`bash exited with ${code}`))))
  })
}

async function ran(cordon: Cordon, script: string): Promise<void> {
  const { exitCode } = await cordon.run(script)
  if (exitCode !== 0) throw new Error(`\`${script}\` exited with ${exitCode}`)
}

/** Milliseconds of each round, the ways taking turns so that a busy moment of the machine hits all of them alike. */
async function latencies(ways: Readonly<Record<string, Run>>): Promise<Readonly<Record<string, readonly number[]>>> {
  const times: Record<string, number[]> = Object.fromEntries(Object.keys(ways).map((name) => [name, []]))
  for (let round = -WARM_UP; round < ROUNDS; round += 1)
    for (const [name, run] of Object.entries(ways)) {
      await sleep(REST_MS)
      const began = performance.now()
      await run()
      if (round >= 0) times[name]?.push(performance.now() - began)
    }
  return times
}

/** Milliseconds for `COMMANDS` commands, `AT_ONCE` at a time. */
async function taken(run: Run): Promise<number> {
  let left = COMMANDS
  const began = performance.now()
  const worker = async (): Promise<void> => {
    for (; left > 0; left -= 1) await run()
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return performance.now() - began
}

/** Commands per second / plainly spawned ones, in turns; processor time of this thread; delay of the event loop. */
async function parallel(plain: Run, run: Run): Promise<{ rate: number; cpuMs: number; delayMs: number }> {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  const [spent, mine] = [{ plain: 0, run: 0 }, { microseconds: 0 }]
  for (let turn = 0; turn < TURNS; turn += 1) {
    const before = process.cpuUsage()
    delay.enable()
    spent.run += await taken(run)
    delay.disable()
    const { user, system } = process.cpuUsage(before)
    mine.microseconds += user + system
    spent.plain += await taken(plain)
  }
  return {
    rate: spent.plain / spent.run,
    cpuMs: mine.microseconds / 1_000 / (TURNS * COMMANDS),
    delayMs: delay.percentile(P99 * 100) / 1e6,
  }
}

const at = (values: readonly number[], part: number): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length * part)] ?? Number.NaN

function checkMs(cordon: Cordon): number {
  const times = Array.from({ length: CHECKS }, (_, index) => {
    const began = performance.now()
    cordon.check(`git log --oneline -${index + 1}`)
    return performance.now() - began
  })
  return median(times)
}

/**
 * Calls of the library by profile, as ratios to Node's own `spawn` of bash. Names end with the unit where it is no
 * ratio.
 */
export async function libraryBench(): Promise<Record<string, number>> {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'cordon-bench-')))
  const [workspace, home] = [join(top, 'workspace'), join(top, 'home')]
  for (const folder of [workspace, home]) mkdirSync(folder)
  for (let file = 0; file < FILES; file += 1) writeFileSync(join(workspace, `file${file}`), `${file}\n`)
  const env = { PATH: process.env.PATH, HOME: home, LANG: 'C.UTF-8' }
  const open = (profile: string): Promise<Cordon> =>
    createCordon({ workspace, profile, env, stateDirectory: join(top, `state-${profile}`), warm: 2 })
  const engines = await Promise.all(PROFILES.map(async (profile) => [profile, await open(profile)] as const))
  const plain = (): Promise<void> => spawned(workspace)
  const results: Record<string, number> = {}
  try {
    const runs = engines.map(([profile, cordon]) => [profile, () => ran(cordon, 'true')] as const)
    const writing = engines.flatMap(([profile, cordon]) =>
      profile === 'developer' || profile === 'workspace'
        ? [[`${profile}Writing`, () => ran(cordon, WRITES)] as const]
        : [],
    )
    const times = await latencies({ spawn: plain, ...Object.fromEntries([...runs, ...writing]) })
    const base = median(times.spawn ?? [])
    for (const [name, values] of Object.entries(times)) {
      if (name !== 'spawn') results[name] = median(values) / base
      results[`${name}P99`] = at(values, P99) / base
    }
    for (const [profile, run] of runs) {
      const { rate, cpuMs, delayMs } = await parallel(plain, run)
      results[`${profile}Throughput`] = rate
      results[`${profile}CpuMs`] = cpuMs
      results[`${profile}LoopDelayP99Ms`] = delayMs
    }
    for (const [profile, cordon] of engines) results[`${profile}Check`] = checkMs(cordon) / base
    results.spawnMs = base
  } finally {
    for (const [, cordon] of engines) await cordon.close()
    rmSync(top, { recursive: true, force: true })
  }
  return results
}
