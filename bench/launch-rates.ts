import { spawn } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { createBubblewrap } from '../src/host/launch/bubblewrap.js'
import { median } from './median.js'

const AT_ONCE = 8
const COMMANDS = 150
const ROUNDS = 4
const AHEAD = 40
const PATIENCE_MS = 60_000
const LOOK_MS = 5

type Run = () => Promise<void>
type Launch = (launcher: ReturnType<typeof createBubblewrap>) => Promise<void>

/** Milliseconds for so many commands, eight at a time. */
async function taken(run: Run): Promise<number> {
  let left = COMMANDS
  const began = performance.now()
  const worker = async (): Promise<void> => {
    for (; left > 0; left -= 1) await run()
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return performance.now() - began
}

/** Sandboxed commands per second / plainly spawned ones, in turns: a busy moment hurts both. */
export async function throughput(plain: Run, launch: Launch): Promise<number> {
  const launcher = createBubblewrap({ warm: AT_ONCE })
  try {
    for (let warmUp = 0; warmUp < AT_ONCE; warmUp += 1) await launch(launcher)
    let sandboxed = 0
    let spawned = 0
    for (let round = 0; round < ROUNDS; round += 1) {
      sandboxed += await taken(() => launch(launcher))
      spawned += await taken(plain)
    }
    return spawned / sandboxed
  } finally {
    await launcher.close()
  }
}

/** Shells that wait for a command in a directory. */
function waitingIn(directory: string): readonly number[] {
  return readdirSync('/proc').flatMap((name) => {
    try {
      const isOurs = /^\d+$/.test(name) && readlinkSync(`/proc/${name}/cwd`) === directory
      return isOurs && readFileSync(`/proc/${name}/stat`, 'latin1').includes('(bash) S') ? Number(name) : []
    } catch {
      return []
    }
  })
}

const parentOf = (pid: number): number =>
  Number(/^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1])
const proportionalKb = (pid: number): number =>
  Number(/^Pss:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1'))?.[1])

/** Measures warm sandboxes started per second, and the memory of an idle one: shell, init and bubblewrap. */
export async function ahead(launch: Launch, directory: string): Promise<{ perSecond: number; idleMb: number }> {
  const launcher = createBubblewrap({ warm: AHEAD })
  try {
    await launch(launcher)
    const began = performance.now()
    let waiting = waitingIn(directory)
    for (; waiting.length < AHEAD && performance.now() - began < PATIENCE_MS; waiting = waitingIn(directory)) {
      await sleep(LOOK_MS)
    }
    const seconds = (performance.now() - began) / 1_000
    const kilobytes = waiting.map((pid) => {
      const init = parentOf(pid)
      return proportionalKb(pid) + proportionalKb(init) + proportionalKb(parentOf(init))
    })
    return { perSecond: waiting.length / seconds, idleMb: median(kilobytes) / 1_024 }
  } finally {
    await launcher.close()
  }
}

/** Measures how long a direct spawn and a refill of the warm pool block the event loop, in milliseconds. */
export async function standstill(launch: Launch): Promise<{ spawnMs: number; refillMs: number }> {
  const spawns = Array.from({ length: 10 }, () => {
    const began = performance.now()
    spawn('/bin/true', { stdio: 'ignore' })
    return performance.now() - began
  })
  const launcher = createBubblewrap({ warm: AT_ONCE })
  try {
    for (let warmUp = 0; warmUp < AT_ONCE; warmUp += 1) await launch(launcher)
    const delay = monitorEventLoopDelay({ resolution: 1 })
    delay.enable()
    for (let round = 0; round < AT_ONCE; round += 1) {
      await launch(launcher)
      await sleep(20)
    }
    delay.disable()
    return { spawnMs: median(spawns), refillMs: delay.percentile(99) / 1e6 }
  } finally {
    await launcher.close()
  }
}
