import { type ChildProcess, type SpawnOptionsWithoutStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach } from 'vitest'

/** The binary of `npm run build`, or the one that CORDON_TEST_BINARY names. */
export const BINARY = process.env.CORDON_TEST_BINARY ?? resolve(import.meta.dirname, '../../dist/bin.cjs')

export interface Ended {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
  readonly ms: number
}

export interface Ground {
  readonly root: string
  readonly workspace: string
  readonly home: string
  readonly state: string
  readonly env: NodeJS.ProcessEnv
  /** Starts the built binary in the workspace; `input` is its stdin. */
  start(argv: readonly string[], options?: StartOptions): Started
  /** Starts it and waits for its end. */
  run(argv: readonly string[], options?: StartOptions): Promise<Ended>
}

export interface StartOptions {
  readonly input?: string | Buffer
  readonly env?: Readonly<Record<string, string>>
  /** A program to start with node and its arguments as its own arguments. */
  readonly before?: readonly string[]
}

export interface Started {
  readonly process: ChildProcess
  readonly ended: Promise<Ended>
}

/**
 * A workspace, a home and a state directory of their own for each test of the file that calls this; all gone
 * afterwards.
 */
export function grounds(): () => Ground {
  const roots: string[] = []
  afterEach(() => {
    for (const root of roots.splice(0)) rmSync(root, { recursive: true, force: true })
  })
  return () => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'cordon-cli-')))
    roots.push(root)
    const [workspace, home, state] = ['workspace', 'home', 'state'].map((name) => join(root, name)) as [
      string,
      string,
      string,
    ]
    for (const directory of [workspace, home, state]) mkdirSync(directory)
    const env = {
      PATH: process.env.PATH,
      HOME: home,
      XDG_STATE_HOME: state,
      XDG_CONFIG_HOME: join(home, '.config'),
      LANG: 'C.UTF-8',
    }
    const start = (argv: readonly string[], options: StartOptions = {}): Started =>
      startBinary(argv, { cwd: workspace, env: { ...env, ...options.env } }, options)
    return { root, workspace, home, state, env, start, run: (argv, options) => start(argv, options).ended }
  }
}

function startBinary(
  argv: readonly string[],
  spawning: SpawnOptionsWithoutStdio,
  { input, before = [] }: StartOptions,
): Started {
  const [program = '', ...args] = [...before, process.execPath, BINARY, ...argv]
  const began = performance.now()
  const child = spawn(program, args, spawning)
  const chunks: Record<'stdout' | 'stderr', Buffer[]> = { stdout: [], stderr: [] }
  child.stdout.on('data', (chunk) => chunks.stdout.push(chunk))
  child.stderr.on('data', (chunk) => chunks.stderr.push(chunk))
  child.stdin.on('error', () => {})
  child.stdin.end(input ?? '')
  const ended = once(child, 'close').then(([status]) => ({
    status: status as number | null,
    stdout: Buffer.concat(chunks.stdout).toString(),
    stderr: Buffer.concat(chunks.stderr).toString(),
    ms: performance.now() - began,
  }))
  return { process: child, ended }
}

/** Returns a unique number of seconds, by which the `sleep` processes of one test are recognised. */
export const uniqueSeconds = (): string =>
  String(100_000 + Math.floor(Math.random() * 900_000) + Math.random()).slice(0, 14)

/** Returns the processes of this machine, in any namespace, that have this word among their arguments. */
export function processesWith(word: string): readonly number[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      const [program, ...args] = readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0')
      return program?.endsWith('sleep') && args.includes(word) ? [Number(name)] : []
    } catch {
      return []
    }
  })
}

/** Waits until something is so, and gives up long before the test's own time is over. */
export async function until(condition: () => boolean): Promise<void> {
  const deadline = performance.now() + 20_000
  while (!condition()) {
    if (performance.now() > deadline) throw new Error(`waited in vain for ${condition}`)
    await delay(20)
  }
}
