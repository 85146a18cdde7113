import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chmodSync, constants, mkdirSync, openSync, readSync, rmSync } from 'node:fs'
import { Socket } from 'node:net'

/** Where a mask finds the pipe inside the wall. */
export const REPORTS_PATH = '/dev/.cordon-masks'
const DOMAIN_NAME = '/proc/sys/kernel/domainname'
/** A report is one line, written at once; whatever is longer is none. */
const LINE_BYTES = 64
const CHUNK_BYTES = 65_536

interface Reader {
  readonly fd: number
  readonly socket: Socket
}

/** The masks of one wall, and those of them that were executed. */
export interface Masks {
  /** By which they name their wall. */
  readonly secret: string
  /** The program that stands in the place of a denied one. It goes by the name it is called by, whichever link that is. */
  program(place: string): Buffer
  /** Places of those executed so far. To be asked once, when nothing of the command runs any more. */
  executed(): readonly string[]
}

/**
 * Tells which masks were executed. All walls of a launcher share one pipe, which they can only write: its mode says so, and its
 * mount is read-only. A mask names itself by a number and its wall by a secret of that wall's own, so a command can at most claim to
 * have executed a mask of its own, and never keep one from being told.
 */
export class MaskReports {
  readonly #path: string
  readonly #walls = new Map<string, Set<number>>()
  #reader: Reader | null = null
  #rest = ''

  /** `path`: the directory in which the pipe has its name as long as the launcher lives. */
  constructor(path: string) {
    this.#path = path
  }

  /** Made when the first wall is. */
  get pipe(): string {
    this.#reader ??= this.#open()
    return `${this.#path}/pipe`
  }

  masksOf(places: readonly string[]): Masks {
    const secret = randomUUID()
    const executed = new Set<number>()
    this.#walls.set(secret, executed)
    return {
      secret,
      program: (place) => maskProgram(`secret=${secret}`, places.indexOf(place)),
      executed: () => {
        if (places.length > 0) this.#drain()
        this.#walls.delete(secret)
        return [...executed].flatMap((index) => places[index] ?? [])
      },
    }
  }

  /** Masks that stand in every copy of a wall: which one they are in, they are told by its domain name. */
  masksOfCopies(places: readonly string[]): Masks {
    const program = (place: string): Buffer => maskProgram(`read -r secret <${DOMAIN_NAME}`, places.indexOf(place))
    return { secret: '', program, executed: () => [] }
  }

  close(): void {
    this.#reader?.socket.destroy()
    this.#reader = null
    rmSync(this.#path, { recursive: true, force: true })
  }

  #open(): Reader {
    const pipe = `${this.#path}/pipe`
    mkdirSync(this.#path, { mode: 0o700 })
    spawnSync('/usr/bin/mkfifo', ['-m', '600', pipe], { env: {}, stdio: 'ignore' })
    // Open for writing too, so that it never ends.
    const fd = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK)
    chmodSync(pipe, 0o200)
    const socket = new Socket({ fd, readable: true, writable: false })
    socket.on('data', (chunk: Buffer) => this.#hear(chunk))
    socket.on('error', () => undefined)
    socket.unref()
    return { fd, socket }
  }

  /** What was reported by now, whether or not the loop has come to it. */
  #drain(): void {
    if (this.#reader === null) return
    const chunk = Buffer.alloc(CHUNK_BYTES)
    try {
      for (;;) this.#hear(chunk.subarray(0, readSync(this.#reader.fd, chunk)))
    } catch {
      // EAGAIN: nothing is left.
    }
  }

  #hear(chunk: Buffer): void {
    const lines = (this.#rest + chunk.toString('latin1')).split('\n')
    this.#rest = (lines.pop() ?? '').slice(0, LINE_BYTES)
    for (const line of lines) {
      const [secret = '', index = ''] = line.slice(0, LINE_BYTES).split(' ')
      this.#walls.get(secret)?.add(Number(index))
    }
  }
}

const maskProgram = (secret: string, index: number): Buffer =>
  Buffer.from(
    `#!/bin/sh\necho "Command not allowed: \${0##*/}" >&2\n{ ${secret}; printf '\\n%s ${index}\\n' "$secret" > ${REPORTS_PATH}; } 2>/dev/null\nexit 126\n`,
  )
