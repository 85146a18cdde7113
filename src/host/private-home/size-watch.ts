import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
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

  /** Returns a line for the person and the model if the home is above its limit. */
  warning(root: string): string | null {
    const limit = this.#limits.get(root) ?? null
    const bytes = limit === null ? 0 : (this.#last(root)?.bytes ?? 0)
    if (limit === null || bytes <= limit) return null
    return `home: the private home and its /tmp hold ${inWords(bytes)}, more than limits.home_bytes (${inWords(limit)}); delete files there or run \`cordon home reset\``
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
    // One that could not be finished says only that it is no smaller.
    const measured: Measured = { bytes: signal.aborted ? Math.max(bytes, before) : bytes, at, tookMs: at - began }
    this.#known.set(root, { size: measured, read: at })
    try {
      writeFileSync(fileOf(root), JSON.stringify(measured))
    } catch {
      // The home was reset meanwhile.
    }
  }
}
