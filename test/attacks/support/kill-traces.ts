import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const pids = (): readonly string[] => readdirSync('/proc').filter((name) => /^\d+$/.test(name))

function attempt<T>(read: () => T, otherwise: T): T {
  try {
    return read()
  } catch {
    return otherwise
  }
}

/** Returns living processes with the word among their arguments. */
export function processesWith(word: string): readonly string[] {
  return pids().filter(
    (pid) =>
      Number(pid) !== process.pid && attempt(() => readFileSync(`/proc/${pid}/cmdline`, 'latin1'), '').includes(word),
  )
}

/** Returns other mount namespaces with a mount below the directory, by one process in each. */
function namespacesOver(directory: string): readonly string[] {
  const own = readlinkSync('/proc/self/ns/mnt')
  return pids().filter(
    (pid) =>
      attempt(() => readlinkSync(`/proc/${pid}/ns/mnt`), own) !== own &&
      attempt(() => readFileSync(`/proc/${pid}/mountinfo`, 'utf8'), '').includes(directory),
  )
}

function controlGroups(engines: ReadonlySet<number>): readonly string[] {
  if (!existsSync('/sys/fs/cgroup')) return []
  const found = attempt(
    () =>
      execFileSync('find', ['/sys/fs/cgroup', '-type', 'd', '-name', 'cordon-*'], { encoding: 'utf8', stdio: 'pipe' }),
    '',
  )
  return found.split('\n').filter((path) => engines.has(Number(/cordon-(\d+)-[^/]*$/.exec(path)?.[1])))
}

const descriptors = (): readonly string[] =>
  readdirSync('/proc/self/fd').flatMap((fd) => attempt(() => [readlinkSync(`/proc/self/fd/${fd}`)], []))

const sharedMemory = (): readonly string[] =>
  attempt(() => readdirSync('/dev/shm'), []).filter((name) => name.startsWith('cordon-'))

/** Possible leftovers of a campaign, before it. */
export interface Before {
  readonly mounts: string
  readonly descriptors: number
  readonly sharedMemory: readonly string[]
}

export const lookAround = (): Before => ({
  mounts: readFileSync('/proc/self/mountinfo', 'utf8'),
  descriptors: descriptors().length,
  sharedMemory: sharedMemory(),
})

export interface Ground {
  /** Contains everything that the campaign makes. */
  readonly root: string
  /** Directory of temporary files, which must be empty in the end. */
  readonly scratch: string
  /** Pids of all processes that were an engine. */
  readonly engines: ReadonlySet<number>
}

export interface Traces {
  readonly mounts: readonly string[]
  readonly descriptors: readonly string[]
  readonly scratch: readonly string[]
  readonly groups: readonly string[]
  readonly watchdogs: readonly string[]
}

function tracesOf(before: Before, { root, scratch, engines }: Ground): Traces {
  const open = descriptors()
  return {
    mounts: [
      ...(readFileSync('/proc/self/mountinfo', 'utf8') === before.mounts ? [] : ['the mounts of this namespace']),
      ...namespacesOver(root).map((pid) => `namespace of process ${pid}`),
    ],
    descriptors: open.length > before.descriptors ? open : [],
    scratch: [...readdirSync(scratch), ...sharedMemory().filter((name) => !before.sharedMemory.includes(name))],
    groups: controlGroups(engines),
    watchdogs: processesWith(root),
  }
}

const PATIENCE_MS = 20_000

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** Returns leftovers, after waiting for processes that end a moment later. */
export async function tracesLeft(before: Before, ground: Ground): Promise<Traces> {
  const until = performance.now() + PATIENCE_MS
  for (;;) {
    // The SQLite package of Node 20 closes a file when its statements are collected.
    collectGarbage()
    const traces = tracesOf(before, ground)
    if (Object.values(traces).every((list) => list.length === 0) || performance.now() > until) return traces
    await sleep(100)
  }
}

/** A process that forks and exits all the time can slip through a single check. */
const LOOKS = 5

async function someOf(word: string): Promise<readonly string[]> {
  for (let look = 0; look < LOOKS; look += 1) {
    const left = processesWith(word)
    if (left.length > 0) return left
    await sleep(3)
  }
  return []
}

/** Returns remaining processes of a killed command. A killed engine's watchdog gets time to find them. */
export async function survivorsOf(word: string, patienceMs: number): Promise<readonly string[]> {
  const until = performance.now() + patienceMs
  for (;;) {
    const left = await someOf(word)
    if (left.length === 0 || performance.now() >= until) return left
    await sleep(20)
  }
}
