import { readdirSync, readlinkSync, statSync } from 'node:fs'

/** How long one look may take, so that a tree with very many descriptors does not hold up the engine: the next look goes on from there. */
const LOOK_MS = 5
const BLOCK_BYTES = 512
/** What the kernel calls files in memory that were never named. */
const NAMELESS = '/memfd:'

interface Held {
  /** A descriptor that leads to it. */
  readonly at: string
  readonly bytes: number
}

/** What is at the end of a descriptor, if it is a file in memory without a name. */
function heldAt(at: string): readonly [key: string, held: Held] | null {
  try {
    if (!readlinkSync(at).startsWith(NAMELESS)) return null
    const { dev, ino, blocks } = statSync(at)
    return [`${dev} ${ino}`, { at, bytes: blocks * BLOCK_BYTES }]
  } catch {
    // Closed meanwhile, or the process is gone.
    return null
  }
}

/** None where it is gone. */
export function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory)
  } catch {
    return []
  }
}

/** Every descriptor of these processes. A thread may have its own, and outlive the one that its process is known by. */
function* descriptorsOf(tree: readonly number[]): Generator<string> {
  for (const pid of tree) {
    for (const tid of namesIn(`/proc/${pid}/task`)) {
      const directory = `/proc/${pid}/task/${tid}/fd`
      for (const name of namesIn(directory)) yield `${directory}/${name}`
    }
  }
}

/** Files in memory without a name that a tree of processes has open: what lies in them is memory, whether or not anybody has it mapped. */
export class HeldFiles {
  #round: Generator<string> | null = null
  #found = new Map<string, Held>()
  #last: ReadonlyMap<string, Held> = new Map()

  /** Not everything has been looked at since the last full round. */
  get isBehind(): boolean {
    return this.#round !== null
  }

  /** Looks on for a while, and says how many bytes are known to be held. */
  look(tree: readonly number[]): number {
    const until = performance.now() + LOOK_MS
    this.#round ??= descriptorsOf(tree)
    for (let next = this.#round.next(); ; next = this.#round.next()) {
      if (next.done) {
        this.#last = this.#found
        this.#found = new Map()
        this.#round = null
        break
      }
      const held = heldAt(next.value)
      if (held !== null) this.#found.set(...held)
      if (performance.now() > until) break
    }
    return Math.max(bytesOf(this.#last), bytesOf(this.#found))
  }

  /** How many bytes are held now by those that are still where they were found. */
  get bytes(): number {
    let sum = 0
    for (const [key, { at }] of new Map([...this.#last, ...this.#found])) {
      const held = heldAt(at)
      if (held?.[0] === key) sum += held[1].bytes
    }
    return sum
  }
}

function bytesOf(files: ReadonlyMap<string, Held>): number {
  let sum = 0
  for (const { bytes } of files.values()) sum += bytes
  return sum
}
