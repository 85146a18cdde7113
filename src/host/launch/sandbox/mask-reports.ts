import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chmodSync, constants, mkdirSync, openSync, readSync, rmSync } from 'node:fs'
import { Socket } from 'node:net'
import { contained } from '../../../core/model/basics/contained.js'

/** Path of the report pipe inside the sandbox. */
export const REPORTS_PATH = '/dev/.cordon-masks'
const DOMAIN_NAME = '/proc/sys/kernel/domainname'
/** A report is one line, written at once. Longer lines are not reports. */
const LINE_BYTES = 64
const CHUNK_BYTES = 65_536

interface Reader {
  readonly fd: number
  readonly socket: Socket
}

/** Masks of one sandbox, and which of them were executed. */
export interface Masks {
  /** Identifies the sandbox in reports. */
  readonly secret: string
  /** Returns the mask for a denied program. It reports the name by which it was called, whichever symlink that is. */
  program(path: string): Buffer
  /** Returns the masked paths executed so far. Call it once, after all processes of the command have ended. */
  executed(): readonly string[]
}

/**
 * Collects reports of executed masks. All sandboxes of a launcher share one pipe. Its mode and read-only mount let them
 * only write. A mask reports its number and its sandbox's secret. So a command can at most claim that it ran one of its
 * own masks, and cannot suppress a report.
 */
export class MaskReports {
  readonly #path: string
  readonly #sandboxes = new Map<string, Set<number>>()
  #reader: Reader | null = null
  #rest = ''

  /** `path` is the directory of the pipe while the launcher lives. */
  constructor(path: string) {
    this.#path = path
  }

  /** Path of the pipe, created at the first use. */
  get pipe(): string {
    this.#reader ??= this.#open()
    return `${this.#path}/pipe`
  }

  masksFor(paths: readonly string[]): Masks {
    const secret = randomUUID()
    const executed = new Set<number>()
    this.#sandboxes.set(secret, executed)
    return {
      secret,
      program: (path) => maskProgram(`secret=${secret}`, paths.indexOf(path)),
      executed: () => {
        if (paths.length > 0) this.#drain()
        this.#sandboxes.delete(secret)
        return [...executed].flatMap((index) => paths[index] ?? [])
      },
    }
  }

  /** Returns masks for a template's clones. A mask reads its clone's secret from the domain name. */
  masksOfClones(paths: readonly string[]): Masks {
    const program = (path: string): Buffer => maskProgram(`read -r secret <${DOMAIN_NAME}`, paths.indexOf(path))
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
    // Opened for writing too, so that reading never meets an end of file.
    const fd = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK)
    chmodSync(pipe, 0o200)
    const socket = new Socket({ fd, readable: true, writable: false })
    const read = contained(
      (chunk: Buffer) => this.#read(chunk),
      () => undefined,
    )
    socket.on('data', read)
    socket.on('error', () => undefined)
    socket.unref()
    return { fd, socket }
  }

  /** Reads the reports that the event loop has not read yet. */
  #drain(): void {
    if (this.#reader === null) return
    const chunk = Buffer.alloc(CHUNK_BYTES)
    try {
      for (;;) this.#read(chunk.subarray(0, readSync(this.#reader.fd, chunk)))
    } catch {
      // EAGAIN: the pipe is empty.
    }
  }

  #read(chunk: Buffer): void {
    const lines = (this.#rest + chunk.toString('latin1')).split('\n')
    this.#rest = (lines.pop() ?? '').slice(0, LINE_BYTES)
    for (const line of lines) {
      const [secret = '', index = ''] = line.slice(0, LINE_BYTES).split(' ')
      this.#sandboxes.get(secret)?.add(Number(index))
    }
  }
}

const maskProgram = (secret: string, index: number): Buffer =>
  Buffer.from(
    `#!/bin/sh\necho "Command not allowed: \${0##*/}" >&2\n{ ${secret}; printf '\\n%s ${index}\\n' "$secret" > ${REPORTS_PATH}; } 2>/dev/null\nexit 126\n`,
  )
