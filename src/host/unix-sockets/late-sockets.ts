import { spawnSync } from 'node:child_process'
import type { Mount } from '../../core/model/plan.js'
import { boundSockets, type SocketTable } from './bound-sockets.js'
import { isSameSocket, pathOutside, pathsInside } from './hide-sockets.js'

const LOOK_MS = 100

/** Numbers of setns and mount. */
const CALLS: Readonly<Record<string, readonly [number, number]>> = { x64: [308, 165], arm64: [268, 40] }

/** Enters the mounts of a process, and the user namespace that owns them, and puts /dev/null over a path there. */
const COVER = `
my ($setns, $mount, $pid, $path) = @ARGV;
sysopen(my $mounts, "/proc/$pid/ns/mnt", 0) or exit 1;
my $owner = ioctl($mounts, 0xb701, 0) or exit 1;
exit 1 if syscall($setns + 0, $owner + 0, 0x10000000) < 0 || syscall($setns + 0, fileno $mounts, 0x20000) < 0;
my ($null, $none) = ('/dev/null', '');
exit 1 if syscall($mount + 0, $null, $path, $none, 0x1000, $none) < 0;
`

const HOST: SocketTable = { file: '/proc/net/unix', outside: (path) => path }

interface Watched {
  /** The init of the sandbox. */
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

  /** The tables of sockets that a sandbox must not reach: those of the host and of other sandboxes. */
  tables(own: number | null = null): readonly SocketTable[] {
    const others = [...this.#watched].filter(({ pid }) => pid !== own)
    return [HOST, ...others.map(({ pid, outside }) => ({ file: `/proc/${pid}/net/unix`, outside }))]
  }

  /** Call what is returned when the command has ended. `onUncovered` is told of a socket that could not be covered. */
  watch(pid: number, mounts: readonly Mount[], onUncovered: (path: string) => void): () => void {
    const watched: Watched = {
      pid,
      inside: pathsInside(mounts),
      outside: pathOutside(mounts),
      done: new Set(),
      onUncovered,
    }
    this.#watched.add(watched)
    this.#timer ??= setInterval(() => this.#look(), LOOK_MS).unref()
    return () => {
      this.#watched.delete(watched)
      if (this.#watched.size > 0) return
      clearInterval(this.#timer)
      this.#timer = undefined
    }
  }

  #look(): void {
    for (const { pid, inside, done, onUncovered } of this.#watched) {
      const isNew = (path: string): boolean => !done.has(path) && inside(path).length > 0
      for (const path of boundSockets(this.tables(pid), isNew)) {
        if (!isNew(path)) continue
        done.add(path)
        const reached = inside(path).filter((at) => isSameSocket(path, pid, at))
        if (!reached.every((at) => this.#cover(pid, at))) onUncovered(path)
      }
    }
  }

  #cover(pid: number, path: string): boolean {
    const calls = CALLS[process.arch]?.map(String)
    if (calls === undefined) return false
    const args = ['-e', COVER, ...calls, `${pid}`, path]
    return spawnSync(this.#perl, args, { env: {}, stdio: 'ignore' }).status === 0
  }
}
