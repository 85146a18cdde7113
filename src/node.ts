import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, realpathSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Answer, Approval } from './core/model/approval.js'
import { CordonError } from './core/model/errors.js'
import { isInside } from './core/model/path.js'
import type { Profile } from './core/model/profile.js'
import type { Result } from './core/model/result.js'
import { examine, type Finding } from './doctor.js'
import type { Engine, RunOptions } from './engine/api.js'
import { createEngine } from './engine/create-engine.js'
import type { Log, Ports, Profiles } from './engine/ports.js'
import { openApprovals } from './host/approve/approval-store.js'
import { createApprover } from './host/approve/approver.js'
import { openAudit } from './host/audit/sqlite-audit.js'
import { createBubblewrap, type WallLauncher } from './host/launch/bubblewrap.js'
import { createDirect } from './host/launch/direct.js'
import { createJsonLog } from './host/log/json-log.js'
import { createObserver } from './host/observe/observer.js'
import { createFileOutputs } from './host/output/file-outputs.js'
import { inspectHomes, resetHomes, type WhichHomes } from './host/private-home/inspect.js'
import { PrivateHomes } from './host/private-home/private-homes.js'
import { type Allowance, type Allowed, allowInSettings } from './host/settings/allow.js'
import { loadProfiles } from './host/settings/profiles.js'
import { saveRule } from './host/settings/save-rule.js'
import type { SpareOptions } from './host/transaction/spare-layers.js'
import { createTransactions } from './host/transaction/transactions.js'
import { createTools } from './surface/tools/create-tools.js'
import type { ToolRegistry } from './surface/tools/tool.js'

/** One for the next command and one for the one after: an engine that is asked often finds them filled up by then. */
const WALLS_AHEAD = 2

export interface CordonOptions {
  /** The directory commands start in and may write to. Default: the current one. */
  readonly workspace?: string
  /** The profile of requests that name none. Default: what the settings say, else `workspace`. */
  readonly profile?: string
  /** Where the audit log and kept output live. Default: `$XDG_STATE_HOME/cordon`. */
  readonly stateDirectory?: string
  /** Asks a person about a held command. Absent: it waits in the store for `cordon approve`. */
  readonly onApproval?: (approval: Approval, signal: AbortSignal) => Promise<Answer>
  /** How many walls to keep ready after the first command; each is used once. Default: 2. They end with `close`, or with the process. */
  readonly warm?: number
  /** Nobody will ever answer: what would be asked is denied. */
  readonly unattended?: boolean
  /** Structured log lines. Default: JSON on stderr from the level in CORDON_LOG up, or none. */
  readonly log?: Log
  /** The environment variables are passed on from. Default: this process's own. */
  readonly env?: Readonly<Record<string, string | undefined>>
}

/** The engine on this machine, with the tools for models on top. */
export interface Cordon extends Engine {
  exec(program: string, args?: readonly string[], options?: RunOptions): Promise<Result>
  readonly tools: ToolRegistry
}

/** Joins the host to the engine. Nothing is started before the first request. */
export async function createCordon(options: CordonOptions = {}): Promise<Cordon> {
  return openCordon({ ...options, warm: options.warm ?? WALLS_AHEAD })
}

/** As `createCordon`, with what the command line needs besides. */
export async function openCordon(
  options: CordonOptions = {},
): Promise<Cordon & { readonly homes: Homes; doctor(): Promise<readonly Finding[]> }> {
  const places = placesOf(options)
  const homes = new PrivateHomes({ state: places.state, env: places.env, now: Date.now })
  const ports = portsOf(options, places, homes)
  if (options.profile !== undefined) ports.profiles.profileFor(null, options.profile)
  const engine = createEngine(ports)
  const exec: Cordon['exec'] = (program, args = [], runOptions) => engine.run({ program, args }, runOptions)
  return {
    ...engine,
    exec,
    tools: createTools(engine),
    homes: homesOf(homes, places.workspace),
    doctor: () => examine(ports, places.home),
  }
}

/** Writes what a person allows into that person's own settings. */
export function allowForUser({ workspace, ...allowance }: Allowance & { readonly workspace: string }): Allowed {
  const { env } = process
  const home = env.HOME || homedir()
  return allowInSettings(allowance, {
    workspace: existingDirectory(workspace),
    home,
    env,
    builtinDir: builtinDirectory(),
  })
}

const builtinDirectory = (): string => fileURLToPath(new URL('../profiles', import.meta.url))

interface Places {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string
  readonly workspace: string
  readonly state: string
}

function placesOf(options: CordonOptions): Places {
  const env = options.env ?? process.env
  const home = env.HOME || homedir()
  const state = options.stateDirectory ?? join(env.XDG_STATE_HOME || join(home, '.local/state'), 'cordon')
  makeStateDirectory(state)
  return { env, home, workspace: existingDirectory(options.workspace ?? process.cwd()), state }
}

