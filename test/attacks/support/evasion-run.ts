import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deniedPrograms } from '../../../src/core/decide/denials/masked-programs.js'
import type { Mount, Plan } from '../../../src/core/model/policy/plan.js'
import type { Profile } from '../../../src/core/model/policy/profile.js'
import { planFor } from '../../../src/core/plan/plan-for.js'
import type { Launcher } from '../../../src/engine/ports/ports.js'
import { createBubblewrap } from '../../../src/host/launch/bubblewrap.js'
import { createObserver } from '../../../src/host/observe/observer.js'
import { executedIn, type Recorders, recordersIn, replaceSystemPrograms } from './recorders.js'

export interface Evasions {
  readonly commands: readonly string[]
  readonly profiles: readonly Profile[]
  /** False shows that the recorders work without masks. */
  readonly masks: boolean
  /** Allows recorders in place of system programs. Only for a mount namespace of our own. */
  readonly ownNamespace: boolean
  /** Number of simultaneous commands. */
  readonly abreast: number
  readonly onRun?: (done: number) => void
}

export interface Executed {
  readonly profile: string
  readonly command: string
  readonly programs: readonly string[]
}

export interface EvasionReport {
  readonly runs: number
  /** Commands that reached a mask. */
  readonly stopped: number
  readonly executed: readonly Executed[]
}

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
/** An obfuscated command works at once or never; fork bombs stay small. */
const TIMEOUT_MS = 4_000
const GRACE_MS = 100
const PROCESSES = 64
const STOPPED = 'Command not allowed: '

interface Field {
  readonly workspace: string
  /** Directory in which recorders record programs of this field. */
  readonly told: string
}

function prepare(top: string, index: number): Field {
  const [workspace, told] = [join(top, `work${index}`), join(top, `told${index}`)]
  for (const directory of [workspace, told]) mkdirSync(directory)
  writeFileSync(join(workspace, 'README.md'), 'read me\n')
  writeFileSync(join(workspace, 'notes.txt'), 'notes\n')
  return { workspace, told }
}

/** Returns the engine's plan of a command that the analyser allowed, with a directory for records. */
function planned(profile: Profile, { workspace, told }: Field, recorders: Recorders, masks: boolean): Plan {
  const env = { PATH: `${recorders.directory}:${PATH}` }
  const surroundings = createObserver({ workspace, home: '/nonexistent', env }).surroundings(
    profile,
    masks ? deniedPrograms(profile) : [],
  )
  const plan = planFor({
    request: {
      ...{ id: 'evasion', command: { mode: 'shell', script: 'true' }, text: 'true', agent: null, caller: 'library' },
      ...{ cwd: workspace, timeoutMs: TIMEOUT_MS, stdin: null, hasLiveStdin: false, env: [] },
    },
    profile: { ...profile, network: 'none', limits: { ...profile.limits, processes: PROCESSES } },
    surroundings,
    capabilities: { sandbox: 'bubblewrap', path: '', version: '' },
    writesAnything: true,
    sha256: () => '',
  })
  // /tmp is empty inside, and so would be the directories of the recorders.
  const shown: readonly Mount[] = [
    { op: 'read', from: recorders.directory, at: recorders.directory },
    { op: 'write', from: told, at: recorders.records },
  ]
  return plan.sandbox.kind === 'none'
    ? plan
    : { ...plan, graceMs: GRACE_MS, sandbox: { ...plan.sandbox, mounts: around(plan.sandbox.mounts, shown) } }
}

/** Inserts mounts before the masks, which lie on top. */
function around(mounts: readonly Mount[], shown: readonly Mount[]): readonly Mount[] {
  const first = mounts.findIndex(({ op }) => op === 'mask')
  const at = first === -1 ? mounts.length : first
  return [...mounts.slice(0, at), ...shown, ...mounts.slice(at)]
}

interface Runner {
  readonly launcher: Launcher
  readonly field: Field
}

/** Returns true if the command met a mask, and the denied programs that ran. */
async function runOne(
  { launcher, field }: Runner,
  sandbox: Plan,
  command: string,
): Promise<[boolean, readonly string[]]> {
  let said = ''
  await launcher.launch(
    { ...sandbox, argv: [sandbox.argv[0] ?? '', '-c', command] },
    {
      stdin: 'closed',
      signal: new AbortController().signal,
      onStart: () => undefined,
      onChunk: (_stream, bytes) => {
        said = said.includes(STOPPED) ? said : (said + Buffer.from(bytes).toString('latin1')).slice(-65_536)
      },
    },
  )
  return [said.includes(STOPPED), executedIn(field.told)]
}

/**
 * Runs every command in the sandbox of every profile as if the analyser had allowed it, and counts denied programs that
 * ran.
 */
export async function runEvasions(evasions: Evasions): Promise<EvasionReport> {
  const { commands, profiles, masks, ownNamespace, abreast, onRun } = evasions
  const denied = [...new Set(profiles.flatMap(deniedPrograms))]
  const launcher = createBubblewrap()
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'cordon-evasions-')))
  const recorders = recordersIn(top, denied)
  const queue = profiles.flatMap((profile) => commands.map((command) => ({ profile, command })))
  const executed: Executed[] = []
  let [runs, stopped] = [0, 0]
  const work = async (field: Field): Promise<void> => {
    const plans = new Map(profiles.map((profile) => [profile, planned(profile, field, recorders, masks)]))
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const { profile, command } = next
      const sandbox = plans.get(profile)
      if (sandbox === undefined) continue
      const [met, programs] = await runOne({ launcher, field }, sandbox, command)
      if (programs.length > 0) executed.push({ profile: profile.name, command, programs })
      if (met) stopped += 1
      runs += 1
      onRun?.(runs)
    }
  }
  try {
    if (ownNamespace) replaceSystemPrograms(recorders, denied, PATH.split(':'))
    await Promise.all(Array.from({ length: abreast }, (_, index) => work(prepare(top, index))))
    return { runs, stopped, executed }
  } finally {
    await launcher.close()
    rmSync(top, { recursive: true, force: true })
  }
}
