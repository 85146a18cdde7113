import { closeSync, writeSync } from 'node:fs'
import type { Plan, Sandbox } from '../../core/model/plan.js'
import { ArgumentPlace } from './argument-place.js'
import { BuiltWall } from './built-wall.js'
import type { Copies } from './copies.js'
import type { Channel } from './fifos.js'
import type { ListedNetwork } from './listed-network.js'
import type { Nursery } from './nursery.js'
import { childrenOf } from './process-tree.js'
import { Templates } from './templates.js'
import { placeholder, requestText, scriptOf, tellName, waitingLines, waitingPlan } from './waiting-shell.js'
import { canWait, keyOf, likenessOf, shellOf, startOf, type Wanted } from './wall-fit.js'
import type { Workshop } from './workshop.js'

/** A request is written at once into an empty pipe, which holds this much and a little more. */
const REQUEST_BYTES = 60_000
/** Walls for more different settings than this are not kept. */
const MAX_SETTINGS = 2

interface Warm {
  readonly key: string
  readonly plan: Plan
  readonly built: BuiltWall
  readonly within: number | undefined
  readonly request: Channel
  readonly network: ListedNetwork | null
  readonly kind: 'copied' | 'built'
  readonly start: string
  /** Settles when it waits, or has fallen before. */
  readonly ready: Promise<unknown>
  isWaiting: boolean
  /** Where its script stands; null before it waits, and where that cannot be reached. */
  script: ArgumentPlace | null
}

type BubblewrapWall = Extract<Sandbox, { kind: 'bubblewrap' }>

/** A wall that has waited, with its command on the way, and the network it is in. */
interface Taken {
  readonly built: BuiltWall
  readonly network: ListedNetwork | null
}

/** Single-use walls built ahead, each holding a bash that waits for one command. A request that fits none exactly gets none. */
export class WarmWalls {
  readonly #shop: Workshop
  readonly #nursery: () => Promise<Nursery | null>
  readonly #networkFor: (wall: BubblewrapWall) => Promise<ListedNetwork | null>
  readonly #size: number
  readonly #waiting: Warm[] = []
  readonly #falling = new Set<Promise<void>>()
  readonly #filling = new Set<Promise<void>>()
  /** Those for which walls are to be built soon; of several alike one speaks for all. */
  readonly #due = new Map<string, Wanted>()
  readonly #templates: Templates
  #closed = false

  constructor(
    shop: Workshop,
    nursery: () => Promise<Nursery | null>,
    networkFor: (wall: BubblewrapWall) => Promise<ListedNetwork | null>,
    size: number,
  ) {
    this.#shop = shop
    this.#nursery = nursery
    this.#networkFor = networkFor
    this.#size = size
    this.#templates = new Templates(shop)
  }

  /** A waiting wall that is exactly what the plan asks for, with the command already on its way; null when there is none. */
  take(wanted: Wanted): Taken | null {
    if (!this.#canWait(wanted)) return null
    const key = keyOf(wanted)
    const script = scriptOf(wanted.plan)
    const fitting = this.#waiting.filter(
      (warm) => warm.key === key && warm.built.isUp && isStartedFor(warm, wanted.plan),
    )
    const warm = fitting.find(({ script: place }) => place !== null) ?? fitting[0] ?? this.#copyNow(wanted, key)
    if (warm === null) return null
    const { built, network } = warm
    const plan = network?.plan(wanted.plan) ?? wanted.plan
    const text = requestText({ from: warm.plan, to: plan, stdin: wanted.stdin })
    if (text === null || Buffer.byteLength(text) > REQUEST_BYTES) return null
    this.#forget(warm)
    const isSent = (): boolean => isGiven(warm, script, text, wanted.stdin)
    if (warm.isWaiting || script === null) {
      if (isSent()) return { built, network }
      this.#demolish(warm)
      return null
    }
    // A shell that got its command before it waits would start another for the script, and that takes longer than it has to wait.
    built.whenWaiting(() => {
      if (!isSent()) built.renounce()
    })
    return { built, network }
  }