/** The private homes as a person looks at them: of this workspace, or of all. */
function homesOf({ directory }: PrivateHomes, workspace: string) {
  const which = ({ profile, all }: { readonly profile: string | null; readonly all: boolean }): WhichHomes => ({
    profile,
    workspace: all ? null : workspace,
  })
  return {
    list: (chosen: Parameters<typeof which>[0]) => inspectHomes(directory, which(chosen)),
    reset: (chosen: Parameters<typeof which>[0]) => resetHomes(directory, which(chosen)),
  }
}

type Homes = ReturnType<typeof homesOf>

function portsOf(options: CordonOptions, { env, home, workspace, state }: Places, homes: PrivateHomes): Ports {
  const places = { workspace, home, env }
  const load = (): Profiles =>
    loadProfiles({ ...places, builtinDir: builtinDirectory(), defaultProfile: options.profile })
  const warm = options.warm ?? 0
  const bubblewrap = createBubblewrap({ warm })
  let profiles = load()
  const current: Profiles = {
    list: () => profiles.list(),
    profileFor: (agent, name) => profiles.profileFor(agent, name),
  }
  return {
    profiles: guarded(current, { state, config: join(env.XDG_CONFIG_HOME || join(home, '.config'), 'cordon') }),
    observer: homes.observing(createObserver(places)),
    approver: createApprover({
      store: openApprovals(join(state, 'approvals'), Date.now),
      ask: options.onApproval,
      unattended: options.unattended,
      saveHosts: (words, profile) => {
        allowInSettings({ what: 'host', words, profile }, { ...places, builtinDir: builtinDirectory() })
        profiles = load()
      },
      saveRule: (rule, profile) => {
        saveRule(places, rule, profile)
        profiles = load()
      },
      now: Date.now,
    }),
    transactions: createTransactions({ stateDirectory: state, workspace, ahead: aheadBy(bubblewrap, warm) }),
    launchers: { bubblewrap: homes.preparing(bubblewrap), none: createDirect() },
    outputs: createFileOutputs({ directory: join(state, 'output'), maxBytes: KEPT_OUTPUT_BYTES }),
    audit: openAudit({ file: join(state, 'audit.db') }),
    log: options.log ?? logFor(env.CORDON_LOG),
    now: () => performance.timeOrigin + performance.now(),
    newId,
    sha256: (text) => createHash('sha256').update(text).digest('hex'),
  }
}

/** Where an overlay is mounted ahead, a wall is built in it ahead too. */
const aheadBy = (launcher: WallLauncher, size: number): SpareOptions => ({
  size,
  onReady: (plan) => launcher.prepare(plan),
})

/**
 * No command may reach the record or the approvals, nor change the settings that judge it, wherever the workspace lies: an agent
 * whose workspace is the home directory would otherwise have both at hand.
 */
function guarded(profiles: Profiles, own: { readonly state: string; readonly config: string }): Profiles {
  const known = new WeakMap<Profile, Profile>()
  const guard = (profile: Profile): Profile => {
    const made = known.get(profile) ?? guardedOnce(profile)
    known.set(profile, made)
    return made
  }
  const guardedOnce = (profile: Profile): Profile => ({
    ...profile,
    paths: {
      ...profile.paths,
      hidden: [...profile.paths.hidden, own.state],
      protected: [...profile.paths.protected, own.config],
    },
  })
  return { list: () => profiles.list(), profileFor: (agent, name) => guard(profiles.profileFor(agent, name)) }
}

/** `CORDON_LOG=info` writes a line a step on stderr; without it nothing is written. */
const logFor = (level: string | undefined): Log =>
  level ? createJsonLog(level, (line) => process.stderr.write(line), Date.now) : () => {}

const KEPT_OUTPUT_BYTES = 1024 * 1024 * 1024

/**
 * The state directory is hidden from commands, and what is hidden is part of every plan: made only by the first run, it would give
 * the second run of a command another digest than the first. Below /proc, Node's recursive mkdir never returns.
 */
function makeStateDirectory(path: string): void {
  if (isInside(path, '/proc'))
    throw new CordonError(
      'AUDIT_UNAVAILABLE',
      `The state directory ${path} cannot be made. Set XDG_STATE_HOME to another place.`,
    )
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
  } catch {
    // The audit log says why, in its own words, when it cannot be written there.
  }
}

/** Sorts by time, cannot be guessed, and is safe as a file name. */
const newId = (): string => `${Date.now().toString(36)}${randomBytes(5).toString('hex')}`

function existingDirectory(path: string): string {
  try {
    const real = realpathSync(path)
    if (statSync(real).isDirectory()) return real
  } catch {
    throw new CordonError('DIRECTORY_NOT_FOUND', `The workspace ${path} does not exist. Create it, or name another.`)
  }
  throw new CordonError('NOT_A_DIRECTORY', `The workspace ${path} is not a directory.`)
}
