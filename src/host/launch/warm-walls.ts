import { closeSync, lstatSync, writeSync } from 'node:fs'
import type { Plan, Wall } from '../../core/model/plan.js'
import type { LaunchIo } from '../../engine/ports.js'
import { BuiltWall, type Workshop } from './built-wall.js'
import type { Channel } from './fifos.js'

/** A request is written at once into an empty pipe, which holds this much and a little more. */
const REQUEST_BYTES = 60_000
/** Walls for more different settings than this are not kept. */
const MAX_SETTINGS = 2

type BubblewrapWall = Extract<Wall, { kind: 'bubblewrap' }>

interface Warm {
  readonly key: string
  readonly built: BuiltWall
  readonly request: Channel
}

/**
 * Reads a length and that many bytes, and evaluates them as `bash -c` would, leaving no trace of itself. Bytes, not characters: in a
 * locale of wide characters `read -N` would wait for more than was sent. At the end of input, when the engine is gone, it goes too.
 */
function waiting(env: Plan['env'], fd: number): string {
  const locale = env.find(([name]) => name === 'LC_ALL')?.[1]
  const restore = locale === undefined ? 'unset LC_ALL' : `export LC_ALL='${locale.replaceAll("'", "'\\''")}'`
  const read = `read -r __cordon_n <&${fd} && LC_ALL=C && read -r -N "$__cordon_n" __cordon_s <&${fd}`
  return `${read} || exit 1; exec ${fd}<&-; ${restore}; BASH_EXECUTION_STRING=$__cordon_s; eval "unset __cordon_n __cordon_s;$__cordon_s"`
}

function identity(path: string): string {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false })
    return stats === undefined ? '-' : `${stats.dev}:${stats.ino}`
  } catch {
    return '?'
  }
}

/**
 * Everything a wall is built from but the script. What is mounted counts by what it is, not by its name: a directory that was
 * made again, or a file replaced, is another one, and a wall built before still shows the old.
 */
function keyOf(plan: Plan, wall: BubblewrapWall): string {
  const places = wall.mounts.map((mount) => identity(mount.at))
  return JSON.stringify([plan.argv[0], plan.cwd, plan.env, plan.limits, wall, places])
}

function scriptOf({ argv, env }: Plan): string | null {
  const [, option, script, ...more] = argv
  if (option !== '-c' || script === undefined || more.length > 0 || !/(^|\/)bash$/.test(argv[0] ?? '')) return null
  return env.some(([name]) => name === 'BASH_ENV' || name.startsWith('BASH_FUNC_')) ? null : script
}

/** Single-use walls built ahead, each holding a bash that waits for one command. A request that fits none exactly gets none. */
export class WarmWalls {
  readonly #shop: Workshop
  readonly #size: number
  readonly #waiting: Warm[] = []
  #closed = false

  constructor(shop: Workshop, size: number) {
    this.#shop = shop
    this.#size = size
  }

  /** A waiting wall that is exactly what the plan asks for, with the command already on its way; null when there is none. */
  take(plan: Plan, wall: BubblewrapWall, stdin: LaunchIo['stdin']): BuiltWall | null {
    const script = this.#fits(plan, wall, stdin)
    if (script === null) return null
    const key = keyOf(plan, wall)
    const index = this.#waiting.findIndex((warm) => warm.key === key && warm.built.isUp)
    const [warm] = index === -1 ? [] : this.#waiting.splice(index, 1)
    if (warm === undefined) return null
    const bytes = Buffer.from(script)
    writeSync(warm.request.ours, Buffer.concat([Buffer.from(`${bytes.length}\n`), bytes]))
    return warm.built
  }

  /** The same will be asked for again: builds what is missing, and lets go of what nobody has asked for lately. */
  refill(plan: Plan, wall: BubblewrapWall, stdin: LaunchIo['stdin']): void {
    if (this.#closed || this.#fits(plan, wall, stdin) === null) return
    const key = keyOf(plan, wall)
    const keys = [...new Set([key, ...this.#waiting.map((warm) => warm.key).reverse()])].slice(0, MAX_SETTINGS)
    for (const stale of this.#waiting.filter((warm) => !keys.includes(warm.key) || !warm.built.isUp)) this.#letGo(stale)
    const ready = this.#waiting.filter((warm) => warm.key === key).length
    for (let missing = this.#size - ready; missing > 0; missing -= 1) this.#build(plan, wall, key)
  }

  async close(): Promise<void> {
    this.#closed = true
    await Promise.all(this.#waiting.splice(0).map((warm) => warm.built.demolish()))
  }

  #fits(plan: Plan, wall: BubblewrapWall, stdin: LaunchIo['stdin']): string | null {
    if (this.#size === 0 || stdin !== 'closed' || wall.within !== undefined) return null
    // A network of listed hosts has a door of its own for each command.
    if (typeof wall.network === 'object') return null
    const script = scriptOf(plan)
    return script !== null && Buffer.byteLength(script) <= REQUEST_BYTES ? script : null
  }

  #build(plan: Plan, wall: BubblewrapWall, key: string): void {
    const request = this.#shop.fifos.input()
    const argv = [plan.argv[0] ?? '', '-c', waiting(plan.env, BuiltWall.REQUEST_FD)]
    const built = new BuiltWall(this.#shop, { ...plan, argv }, wall, 'closed', { request: request.theirs })
    const warm = { key, built, request }
    this.#waiting.push(warm)
    const over = (): void => {
      this.#forget(warm)
      closeSync(request.ours)
      request.recycle()
    }
    built.over.then(over, over)
  }

  #letGo(warm: Warm): void {
    this.#forget(warm)
    void warm.built.demolish()
  }

  #forget(warm: Warm): void {
    const index = this.#waiting.indexOf(warm)
    if (index !== -1) this.#waiting.splice(index, 1)
  }
}
