import { closeSync, lstatSync, realpathSync, writeSync } from 'node:fs'
import type { Plan, Wall } from '../../core/model/plan.js'
import type { LaunchIo } from '../../engine/ports.js'
import { ArgumentPlace } from './argument-place.js'
import type { Broker } from './broker.js'
import { BuiltWall, type Workshop } from './built-wall.js'
import type { Channel } from './fifos.js'
import { childrenOf } from './process-tree.js'
import { ENV_PROGRAM, placeholder, requestText, SCRIPT_BYTES, scriptOf, waitingLines } from './waiting-shell.js'

/** A request is written at once into an empty pipe, which holds this much and a little more. */
const REQUEST_BYTES = 60_000
/** Walls for more different settings than this are not kept. */
const MAX_SETTINGS = 2
const SHELL = '/bin/bash'

type BubblewrapWall = Extract<Wall, { kind: 'bubblewrap' }>

/** What is to be run, and in which wall. */
export interface Wanted {
  readonly plan: Plan
  readonly wall: BubblewrapWall
  readonly stdin: LaunchIo['stdin']
  /** A process whose network namespace the command shares. */
  readonly networkOf: number | null
}

interface Warm {
  readonly key: string
  readonly plan: Plan
  readonly built: BuiltWall
  readonly within: number | undefined
  readonly request: Channel
  /** Where its script stands; null before it waits, and where that cannot be reached. */
  script: ArgumentPlace | null
}

function identity(path: string): string {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false })
    return stats === undefined ? '-' : `${stats.dev}:${stats.ino}`
  } catch {
    return '?'
  }
}

/** The shell a wall for this plan waits in: the plan's own, so that it is called by the same name. */
const shellOf = (plan: Plan): string => (scriptOf(plan) === null ? SHELL : (plan.argv[0] ?? SHELL))

/**
 * Everything a wall is built from but what a waiting shell can be told. What is mounted counts by what it is, not by its name: a
 * directory that was made again, or a file replaced, is another one, and a wall built before still shows the old.
 */
function keyOf({ plan, wall, networkOf }: Wanted): string {
  const places = wall.mounts.map((mount) => identity(mount.at))
  return JSON.stringify([plan.limits, wall, networkOf, places])
}

function isHidden(path: string, { mounts }: BubblewrapWall): boolean {
  const names = new Set([path, realpathSync(path)])
  return mounts.some(({ op, at }) => (op === 'mask' || op === 'hide-file') && names.has(at))
}

/** Single-use walls built ahead, each holding a bash that waits for one command. A request that fits none exactly gets none. */
export class WarmWalls {
  readonly #shop: Workshop
  readonly #broker: () => Promise<Broker | null>
  readonly #size: number
  readonly #waiting: Warm[] = []
  readonly #falling = new Set<Promise<void>>()
  #closed = false

  constructor(shop: Workshop, broker: () => Promise<Broker | null>, size: number) {
    this.#shop = shop
    this.#broker = broker
    this.#size = size
  }

