import { lstatSync, readdirSync, renameSync, utimesSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isInside } from '../../core/model/path.js'
import type { Plan } from '../../core/model/plan.js'
import type { AttributeDesk } from './attributes.js'
import type { Footing } from './ground.js'
import { clockOf, giveAttributes, layersOf, layOut } from './lay-out.js'
import { type Layer, type MountedLayers, mountLayers } from './overlay-mount.js'
import { withinOwn } from './own-directory.js'
import { planWithin, unreviewed } from './plan-within.js'
import { removeIfUnused, removeTree } from './remove.js'
import type { RootAttributes, RootMemory } from './root-attributes.js'
import { isAbandoned, spareName } from './spare-name.js'

export interface SpareOptions {
  /** How many to keep for one set of directories. */
  readonly size: number
  /** Told when one is there: a command that is secured by it would run this plan. */
  readonly onReady?: ((plan: Plan) => void) | undefined
}

export interface ReadyLayers {
  readonly layers: readonly Layer[]
  readonly mounted: MountedLayers
}

interface Spare extends ReadyLayers {
  readonly name: string
  readonly key: string
  readonly footings: readonly Footing[]
  /** What was looked up in it since it was mounted, and what was found. */
  readonly looked: readonly string[]
  readonly found: string
  readonly attributes: string
}

/** Overlays for more different sets of directories than this are not kept. */
const MAX_KEYS = 2

/**
 * Overlays mounted before they are needed. What is below an overlay is looked up when it is asked for, so a change to the real tree is
 * seen through one that was mounted before, unless the very path was looked up already, as those of the wall's own mounts are: such
 * a change makes it useless, and so does a change of the mode, owner or attributes of a root, which it has copied.
 */
export class SpareLayers {
  readonly #desk: AttributeDesk
  readonly #roots: RootMemory
  readonly #options: SpareOptions
  readonly #spares: Spare[] = []
  readonly #making = new Map<Promise<void>, string>()
  readonly #cleaned = new Set<string>()
  #closed = false

  constructor(desk: AttributeDesk, roots: RootMemory, options: SpareOptions) {
    this.#desk = desk
    this.#roots = roots
    this.#options = options
  }

  /** Mounted, and as if mounted now, under the name of the transaction; null when there is none. */
  async take(
    id: string,
    footings: readonly Footing[],
    attributes: Promise<RootAttributes>,
  ): Promise<ReadyLayers | null> {
    const key = JSON.stringify(footings)
    const index = this.#spares.findIndex((spare) => spare.key === key)
    const [spare] = index === -1 ? [] : this.#spares.splice(index, 1)
    if (spare === undefined) return null
    if (findings(spare.looked) !== spare.found) {
      await drop(spare)
      return this.take(id, footings, attributes)
    }
    spare.mounted.hold(true)
    for (const place of placesOf(footings)) renameSync(join(place, spare.name), join(place, id))
    const layers = layersOf(id, footings)
    for (const { upper, root } of layers) {
      const { atime, mtime } = lstatSync(root)
      utimesSync(upper, atime, mtime)
    }
    if (JSON.stringify(await attributes) === spare.attributes) return { layers, mounted: spare.mounted }
    await drop({ ...spare, name: id })
    return this.take(id, footings, attributes)
  }

  /** The same will be needed again. In the background; what fails is made when it is needed. */
  refill(plan: Plan, footings: readonly Footing[]): void {
    if (this.#closed) return
    const key = JSON.stringify(footings)
    const keys = [...new Set([key, ...this.#spares.map((spare) => spare.key).reverse()])].slice(0, MAX_KEYS)
    for (const spare of this.#spares.filter((one) => !keys.includes(one.key))) {
      this.#spares.splice(this.#spares.indexOf(spare), 1)
      void drop(spare)
    }
    const being = [...this.#making.values(), ...this.#spares.map((spare) => spare.key)].filter((one) => one === key)
    for (let missing = this.#options.size - being.length; missing > 0; missing -= 1) {
      const made = this.#make(plan, footings, key).finally(() => this.#making.delete(made))
      this.#making.set(made, key)
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    await Promise.all(this.#making.keys())
    await Promise.all(this.#spares.splice(0).map(drop))
  }

  async #make(plan: Plan, footings: readonly Footing[], key: string): Promise<void> {
    const name = spareName()
    try {
      await this.#clean(footings)
      const looked = lookedUp(plan, footings)
      const found = findings(looked)
      const layers = layersOf(name, footings)
      layOut(layers)
      const roots = footings.map(({ root }) => root)
      const attributes = await this.#roots.learn(roots, clockOf(layers[0]?.job ?? ''))
      await giveAttributes(layers, attributes, this.#desk)
      const mounted = await mountLayers(layers)
      const spare = { name, key, footings, looked, found, attributes: JSON.stringify(attributes), layers, mounted }
      mounted.hold(false)
      if (this.#closed) return await drop(spare)
      this.#spares.push(spare)
      if (plan.sandbox.kind !== 'none') this.#options.onReady?.(planWithin(plan, mounted.pid))
    } catch {
      await remove(name, footings)
    }
  }

  /** Those of engines that were killed. */
  async #clean(footings: readonly Footing[]): Promise<void> {
    for (const place of placesOf(footings)) {
      if (this.#cleaned.has(place)) continue
      this.#cleaned.add(place)
      for (const name of readdirSync(place)) {
        if (isAbandoned(name)) await removeTree(join(place, name))
      }
    }
  }
}

const placesOf = (footings: readonly Footing[]): readonly string[] => [
  ...new Set(footings.flatMap(({ vault, scratch }) => [vault, scratch])),
]

/** Every place a wall mounts something at, below a root, with all directories on the way. */
function lookedUp({ sandbox }: Plan, footings: readonly Footing[]): readonly string[] {
  const mounts = sandbox.kind === 'none' ? [] : unreviewed(sandbox.mounts)
  const paths = new Set(footings.map(({ root }) => root))
  for (const { at } of mounts) {
    if (!footings.some(({ root }) => isInside(at, root))) continue
    for (let path = at; !paths.has(path); path = dirname(path)) paths.add(path)
  }
  return [...paths]
}

const findings = (paths: readonly string[]): string => paths.map(findingAt).join(' ')

function findingAt(path: string): string {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false })
    return stats === undefined ? '-' : [stats.dev, stats.ino, stats.mode, stats.uid, stats.gid].join(':')
  } catch {
    return '?'
  }
}

async function drop({ mounted, name, footings }: Spare): Promise<void> {
  mounted.close()
  await remove(name, footings)
}

async function remove(name: string, footings: readonly Footing[]): Promise<void> {
  for (const place of placesOf(footings)) {
    await withinOwn(place, (own) => removeTree(join(own.inside(''), name))).catch(() => undefined)
    await removeIfUnused(place)
  }
}
