import { lstatSync } from 'node:fs'
import { fileClock } from '../paths/filesystem-clock.js'
import type { AttributeClient, Attributes } from './attributes.js'

/** Extended attributes of the roots of a plan, in order: access lists that are inherited, most of all. */
export type RootAttributes = readonly (Attributes | null)[]

/**
 * Caches the attributes of real roots, because reading them needs another process. An entry is valid until its root
 * changes in any way.
 */
export class RootMemory {
  readonly #attributeClient: AttributeClient
  readonly #known = new Map<string, { readonly version: string; readonly attributes: Attributes | null }>()

  constructor(attributeClient: AttributeClient) {
    this.#attributeClient = attributeClient
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
    // Later changes get a newer time, also on filesystems with coarse timestamps.
    await fileClock(clock).begin()
    const found = await this.#read(roots)
    for (const [index, root] of roots.entries()) {
      const version = versions[index] ?? ''
      if (version !== '') this.#known.set(root, { version, attributes: found[index] ?? null })
    }
    return found
  }

  #read(roots: readonly string[]): Promise<RootAttributes> {
    return this.#attributeClient.read(roots.map((root) => Buffer.from(`${root}/.`)))
  }
}

function versionOf(root: string): string {
  const stats = lstatSync(root, { bigint: true, throwIfNoEntry: false })
  return stats ? `${stats.dev} ${stats.ino} ${stats.ctimeNs}` : ''
}
