import { lstatSync } from 'node:fs'
import type { AttributeDesk, Attributes } from './attributes.js'
import { fileClock } from './clock.js'

/** Extended attributes of the roots of a plan, in order: access lists that are inherited, most of all. */
export type RootAttributes = readonly (Attributes | null)[]

/**
 * What the real roots have. It takes another process to say, so what was learnt while nobody waited is answered at once, as long as nothing
 * at all has happened to the root since.
 */
export class RootMemory {
  readonly #desk: AttributeDesk
  readonly #known = new Map<string, { readonly version: string; readonly attributes: Attributes | null }>()

  constructor(desk: AttributeDesk) {
    this.#desk = desk
  }

  of(roots: readonly string[]): Promise<RootAttributes> {
    const known = roots.flatMap((root) => {
      const found = this.#known.get(root)
      return found !== undefined && found.version === versionOf(root) ? [found.attributes] : []
    })
    return known.length === roots.length ? Promise.resolve(known) : this.#read(roots)
  }

  /** Asks, and remembers. `clock`: a file that `makeClock` made where the roots are. */
  async learn(roots: readonly string[], clock: string): Promise<RootAttributes> {
    const versions = roots.map(versionOf)
    // What happens from now on has another time than what happened up to now, on filesystems too whose time goes in steps.
    await fileClock(clock).begin()
    const found = await this.#read(roots)
    for (const [index, root] of roots.entries()) {
      const version = versions[index] ?? ''
      if (version !== '') this.#known.set(root, { version, attributes: found[index] ?? null })
    }
    return found
  }

  #read(roots: readonly string[]): Promise<RootAttributes> {
    return this.#desk.read(roots.map((root) => Buffer.from(`${root}/.`)))
  }
}

function versionOf(root: string): string {
  const stats = lstatSync(root, { bigint: true, throwIfNoEntry: false })
  return stats ? `${stats.dev} ${stats.ino} ${stats.ctimeNs}` : ''
}
