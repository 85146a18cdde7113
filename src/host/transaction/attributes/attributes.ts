import * as z from 'zod'
import { HelperProcess } from '../../helper-process/helper-process.js'
import { type AttributeOrder, formatAttributeOrder, parseAttributes } from '../../helper-scripts/attributes-protocol.js'
import { perlHelper } from '../../helper-scripts/helper-script.js'

/**
 * Extended attributes of one entry that belong to the user, with access lists: name to value, one character per byte.
 * Excludes labels of security modules and the attributes of overlayfs.
 */
export const Attributes = z.record(z.string(), z.string()).readonly()
export type Attributes = z.infer<typeof Attributes>

/** Reads and writes extended attributes with Perl, because Node cannot. */
export interface AttributeClient {
  /** Starts what it takes, so that it is there when asked. */
  warm(): void
  /** Null for unreadable entries, and for all without Perl. Paths end in a name; symlinks are not followed. */
  read(places: readonly Buffer[]): Promise<readonly (Attributes | null)[]>
  /** Removes the attributes of overlayfs. False for entries that could not be changed, and for all without Perl. */
  strip(places: readonly Buffer[]): Promise<readonly boolean[]>
  /** Exactly these. */
  write(place: Buffer, wanted: Attributes): Promise<void>
  close(): void
}

/** Architectures, in Node's terms, whose system calls the helper knows. */
const ARCHITECTURES: readonly string[] = ['x64', 'arm64', 'riscv64', 'loong64']

/** Most directory descriptors that a tree keeps open. */
const BATCH = 32

/**
 * Runs the script: one answer line per request line, in order. It keeps the engine alive only while it awaits an
 * answer.
 */
class AttributeProcess extends HelperProcess {
  readonly #waiting: ((answer: string | null) => void)[] = []

  constructor() {
    super(['perl', '-e', perlHelper('attributes.pl'), process.arch], { env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' } })
  }

  /** Null if there is no Perl, or it has ended. */
  ask(line: string): Promise<string | null> {
    if (this.isGone) return Promise.resolve(null)
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
      this.hold(true)
      this.send(line)
    })
  }

  protected override read(line: string): void {
    this.#waiting.shift()?.(line)
    if (this.#waiting.length === 0) this.hold(false)
  }

  protected override ended(): void {
    for (const answered of this.#waiting.splice(0)) answered(null)
  }
}

export function createAttributeClient(): AttributeClient {
  let running: AttributeProcess | null = null
  const started = (): AttributeProcess | null => {
    if (ARCHITECTURES.includes(process.arch)) running ??= new AttributeProcess()
    return running
  }
  const ask = async (order: AttributeOrder): Promise<string | null> =>
    started()?.ask(formatAttributeOrder(order)) ?? null
  const askAbout = async (
    verb: 'read' | 'strip',
    places: readonly Buffer[],
  ): Promise<readonly (Attributes | null)[]> => {
    const found: (Attributes | null)[] = []
    for (let at = 0; at < places.length; at += BATCH) {
      const batch = places.slice(at, at + BATCH)
      found.push(...parseAttributes(await ask({ verb, places: batch }), batch.length))
    }
    return found
  }
  return {
    warm: () => void started(),
    read: (places) => askAbout('read', places),
    strip: async (places) => (await askAbout('strip', places)).map((answer) => answer !== null),
    async write(place, wanted) {
      const answer = await ask({ verb: 'write', place, wanted })
      if (answer !== 'ok') throw new Error(`cannot set extended attributes: ${answer ?? 'Perl is not installed'}`)
    },
    close() {
      running?.end()
      running = null
    },
  }
}

export const sameAttributes = (a: Attributes, b: Attributes): boolean =>
  Object.keys(a).length === Object.keys(b).length && Object.entries(a).every(([name, value]) => b[name] === value)

export interface AttributeChange {
  readonly before: Attributes
  readonly after: Attributes
}

/**
 * Writes the attribute changes of a step. Later changes by others stay, unless the entry is `fresh` and has only
 * inherited attributes.
 */
export async function writeChange(
  attributeClient: AttributeClient,
  place: Buffer,
  { before, after }: AttributeChange,
  fresh: boolean,
): Promise<void> {
  const [current] = fresh ? [] : await attributeClient.read([place])
  const others = Object.entries(current ?? {}).filter(([name]) => !(name in before))
  await attributeClient.write(place, { ...Object.fromEntries(others), ...after })
}
