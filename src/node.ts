import { homedir } from 'node:os'
import { join } from 'node:path'
import { checkCordonOptions } from './core/model/run/cordon-options.js'
import type { Caller } from './core/model/run/request.js'
import type { Result } from './core/model/run/result.js'
import { ownFilter } from './core/present/filters/own-filter.js'
import {
  builtinDirectory,
  type CordonOptions,
  checkSettings,
  decidingPorts,
  existingDirectory,
  type Places,
  placesOf,
} from './deciding.js'
import { examine, type Finding } from './doctor.js'
import type { Engine, RunOptions } from './engine/api.js'
import { createEngine } from './engine/create-engine.js'
import type { DecidingPorts, Ports } from './engine/ports/ports.js'
import { createBubblewrap, type SandboxLauncher } from './host/launch/bubblewrap.js'
import { createDirect } from './host/launch/direct.js'
import { createPathGuard, type PathGuard } from './host/observe/path-guard.js'
import { createFileOutputs } from './host/output/file-outputs.js'
import { inspectHomes, resetHomes, type WhichHomes } from './host/private-home/inspect.js'
import { PrivateHomes } from './host/private-home/private-homes.js'
import { type Allowance, type Allowed, allowInSettings } from './host/settings/allow.js'
import type { PreparedLayersOptions } from './host/transaction/overlay/prepared-layers.js'
import { createTransactions } from './host/transaction/transactions.js'
import { httpAccess } from './http-access.js'
import { createTools } from './surface/tools/create-tools.js'
import type { ToolContext, ToolRegistry } from './surface/tools/tool.js'

export type { CordonOptions } from './deciding.js'

/** One for the next command and one for the one after: an engine that is asked often finds them filled up by then. */
const WARM_SANDBOXES = 2

/** The engine on this machine, with the tools for models on top. */
export interface Cordon extends Engine {
  exec(program: string, args?: readonly string[], options?: RunOptions): Promise<Result>
  readonly tools: ToolRegistry
}

/** Joins the host to the engine. Nothing is started before the first request. */
export async function createCordon(options: CordonOptions = {}): Promise<Cordon> {
  checkCordonOptions(options)
  checkSettings(options, placesOf(options))
  return openCordon({ ...options, warm: options.warm ?? WARM_SANDBOXES })
}

/** The engine with what the command line needs besides. */
export interface OpenedCordon extends Cordon {
  readonly homes: Homes
  doctor(): Promise<readonly Finding[]>
  /** The token file and the audit rows of a server over HTTP. */
  httpAccess(say: (text: string) => void): ReturnType<typeof httpAccess>
}

/**
 * Creates an engine as `createCordon` does, with the extras of the command line. `caller` names its users in the audit
 * log.
 */
export async function openCordon(options: CordonOptions & { readonly caller?: Caller } = {}): Promise<OpenedCordon> {
  const places = placesOf(options)
  const homes = new PrivateHomes({ state: places.state, env: places.env, now: Date.now })
  const ports = runningPorts(decidingPorts(options, places, homes), places, homes, options.warm)
  if (options.profile !== undefined) ports.profiles.profileFor(null, null)
  const engine = createEngine({ ...ports, filters: options.filters?.map(ownFilter) ?? [] })
  const exec: Cordon['exec'] = (program, args = [], runOptions) => engine.run({ program, args }, runOptions)
  return {
    ...engine,
    exec,
    tools: createTools({ ...engine, pathsFor: pathsFor(ports) }),
    homes: homesOf(homes, places.workspace),
    doctor: () => examine(ports, places.home),
    httpAccess: (say) => httpAccess(ports, places.state, say),
  }
}

/** Returns the path check of the profile that a tool's context names. */
const pathsFor =
  ({ profiles, observer }: Pick<Ports, 'profiles' | 'observer'>) =>
  ({ agent, profile }: ToolContext): PathGuard => {
    const own = profiles.profileFor(agent ?? null, profile ?? null)
    const { workspace, roots } = observer.surroundings(own, [], agent)
    return createPathGuard(roots, workspace)
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

/** Adds what runs commands to what decides them. `warm`: how many sandboxes to keep ready. */
export function runningPorts(
  deciding: Omit<DecidingPorts, 'launchers'>,
  { state, workspace }: Places,
  homes: PrivateHomes,
  warm = 0,
): Ports {
  const bubblewrap = createBubblewrap({ warm })
  return {
    ...deciding,
    transactions: createTransactions({ stateDirectory: state, workspace, ahead: aheadBy(bubblewrap, warm) }),
    launchers: { bubblewrap: homes.preparing(bubblewrap), none: createDirect() },
    outputs: createFileOutputs({ directory: join(state, 'output'), maxBytes: KEPT_OUTPUT_BYTES }),
  }
}

/** Warms a sandbox in each overlay that is prepared. */
const aheadBy = (launcher: SandboxLauncher, size: number): PreparedLayersOptions => ({
  size,
  onReady: (plan) => launcher.prepare(plan),
})

const KEPT_OUTPUT_BYTES = 1024 * 1024 * 1024
