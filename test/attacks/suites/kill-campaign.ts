import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Cordon } from '../../../src/node.js'
import { commandOf, HOPPER, KINDS } from '../support/kill-commands.js'
import { lookAround, survivorsOf, type Traces, tracesLeft } from '../support/kill-traces.js'
import { type Target, WAYS, type Weapons } from '../support/kill-ways.js'

export interface Campaign extends Weapons {
  readonly count: number
  readonly seed: number
  /** Number of simultaneous commands. */
  readonly abreast: number
  /** Called after each kill. */
  readonly onKill?: (done: number) => void
}

export interface Survivor {
  readonly way: string
  readonly kind: string
  readonly profile: string
  readonly warm: number
  readonly delayMs: number
  readonly pids: readonly string[]
}

export interface CampaignReport extends Traces {
  readonly kills: number
  readonly survivors: readonly Survivor[]
  /** Errors that stopped ways of killing. None is allowed. */
  readonly errors: readonly string[]
  /** Transactions that recovery did not end, and files it left in the undo store. */
  readonly unsettled: readonly string[]
}

/** Settings with and without a transaction, with a low limit, and without a sandbox. */
const SETTINGS = `
[profiles.kept]
extends = "workspace"
transaction.mode = "always"
timeouts.grace_ms = 50
opaque.unknown = "allow"

[profiles.plain]
extends = "kept"
transaction.mode = "off"

[profiles.tight]
extends = "plain"
limits.processes = 16

[profiles.bare]
extends = "open"
timeouts.grace_ms = 50
opaque.unknown = "allow"
opaque.foreign = "allow"
transaction.mode = "off"
`
const PROFILES = ['kept', 'plain', 'bare'] as const
const WARM = 2
/** Length of the start, in which everything is half built. */
const EARLY_MS = 30
const LATE_MS = 300
const EARLY_SHARE = 0.7
/** Longest search of a killed engine's watchdog on a busy machine. */
const WATCHDOG_MS = 30_000

function generator(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

interface Site {
  readonly root: string
  readonly options: Target['options']
  readonly engines: readonly Cordon[]
}

function prepare(): Pick<Site, 'root' | 'options'> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'cordon-kills-')))
  const [workspace, home, scratch, state] = ['workspace', 'home', 'scratch', 'state'].map((name) =>
    join(root, name),
  ) as [string, string, string, string]
  for (const directory of [workspace, join(home, '.config/cordon'), scratch, state])
    mkdirSync(directory, { recursive: true })
  writeFileSync(join(home, '.config/cordon/cordon.toml'), SETTINGS)
  const env = { PATH: process.env.PATH ?? '/usr/bin:/bin', HOME: home, XDG_STATE_HOME: state, TMPDIR: scratch }
  return { root, options: { workspace, stateDirectory: join(state, 'cordon'), env } }
}

interface Shot {
  readonly way: string
  readonly kind: string
  readonly target: Target
}

function shots({ count, seed }: Campaign, { options, engines }: Site): readonly Shot[] {
  const random = generator(seed)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  // In turn instead of at random, so that a small campaign uses each way and each kind.
  return Array.from({ length: count }, (_, index) => {
    const way = Object.keys(WAYS)[index % Object.keys(WAYS).length] ?? ''
    const kind = KINDS[(index + Math.floor(index / KINDS.length)) % KINDS.length] ?? ''
    const seconds = `${100_000 + Math.floor(random() * 800_000)}.${process.pid}${index}`
    const warm = pick([0, WARM])
    const delayMs = Math.floor(random() * (random() < EARLY_SHARE ? EARLY_MS : LATE_MS))
    const picked = pick(PROFILES)
    const profile = picked === 'bare' && kind === HOPPER ? 'plain' : picked
    const cordon = engines[warm === 0 ? 0 : 1] as Cordon
    return { way, kind, target: { script: commandOf(kind, seconds), seconds, profile, warm, delayMs, options, cordon } }
  })
}

/** Kills commands in every way at random moments, and counts leftovers. Leaves nothing behind itself. */
export async function killCampaign(campaign: Campaign): Promise<CampaignReport> {
  const { root, options } = prepare()
  const outer = process.env.TMPDIR
  process.env.TMPDIR = options.env.TMPDIR
  // Files that Node opens for its first child stay open.
  await (await opened(campaign, options)).close()
  const before = lookAround()
  const engineIds = new Set([process.pid])
  const survivors: Survivor[] = []
  const errors: string[] = []
  try {
    const engines = await Promise.all([0, WARM].map((warm) => opened(campaign, { ...options, warm })))
    const queue = [...shots(campaign, { root, options, engines })]
    let done = 0
    const work = async (): Promise<void> => {
      for (let shot = queue.shift(); shot !== undefined; shot = queue.shift()) {
        const { way, kind, target } = shot
        const { profile, warm, delayMs, seconds } = target
        try {
          for (const pid of (await WAYS[way]?.(target, campaign)) ?? []) engineIds.add(pid)
        } catch (error) {
          errors.push(`${way}, ${kind}: ${error}`)
        }
        const pids = await survivorsOf(seconds, / of the /.test(way) ? WATCHDOG_MS : 0)
        if (pids.length > 0) survivors.push({ way, kind, profile, warm, delayMs, pids })
        done += 1
        campaign.onKill?.(done)
      }
    }
    await Promise.all(Array.from({ length: campaign.abreast }, work))
    await Promise.all(engines.map((engine) => engine.close()))
    const traces = await tracesLeft(before, { root, scratch: options.env.TMPDIR ?? '', engines: engineIds })
    return { kills: done, survivors, errors, ...traces, unsettled: await unsettled(campaign, options) }
  } finally {
    if (outer === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = outer
    rmSync(root, { recursive: true, force: true })
  }
}

/** Opens an engine that has run a command of each profile, so that its warm sandboxes exist. */
async function opened({ createCordon }: Campaign, options: Target['options']): Promise<Cordon> {
  const cordon = await createCordon(options)
  for (const profile of PROFILES) await cordon.run('true', { profile })
  return cordon
}

/** Returns transactions that the next engine could not end or remove after a kill. */
async function unsettled({ createCordon }: Campaign, options: Target['options']): Promise<readonly string[]> {
  const storePath = join(options.stateDirectory ?? '', 'undo-store')
  const longAgo = new Date('2020-01-01')
  for (const name of contents(storePath)) utimesSync(join(storePath, name), longAgo, longAgo)
  const cordon = await createCordon(options)
  await cordon.transactions.recover()
  const open = cordon.transactions
    .history({ limit: 100_000 })
    .filter(({ state }) => state === 'running' || state === 'applying')
    .map(({ id, state }) => `transaction ${id} is ${state}`)
  await cordon.close()
  return [...open, ...contents(storePath).map((name) => `${storePath}/${name}`)]
}

function contents(directory: string): readonly string[] {
  try {
    return readdirSync(directory)
  } catch {
    return []
  }
}
