import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Plan, Sandbox } from '../../src/core/model/policy/plan.js'
import type { Profile } from '../../src/core/model/policy/profile.js'
import type { Ending } from '../../src/core/model/run/ending.js'
import { mountsFor } from '../../src/core/plan/mounts.js'
import type { Launcher, LaunchIo, RunningProcess } from '../../src/engine/ports/ports.js'
import { createObserver } from '../../src/host/observe/observer.js'

/** Plain profile, which tests change as needed. */
export const plainProfile: Profile = {
  name: 'plain',
  summary: 'for tests',
  modes: ['shell', 'structured'],
  sandbox: 'required',
  network: 'none',
  programs: { allowOnly: null, paths: false },
  plainArguments: false,
  builtins: { removed: [] },
  rules: [],
  opaque: { unknown: 'ask', foreign: 'allow' },
  default: 'allow',
  paths: {
    roots: ['.'],
    writable: [],
    readable: [],
    hidden: [],
    protected: ['.git/hooks', '.git/config', 'cordon.toml'],
    write: true,
    readOutside: 'allow',
    writeOutside: 'ask',
  },
  environment: { pass: [], set: [], strip: [], home: 'workspace', shared: [], homeBytes: null },
  timeouts: { structuredMs: 30_000, shellMs: 120_000, maxMs: 600_000, noneAllowed: false, graceMs: 2_000 },
  output: { captureBytes: 1024, presentedChars: 1024 },
  limits: { memoryBytes: null, processes: null, cpuSeconds: null, fileBytes: null, openFiles: null, diskBytes: null },
  transaction: { mode: 'off', onFailure: 'restore', rollbackCodes: null, scope: [], maxBytes: 1024, required: false },
  concurrency: { perAgent: 16 },
  approvals: { waitMs: 86_400_000, runMs: 600_000 },
  agentPrograms: null,
}

export const pathsOf = (over: Partial<Profile['paths']>): Profile => ({
  ...plainProfile,
  paths: { ...plainProfile.paths, ...over },
})

/** Node may be installed anywhere. */
const PATH = [...new Set(['/usr/local/bin', '/usr/bin', '/bin', dirname(process.execPath)])].join(':')

/** Returns the sandbox of a profile around a workspace, observed and planned as in production. */
export function sandboxAround(workspace: string, profile: Profile = plainProfile, home = '/nonexistent'): Sandbox {
  const observer = createObserver({ workspace, home, env: { PATH } })
  return { kind: 'bubblewrap', mounts: mountsFor(profile, observer.surroundings(profile)), network: profile.network }
}

export function planOf(workspace: string, sandbox: Sandbox, over: Partial<Plan> & { script?: string } = {}): Plan {
  const { script = 'true', ...fields } = over
  const env: Plan['env'] = [
    ['HOME', workspace],
    ['PATH', PATH],
    ['PWD', workspace],
  ]
  return {
    argv: ['/bin/bash', '-c', script],
    cwd: workspace,
    env,
    stdinDigest: null,
    sandbox: sandbox,
    limits: plainProfile.limits,
    timeoutMs: 20_000,
    graceMs: 300,
    transaction: 'off',
    workspace,
    agent: null,
    profile: 'plain',
    policyDigest: '',
    digest: '',
    ...fields,
  }
}

export interface Heard {
  readonly ending: Ending
  readonly stdout: Buffer
  readonly stderr: Buffer
  readonly started: number
}

/** Launches a plan and keeps all output. */
export async function launchAndCollect(
  launcher: Launcher,
  plan: Plan,
  over: Partial<LaunchIo> & { started?: (process: RunningProcess) => void } = {},
): Promise<Heard> {
  const chunks = { stdout: [] as Uint8Array[], stderr: [] as Uint8Array[] }
  let started = 0
  const ending = await launcher.launch(plan, {
    stdin: 'closed',
    signal: new AbortController().signal,
    onChunk: (stream, bytes) => chunks[stream].push(Uint8Array.from(bytes)),
    onStart: (process) => {
      started += 1
      over.started?.(process)
    },
    ...over,
  })
  return { ending, stdout: Buffer.concat(chunks.stdout), stderr: Buffer.concat(chunks.stderr), started }
}

export const temporaryDirectory = (): string => mkdtempSync(join(tmpdir(), 'cordon-test-'))
export const removeDirectory = (path: string): void => rmSync(path, { recursive: true, force: true })

/** Returns pids of living processes with the word in their arguments. */
export function processesNaming(word: string): readonly string[] {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return false
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'latin1')
        .split('\0')
        .some((arg) => arg === word)
    } catch {
      return false
    }
  })
}

/** Returns a number of seconds that no other process sleeps for. */
export const unusualSeconds = (): string => `${100_000 + Math.floor(Math.random() * 900_000)}.${process.pid}`
