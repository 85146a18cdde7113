import { spawn } from 'node:child_process'
import { lookup } from 'node:dns/promises'
import { existsSync } from 'node:fs'
import { contained } from '../../../core/model/basics/contained.js'
import type { InheritedDescriptors } from '../process/inherited-descriptors.js'
import { sealed } from '../process/inherited-descriptors.js'

/** Resolves a name to its addresses. Rejects where there are none. */
export type Resolve = (name: string, signal: AbortSignal) => Promise<readonly string[]>

/** Lookups of one sandbox at once, and those that wait for them. */
const MAX_AT_ONCE = 8
const MAX_WAITING = 256
const TIMEOUT_MS = 30_000
const MAX_OUTPUT = 64 * 1024
const GETENT = '/usr/bin/getent'

/** Resolves names for one sandbox: a few at once, each name once at a time. `close` rejects all that wait. */
export class NameLookups {
  readonly #resolve: Resolve
  readonly #closed = new AbortController()
  readonly #underway = new Map<string, Promise<readonly string[]>>()
  readonly #waiting: (() => void)[] = []
  #active = 0

  constructor(resolve: Resolve) {
    this.#resolve = resolve
  }

  /** Resolves a name. Rejects when it has no address, when too many are looked up, and on `close`. */
  addressesOf(name: string): Promise<readonly string[]> {
    const known = this.#underway.get(name)
    if (known !== undefined) return known
    const found = this.#lookup(name).finally(() => this.#underway.delete(name))
    this.#underway.set(name, found)
    return found
  }

  close(): void {
    this.#closed.abort(new Error('the command has ended'))
    for (const next of this.#waiting.splice(0)) next()
  }

  async #lookup(name: string): Promise<readonly string[]> {
    const { signal } = this.#closed
    if (this.#active >= MAX_AT_ONCE) await this.#turn()
    signal.throwIfAborted()
    this.#active += 1
    try {
      return await Promise.race([this.#resolve(name, signal), aborted(signal)])
    } finally {
      this.#active -= 1
      this.#waiting.shift()?.()
    }
  }

  async #turn(): Promise<void> {
    if (this.#waiting.length >= MAX_WAITING) throw new Error('too many names are looked up at once')
    await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  const { promise, reject } = withReject()
  signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  promise.catch(() => undefined)
  return promise
}

function withReject(): { readonly promise: Promise<never>; readonly reject: (reason: unknown) => void } {
  let reject: (reason: unknown) => void = () => undefined
  const promise = new Promise<never>((_, no) => {
    reject = no
  })
  return { promise, reject }
}

/**
 * Resolves by a separate process, which can be killed. Node's own lookup holds one of the engine's four threads, and
 * keeps its process alive, as long as the host's resolver takes. Without `getent` this uses Node's own.
 */
export const hostLookup = (inherited: InheritedDescriptors, getent = GETENT): Resolve =>
  existsSync(getent)
    ? (name, signal) => byGetent(getent, name, { inherited, signal })
    : async (name) => (await lookup(name, { all: true })).map(({ address }) => address)

interface Asking {
  readonly inherited: InheritedDescriptors
  readonly signal: AbortSignal
}

function byGetent(getent: string, name: string, { inherited, signal }: Asking): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    const child = spawn(getent, ['ahosts', '--', name], {
      cwd: '/',
      env: {},
      stdio: sealed(['ignore', 'pipe', 'ignore'], inherited.list(), inherited.devNull),
      signal,
      killSignal: 'SIGKILL',
      timeout: TIMEOUT_MS,
    })
    let output = ''
    const hear = contained(
      (chunk: Buffer) => {
        if (output.length < MAX_OUTPUT) output += chunk.toString('latin1')
      },
      () => child.kill('SIGKILL'),
    )
    child.stdout?.on('data', hear)
    child.on('error', reject)
    child.on('close', () => {
      const addresses = [...new Set(output.split('\n').flatMap((line) => /^([0-9a-fA-F:.]+)\s/.exec(line)?.[1] ?? []))]
      if (addresses.length > 0) resolve(addresses)
      else reject(new Error('the name has no address'))
    })
  })
}