  /** More commands at once than walls are kept: a copy takes less than a wall that is built. */
  #copyNow(wanted: Wanted, key: string): Warm | null {
    const copies = this.#templates.copiesNow({ key, start: startOf(wanted.plan) })
    return copies === null ? null : this.#build(wanted, key, null, { nursery: null, copies })
  }

  /** The same will be asked for again: soon builds what is missing, and lets go of what nobody has asked for lately. */
  refill(wanted: Wanted): void {
    // Whoever has mounted something for a command mounts it anew for the next.
    if (wanted.wall.within !== undefined || !this.#canWait(wanted)) return
    const like = likenessOf(wanted)
    const isDue = this.#due.has(like)
    this.#due.set(like, wanted)
    if (isDue) return
    const filled = new Promise((resolve) => setImmediate(resolve))
      .then(() => this.#refill(this.#due.get(like) ?? wanted, like))
      .finally(() => this.#filling.delete(filled))
    this.#filling.add(filled)
  }

  /** Settles when a wall for this waits, with how it was made; or when it is clear that none will. */
  async readied(wanted: Wanted): Promise<'copied' | 'built' | 'none'> {
    for (;;) {
      await Promise.all(this.#filling)
      const key = keyOf(wanted)
      const warm = this.#waiting.find((one) => one.key === key && isStartedFor(one, wanted.plan))
      if (warm === undefined) return 'none'
      await warm.ready
      if (warm.built.isUp && this.#waiting.includes(warm)) return warm.kind
    }
  }

  async #refill(wanted: Wanted, like: string): Promise<void> {
    this.#due.delete(like)
    if (this.#closed) return
    const nursery = await this.#nursery()
    if (this.#closed) return
    const key = keyOf(wanted)
    const start = startOf(wanted.plan)
    const shared = this.#waiting.filter(({ within }) => within === undefined)
    const keys = [...new Set([key, ...shared.map((warm) => warm.key).reverse()])].slice(0, MAX_SETTINGS)
    for (const stale of shared.filter((warm) => !keys.includes(warm.key) || !warm.built.isUp)) this.#letGo(stale)
    this.#templates.keep(keys)
    const copies = await this.#templates.copiesFor({ key, start }, wanted, nursery)
    const missing = (): number =>
      this.#size - this.#waiting.filter((warm) => warm.key === key && isStartedFor(warm, wanted.plan)).length
    for (const network of await this.#networks(wanted, missing())) {
      // What is built is built from what is there now, and that may have changed. A copy is what its template is.
      if (this.#closed || missing() <= 0 || (copies === null && key !== keyOf(wanted))) network?.close()
      else this.#build(wanted, key, network, { nursery, copies })
    }
  }

  /** For so many walls, where they need any. None where they could not be made: whoever comes to need one is told why. */
  async #networks({ wall }: Wanted, count: number): Promise<readonly (ListedNetwork | null)[]> {
    const walls = Array.from({ length: Math.max(0, count) }, () => wall)
    if (typeof wall.network !== 'object') return walls.map(() => null)
    const made = await Promise.allSettled(walls.map(this.#networkFor))
    return made.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  }

  /** One wall where something is mounted for the next command alone. */
  async prepare(wanted: Wanted): Promise<void> {
    if (this.#closed || !this.#canWait(wanted)) return
    const nursery = await this.#nursery()
    if (this.#closed) return
    // What is looked up there already is not looked up again: not even a working directory must be.
    const plan: Plan = { ...wanted.plan, cwd: '/' }
    for (const network of await this.#networks(wanted, 1)) {
      if (this.#closed) network?.close()
      else this.#build({ ...wanted, plan }, keyOf(wanted), network, { nursery, copies: null })
    }
    const own = this.#waiting.filter(({ within }) => within !== undefined)
    for (const stale of own.slice(0, Math.max(0, own.length - MAX_SETTINGS * this.#size))) this.#letGo(stale)
  }

  async close(): Promise<void> {
    this.#closed = true
    for (const warm of this.#waiting.splice(0)) this.#demolish(warm)
    await Promise.all(this.#filling)
    await Promise.all(this.#falling)
    await this.#templates.close()
  }

  #canWait(wanted: Wanted): boolean {
    return this.#size > 0 && canWait(wanted)
  }

  #build(
    { plan: asked, wall }: Wanted,
    key: string,
    network: ListedNetwork | null,
    { nursery, copies }: { readonly nursery: Nursery | null; readonly copies: Copies | null },
  ): Warm {
    const request = this.#shop.fifos.input()
    const shell = shellOf(asked)
    const text = placeholder(shell)
    const plan = waitingPlan(asked, wall.within === undefined ? asked.workspace : asked.cwd)
    const built = new BuiltWall(this.#shop, { ...plan, argv: [shell, '-c', text] }, wall, 'later', {
      request: request.theirs,
      waiting: waitingLines(plan, shell),
      networkOf: network?.pid ?? null,
      nursery,
      copies,
    })
    built.hold(false)
    tellName(request.ours, built.name)
    const kind = copies === null ? 'built' : 'copied'
    const waits = new Promise<void>((resolve) => {
      built.whenWaiting((init) => {
        const [pid] = childrenOf(init)
        warm.script = pid === undefined ? null : ArgumentPlace.find(pid, text)
        warm.isWaiting = true
        if (kind === 'copied') this.#templates.count(true)
        resolve()
      })
    })
    const ready = Promise.race([waits, built.over.catch(() => undefined)])
    const warm: Warm = {
      key,
      plan,
      built,
      within: wall.within,
      request,
      network,
      kind,
      ready,
      start: startOf(asked),
      isWaiting: false,
      script: null,
    }
    this.#waiting.push(warm)
    const over = (): void => {
      if (built.failure !== null) this.#templates.count(false)
      // One that fell while it waited has to be tidied up after, as any other.
      if (this.#waiting.includes(warm)) this.#letGo(warm)
      warm.script?.close()
      closeSync(request.ours)
      request.recycle()
    }
    built.over.then(over, over)
    return warm
  }

  #letGo(warm: Warm): void {
    this.#forget(warm)
    this.#demolish(warm)
  }

  #demolish({ built, network }: Warm): void {
    const fallen = built.demolish().finally(() => {
      network?.close()
      this.#falling.delete(fallen)
    })
    this.#falling.add(fallen)
  }

  #forget(warm: Warm): void {
    const index = this.#waiting.indexOf(warm)
    if (index !== -1) this.#waiting.splice(index, 1)
  }
}

/** Whether a wall could be told its command. It may have fallen, and that has not been told yet. */
function isGiven(warm: Warm, script: string | null, text: string, stdin: Wanted['stdin']): boolean {
  if (script !== null && warm.script !== null && !warm.script.replace(script)) return false
  try {
    if (typeof stdin === 'object' && 'text' in stdin) warm.built.provide(stdin.text)
    writeSync(warm.request.ours, `${Buffer.byteLength(text)}\n${text}`)
    return true
  } catch {
    return false
  }
}

/** A program is started by whichever shell it was that waited, and with no variables of the shell's. */
const isStartedFor = (warm: Warm, plan: Plan): boolean => scriptOf(plan) === null || warm.start === startOf(plan)