  /** A waiting wall that is exactly what the plan asks for, with the command already on its way; null when there is none. */
  take(wanted: Wanted): BuiltWall | null {
    if (!this.#fits(wanted)) return null
    const key = keyOf(wanted)
    const script = scriptOf(wanted.plan)
    const fitting = this.#waiting.filter((warm) => warm.key === key && warm.built.isUp && isCalled(warm, wanted.plan))
    const warm = fitting.find(({ script: place }) => place !== null) ?? fitting[0]
    if (warm === undefined) return null
    const text = requestText({ from: warm.plan, to: wanted.plan, stdin: wanted.stdin })
    if (text === null || Buffer.byteLength(text) > REQUEST_BYTES) return null
    this.#forget(warm)
    if (script !== null && warm.script !== null && !warm.script.replace(script)) {
      this.#demolish(warm)
      return null
    }
    if (typeof wanted.stdin === 'object') warm.built.provide(wanted.stdin.text)
    writeSync(warm.request.ours, `${Buffer.byteLength(text)}\n${text}`)
    return warm.built
  }

  /** The same will be asked for again: builds what is missing, and lets go of what nobody has asked for lately. */
  async refill(wanted: Wanted): Promise<void> {
    // Whoever has mounted something for a command mounts it anew for the next.
    if (this.#closed || wanted.wall.within !== undefined || !this.#fits(wanted)) return
    const broker = await this.#broker()
    if (this.#closed) return
    const key = keyOf(wanted)
    const shared = this.#waiting.filter(({ within }) => within === undefined)
    const keys = [...new Set([key, ...shared.map((warm) => warm.key).reverse()])].slice(0, MAX_SETTINGS)
    for (const stale of shared.filter((warm) => !keys.includes(warm.key) || !warm.built.isUp)) this.#letGo(stale)
    const ready = this.#waiting.filter((warm) => warm.key === key).length
    for (let missing = this.#size - ready; missing > 0; missing -= 1) this.#build(wanted, key, broker)
  }

  /** One wall where something is mounted for the next command alone. */
  async prepare(wanted: Wanted): Promise<void> {
    if (this.#closed || !this.#fits(wanted)) return
    const broker = await this.#broker()
    if (this.#closed) return
    // What is looked up there already is not looked up again: not even a working directory must be.
    const plan: Plan = { ...wanted.plan, cwd: '/' }
    this.#build({ ...wanted, plan }, keyOf(wanted), broker)
    const own = this.#waiting.filter(({ within }) => within !== undefined)
    for (const stale of own.slice(0, Math.max(0, own.length - MAX_SETTINGS * this.#size))) this.#letGo(stale)
  }

  async close(): Promise<void> {
    this.#closed = true
    for (const warm of this.#waiting.splice(0)) this.#demolish(warm)
    await Promise.all(this.#falling)
  }

  #fits({ plan, wall, stdin }: Wanted): boolean {
    if (this.#size === 0 || stdin === 'open') return false
    const script = scriptOf(plan)
    if (script === null) return !isShell(plan) && !isHidden(SHELL, wall) && !isHidden(ENV_PROGRAM, wall)
    return Buffer.byteLength(script) < SCRIPT_BYTES
  }

  #build({ plan, wall, networkOf }: Wanted, key: string, broker: Broker | null): void {
    const request = this.#shop.fifos.input()
    const shell = shellOf(plan)
    const text = placeholder(shell)
    const built = new BuiltWall(this.#shop, { ...plan, argv: [shell, '-c', text] }, wall, 'later', {
      request: request.theirs,
      waiting: waitingLines(plan, shell),
      networkOf,
      broker,
    })
    built.hold(false)
    const warm: Warm = { key, plan, built, within: wall.within, request, script: null }
    this.#waiting.push(warm)
    built.whenWaiting((init) => {
      const [pid] = childrenOf(init)
      warm.script = pid === undefined ? null : ArgumentPlace.find(pid, text)
    })
    const over = (): void => {
      this.#forget(warm)
      warm.script?.close()
      closeSync(request.ours)
      request.recycle()
    }
    built.over.then(over, over)
  }

  #letGo(warm: Warm): void {
    this.#forget(warm)
    this.#demolish(warm)
  }

  #demolish({ built }: Warm): void {
    const fallen = built.demolish().finally(() => this.#falling.delete(fallen))
    this.#falling.add(fallen)
  }

  #forget(warm: Warm): void {
    const index = this.#waiting.indexOf(warm)
    if (index !== -1) this.#waiting.splice(index, 1)
  }
}

const isShell = ({ argv }: Plan): boolean => argv[1] === '-c' && /(^|\/)bash$/.test(argv[0] ?? '')

/** A program is called by its own name whichever shell it was that waited. */
const isCalled = (warm: Warm, plan: Plan): boolean => scriptOf(plan) === null || shellOf(warm.plan) === shellOf(plan)
