import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, realpathSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CordonError } from './core/model/basics/errors.js'
import { isInside } from './core/model/basics/path.js'
import type { Answer, Approval } from './core/model/policy/approval.js'
import type { ProfileSettings } from './core/model/policy/profile-settings.js'
import type { Settings } from './core/model/policy/settings.js'
import type { Caller } from './core/model/run/request.js'
import type { OwnFilter } from './core/present/filters/own-filter.js'
import type { DecidingPorts, Log, Profiles } from './engine/ports/ports.js'
import { answerOrigin } from './host/approve/answer-origin.js'
import { openApprovals } from './host/approve/approval-store.js'
import { createApprover } from './host/approve/approver.js'
import { openSink, sinkFileOf } from './host/audit/sink.js'
import { openAudit } from './host/audit/sqlite-audit.js'
import { createJsonLog } from './host/log/json-log.js'
import { nameServiceFor } from './host/observe/absent-names.js'
import { createObserver } from './host/observe/observer.js'
import type { PrivateHomes } from './host/private-home/private-homes.js'
import { ownRegistries } from './host/registries/own-registries.js'
import { allowInSettings } from './host/settings/allow.js'
import { guardOwnFiles } from './host/settings/guard-own-files.js'
import { auditSettingsOf, type CodeSettings, type SettingsPlaces } from './host/settings/layers.js'
import { loadProfiles } from './host/settings/profiles.js'
import { saveRule } from './host/settings/save-rule.js'
import { openStateKey } from './host/state-key/state-key.js'
import { tracedAudit } from './host/telemetry/traced-audit.js'

export interface CordonOptions {
  /** The directory commands start in and may write to. Default: the current one. */
  readonly workspace?: string | undefined
  /**
   * The profile of requests that name none: a name, or an object with the keys of `[profiles.x]` in `cordon.toml`.
   * Default: what the settings say, else `workspace`.
   */
  readonly profile?: string | ProfileSettings | undefined
  /** The content of a `cordon.toml`, in place of the files of the user and of the project. */
  readonly settings?: Settings | undefined
  /** The directory of the audit log and kept output. Default: `$XDG_STATE_HOME/cordon`. */
  readonly stateDirectory?: string | undefined
  /** Asks a person about a held command. Absent: it waits in the store for `cordon approve`. */
  readonly onApproval?: ((approval: Approval, signal: AbortSignal) => Promise<Answer>) | undefined
  /**
   * The number of warm sandboxes after the first command; each is used once. Default: 2. They end with `close` or the
   * process.
   */
  readonly warm?: number | undefined
  /** Denies commands that would need approval, because no person can answer. */
  readonly unattended?: boolean | undefined
  /** Output filters for programs of one's own, before those of Cordon. */
  readonly filters?: readonly OwnFilter[] | undefined
  /** Structured log lines. Default: JSON on stderr from the level in CORDON_LOG up, or none. */
  readonly log?: Log | undefined
  /**
   * Puts commands and their output into the spans for OpenTelemetry. Default: only where
   * OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT is `true`.
   */
  readonly traceContent?: boolean | undefined
  /** The environment variables are passed on from. Default: this process's own. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined
}

export const builtinDirectory = (): string => fileURLToPath(new URL('../profiles', import.meta.url))

/** Directories of one Cordon, and the environment it passes on from. */
export interface Places {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string
  readonly workspace: string
  readonly state: string
}

export function placesOf(options: CordonOptions): Places {
  const env = options.env ?? process.env
  const home = env.HOME || homedir()
  const state = options.stateDirectory ?? join(env.XDG_STATE_HOME || join(home, '.local/state'), 'cordon')
  makeStateDirectory(state)
  return { env, home, workspace: existingDirectory(options.workspace ?? process.cwd()), state }
}

const codeSettings = ({ profile, settings }: CordonOptions): CodeSettings => ({
  settings,
  profile: typeof profile === 'object' ? profile : undefined,
})

const profilesOf = ({ profile }: CordonOptions, places: SettingsPlaces): Profiles =>
  loadProfiles({
    ...places,
    builtinDir: builtinDirectory(),
    defaultProfile: typeof profile === 'string' ? profile : undefined,
  })

/** Throws the error of broken settings, which the first command would throw otherwise. Keeps nothing of them. */
export function checkSettings(options: CordonOptions, { workspace, home, env }: Places): void {
  profilesOf(options, { workspace, home, env, code: codeSettings(options) }).list()
}

/** Joins the parts of the host that a decision needs, and those that record it. */
export function decidingPorts(
  options: CordonOptions & { readonly caller?: Caller },
  { env, home, workspace, state }: Places,
  homes: PrivateHomes,
): Omit<DecidingPorts, 'launchers'> {
  const places = { workspace, home, env, code: codeSettings(options) }
  const load = (): Profiles => profilesOf(options, places)
  const key = openStateKey(state)
  const audit = openAudit({
    file: join(state, 'audit.db'),
    key,
    sink: () => openSink(auditSettingsOf(places) ?? {}, sayOnStderr),
    sinkFile: () => sinkFileOf(auditSettingsOf(places) ?? {}),
  })
  let profiles = load()
  const current: Profiles = {
    list: () => profiles.list(),
    profileFor: (agent, name) => profiles.profileFor(agent, name),
  }
  return {
    profiles: guardOwnFiles(current, places, state),
    mayLoosen: options.profile !== undefined,
    observer: homes.observing(
      createObserver({ ...places, state, nameService: nameServiceFor(state), registries: () => ownRegistries(home) }),
    ),
    approver: createApprover({
      store: openApprovals({
        directory: join(state, 'approvals'),
        now: Date.now,
        log: audit.answers,
        key,
        origin: () => answerOrigin(env),
        caller: options.caller ?? 'library',
      }),
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
    audit: tracedAudit(audit, options.traceContent ?? env[TRACE_CONTENT] === 'true'),
    log: options.log ?? logFor(env.CORDON_LOG),
    now: () => performance.timeOrigin + performance.now(),
    newId,
    sha256: (text) => createHash('sha256').update(text).digest('hex'),
  }
}

/** The variable by which instrumentations of OpenTelemetry for models are told to record what was said. */
const TRACE_CONTENT = 'OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT'

const sayOnStderr = (message: string): void => void process.stderr.write(`cordon: ${message}\n`)

/** `CORDON_LOG=info` writes a line a step on stderr; without it nothing is written. */
const logFor = (level: string | undefined): Log =>
  level ? createJsonLog(level, (line) => process.stderr.write(line), Date.now) : () => {}

/**
 * The state directory is hidden from commands, and what is hidden is part of every plan: made only by the first run,
 * it would give the second run of a command another digest than the first. Below /proc, Node's recursive mkdir never
 * returns.
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

export function existingDirectory(path: string): string {
  try {
    const real = realpathSync(path)
    if (statSync(real).isDirectory()) return real
  } catch {
    throw new CordonError('DIRECTORY_NOT_FOUND', `The workspace ${path} does not exist. Create it, or name another.`)
  }
  throw new CordonError('NOT_A_DIRECTORY', `The workspace ${path} is not a directory.`)
}
