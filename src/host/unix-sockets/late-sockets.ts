import { spawnSync } from 'node:child_process'
import { contained } from '../../core/model/basics/contained.js'
import type { Mount } from '../../core/model/policy/plan.js'
import { hasSandboxCalls, perlHelper } from '../helper-scripts/helper-script.js'
import { boundSockets, type SocketTable } from './bound-sockets.js'
import { isSameSocket, pathOutside, pathsInside } from './hide-sockets.js'

const LOOK_MS = 100

const HOST: SocketTable = { file: '/proc/net/unix', outside: (path) => path }

interface Watched {
  /** Pid of the sandbox's init. */
  readonly pid: number
  readonly inside: (path: string) => readonly string[]
  readonly outside: (path: string) => string | null
  readonly done: Set<string>
  readonly onUncovered: (path: string) => void
}

/** Covers sockets that the host, or another sandbox, binds while a command runs where the command could reach them. */
export class LateSockets {
  readonly #perl: string
  readonly #watched = new Set<Watched>()
  #timer: NodeJS.Timeout | undefined

  constructor(perl: string) {
    this.#perl = perl
  }

  /** Returns the tables of sockets that a sandbox must not reach: those of the host and of other sandboxes. */
  tables(own: number | null = null): readonly SocketTable[] {
    const others = [...this.#watched].filter(({ pid }) => pid !== own)
    return [HOST, ...others.map(({ pid, outside }) => ({ file: `/proc/${pid}/net/unix`, outside }))]
  }

  /**
   * Watches a sandbox until the returned function is called. Calls `onUncovered` with a socket that could not be
   * covered.
   */
  watch(pid: number, mounts: readonly Mount[], onUncovered: (path: string) => void): () => void {
    const watched: Watched = {
      pid,
      inside: pathsInside(mounts),
      outside: pathOutside(mounts),
      done: new Set(),
      onUncovered,
    }
    this.#watched.add(watched)
    const looking = contained(
      () => this.#look(),
      () => undefined,
    )
    this.#timer ??= setInterval(looking, LOOK_MS).unref()
    return () => {
      this.#watched.delete(watched)
      if (this.#watched.size > 0) return
      clearInterval(this.#timer)
      this.#timer = undefined
    }
  }

  #look(): void {
    // A failure concerns one sandbox only, and the next round tries again.
    for (const watched of this.#watched)
      contained(
        () => this.#lookAt(watched),
        () => undefined,
      )()
  }

  #lookAt({ pid, inside, done, onUncovered }: Watched): void {
    const isNew = (path: string): boolean => !done.has(path) && inside(path).length > 0
    for (const path of boundSockets(this.tables(pid), isNew)) {
      if (!isNew(path)) continue
      done.add(path)
      const reached = inside(path).filter((at) => isSameSocket(path, pid, at))
      if (!reached.every((at) => this.#cover(pid, at))) onUncovered(path)
    }
  }

  #cover(pid: number, path: string): boolean {
    if (!hasSandboxCalls()) return false
    const args = ['-e', perlHelper('cover-socket.pl'), process.arch, `${pid}`, path]
    return spawnSync(this.#perl, args, { env: {}, stdio: 'ignore' }).status === 0
  }
}
