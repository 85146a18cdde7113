import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CordonError } from '../../core/model/basics/errors.js'
import type { Evidence } from '../../core/model/run/evidence.js'
import { inWords, sizeOf } from './size.js'

interface Measured {
  readonly bytes: number
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly tookMs: number
}

/** A home is measured again after this many times the time it took to measure it, and not before this. */
const TIMES = 100
const REST_MS = 5_000
/** Above this many times the limit no command starts. */
const TOO_LARGE = 2
/** Waits for a measurement at the end of an engine no longer than this. */
const CLOSING_MS = 200

const fileOf = (root: string): string => join(root, 'size.json')

/** Returns the size of a home when it was last measured. */
export function measuredSize(root: string): Measured | null {
  try {
    return JSON.parse(readFileSync(fileOf(root), 'utf8')) as Measured
  } catch {
    return null
  }
}

/** Measures private homes in the background and warns of those above their limit. */
export class SizeWatch {
  readonly #now: () => number
  readonly #limits = new Map<string, number | null>()
  readonly #running = new Map<string, Promise<void>>()
  readonly #known = new Map<string, { readonly size: Measured | null; readonly read: number }>()
  readonly #abort = new AbortController()

  constructor(now: () => number) {
    this.#now = now
  }

  limit(root: string, bytes: number | null): void {
    this.#limits.set(root, bytes)
  }

  /** Returns evidence if the home is above its limit. */
  warning(root: string): Evidence | null {
    const limit = this.#limits.get(root) ?? null
    const bytes = limit === null ? 0 : (this.#last(root)?.bytes ?? 0)
    if (limit === null || bytes <= limit) return null
    return { kind: 'home-size', size: inWords(bytes), limit: inWords(limit) }
  }

  /**
   * Throws START_FAILED if the home exceeds twice its limit, because a command could have deleted files before.
   * Measures an old size again first.
   */
  async refuse(root: string): Promise<void> {
    const limit = this.#limits.get(root) ?? null
    const isTooLarge = (): boolean => limit !== null && (this.#last(root)?.bytes ?? 0) > TOO_LARGE * limit
    if (limit === null || !isTooLarge()) return
    await (this.#running.get(root) ?? this.#measure(root, 0))
    if (!isTooLarge()) return
    throw new CordonError(
      'START_FAILED',
      `The private home holds ${inWords(this.#last(root)?.bytes ?? 0)}, more than twice limits.home_bytes (${inWords(limit)}). Empty it with ` +
        '`cordon home reset`.',
    )
  }

  /** Another engine may have measured it, so the file is read again from time to time. */
  #last(root: string): Measured | null {
    const known = this.#known.get(root)
    if (known !== undefined && this.#now() - known.read < REST_MS) return known.size
    const size = measuredSize(root)
    this.#known.set(root, { size, read: this.#now() })
    return size
  }

  /** Measures the home if that was not done lately. */
  measure(root: string): void {
    if ((this.#limits.get(root) ?? null) === null || this.#running.has(root)) return
    const last = this.#last(root)
    if (last !== null && this.#now() - last.at < Math.max(REST_MS, TIMES * last.tookMs)) return
    const measuring = this.#measure(root, last?.bytes ?? 0).finally(() => this.#running.delete(root))
    this.#running.set(root, measuring)
  }

  async close(): Promise<void> {
    const timer = setTimeout(() => this.#abort.abort(), CLOSING_MS)
    await Promise.all(this.#running.values())
    clearTimeout(timer)
  }

  async #measure(root: string, before: number): Promise<void> {
    const { signal } = this.#abort
    const began = this.#now()
    const { bytes } = await sizeOf(root, signal)
    const at = this.#now()
    // An aborted measurement is only a lower bound.
    const measured: Measured = { bytes: signal.aborted ? Math.max(bytes, before) : bytes, at, tookMs: at - began }
    this.#known.set(root, { size: measured, read: at })
    try {
      writeFileSync(fileOf(root), JSON.stringify(measured))
    } catch {
      // The home was reset meanwhile.
    }
  }
}
