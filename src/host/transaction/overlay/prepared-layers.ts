import { lstatSync, readdirSync, renameSync, utimesSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isInside } from '../../../core/model/basics/path.js'
import type { Plan } from '../../../core/model/policy/plan.js'
import type { AttributeClient } from '../attributes/attributes.js'
import type { RootAttributes, RootMemory } from '../attributes/root-attributes.js'
import { withinOwn } from '../paths/own-directory.js'
import { removeIfUnused, removeTree } from '../paths/remove-tree.js'
import type { RootPaths } from '../undo-store/open-roots.js'
import { isAbandoned, spareName } from '../undo-store/spare-name.js'
import { clockOf, giveAttributes, layersOf, layOut } from './layer-layout.js'
import { type Layer, type MountedLayers, mountLayers } from './mount-layers.js'
import { planWithin, unreviewed } from './plan-within.js'

export interface PreparedLayersOptions {
  /** Overlays to keep for one set of directories. */
  readonly size: number
  /** Called with the plan of the next command when an overlay is ready. */
  readonly onReady?: ((plan: Plan) => void) | undefined
}

export interface ReadyOverlay {
  readonly layers: readonly Layer[]
  readonly mounted: MountedLayers
}

interface Spare extends ReadyOverlay {
  readonly name: string
  readonly key: string
  readonly rootPaths: readonly RootPaths[]
  /** Paths looked up in it since it was mounted, with the results. */
  readonly looked: readonly string[]
  readonly found: string
  readonly attributes: string
}

/** Most sets of directories for which overlays are kept. */
const MAX_KEYS = 2

/**
 * Overlays mounted before they are needed. An overlay looks up its lower directory on access, so it shows later changes
 * of the real tree, except at paths that were looked up before, such as the mount points of the sandbox. A change at
 * such a path makes it useless, and so does a change of mode, owner or attributes of a root, which it copied.
 */
export class PreparedLayers {
  readonly #attributeClient: AttributeClient
  readonly #roots: RootMemory
  readonly #options: PreparedLayersOptions
  readonly #spares: Spare[] = []
  readonly #making = new Map<Promise<void>, string>()
  readonly #cleaned = new Set<string>()
  #closed = false

  constructor(attributeClient: AttributeClient, roots: RootMemory, options: PreparedLayersOptions) {
    this.#attributeClient = attributeClient
    this.#roots = roots
    this.#options = options
  }

  /** Mounted, and as if mounted now, under the name of the transaction; null when there is none. */
  async take(
    id: string,
    rootPaths: readonly RootPaths[],
    attributes: Promise<RootAttributes>,
  ): Promise<ReadyOverlay | null> {
    const key = JSON.stringify(rootPaths)
    const index = this.#spares.findIndex((spare) => spare.key === key)
    const [spare] = index === -1 ? [] : this.#spares.splice(index, 1)
    if (spare === undefined) return null
    if (findings(spare.looked) !== spare.found) {
      await drop(spare)
      return this.take(id, rootPaths, attributes)
    }
    spare.mounted.hold(true)
    for (const place of placesOf(rootPaths)) renameSync(join(place, spare.name), join(place, id))
    const layers = layersOf(id, rootPaths)
    for (const { upper, root } of layers) {
      const { atime, mtime } = lstatSync(root)
      utimesSync(upper, atime, mtime)
    }
    if (JSON.stringify(await attributes) === spare.attributes) return { layers, mounted: spare.mounted }
    await drop({ ...spare, name: id })
    return this.take(id, rootPaths, attributes)
  }

  /** Prepares an overlay for the next command in the background. If that fails, the command makes its own. */
  refill(plan: Plan, rootPaths: readonly RootPaths[]): void {
    if (this.#closed) return
    const key = JSON.stringify(rootPaths)
    const keys = [...new Set([key, ...this.#spares.map((spare) => spare.key).reverse()])].slice(0, MAX_KEYS)
    for (const spare of this.#spares.filter((one) => !keys.includes(one.key))) {
      this.#spares.splice(this.#spares.indexOf(spare), 1)
      void drop(spare)
    }
    const being = [...this.#making.values(), ...this.#spares.map((spare) => spare.key)].filter((one) => one === key)
    for (let missing = this.#options.size - being.length; missing > 0; missing -= 1) {
      const made = this.#make(plan, rootPaths, key).finally(() => this.#making.delete(made))
      this.#making.set(made, key)
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    await Promise.all(this.#making.keys())
    await Promise.all(this.#spares.splice(0).map(drop))
  }

  async #make(plan: Plan, rootPaths: readonly RootPaths[], key: string): Promise<void> {
    const name = spareName()
    try {
      await this.#clean(rootPaths)
      const looked = lookedUp(plan, rootPaths)
      const found = findings(looked)
      const layers = layersOf(name, rootPaths)
      layOut(layers)
      const roots = rootPaths.map(({ root }) => root)
      const attributes = await this.#roots.learn(roots, clockOf(layers[0]?.job ?? ''))
      await giveAttributes(layers, attributes, this.#attributeClient)
      const mounted = await mountLayers(layers)
      const spare = { name, key, rootPaths, looked, found, attributes: JSON.stringify(attributes), layers, mounted }
      mounted.hold(false)
      if (this.#closed) return await drop(spare)
      this.#spares.push(spare)
      if (plan.sandbox.kind !== 'none') this.#options.onReady?.(planWithin(plan, mounted.pid))
    } catch {
      await remove(name, rootPaths)
    }
  }

  /** Removes overlays of killed engines. */
  async #clean(rootPaths: readonly RootPaths[]): Promise<void> {
    for (const place of placesOf(rootPaths)) {
      if (this.#cleaned.has(place)) continue
      this.#cleaned.add(place)
      for (const name of readdirSync(place)) {
        if (isAbandoned(name)) await removeTree(join(place, name))
      }
    }
  }
}

const placesOf = (rootPaths: readonly RootPaths[]): readonly string[] => [
  ...new Set(rootPaths.flatMap(({ storePath, scratch }) => [storePath, scratch])),
]

/** Returns every mount point of the sandbox below a root, with all directories on the way. */
function lookedUp({ sandbox }: Plan, rootPaths: readonly RootPaths[]): readonly string[] {
  const mounts = sandbox.kind === 'none' ? [] : unreviewed(sandbox.mounts)
  const paths = new Set(rootPaths.map(({ root }) => root))
  for (const { at } of mounts) {
    if (!rootPaths.some(({ root }) => isInside(at, root))) continue
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

async function drop({ mounted, name, rootPaths }: Spare): Promise<void> {
  mounted.close()
  await remove(name, rootPaths)
}

async function remove(name: string, rootPaths: readonly RootPaths[]): Promise<void> {
  for (const place of placesOf(rootPaths)) {
    await withinOwn(place, (own) => removeTree(join(own.inside(''), name))).catch(() => undefined)
    await removeIfUnused(place)
  }
}
