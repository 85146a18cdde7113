import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, constants, openSync } from 'node:fs'
import type { Socket } from 'node:net'
import type { Aside, AsideIo, StartAside } from '../../engine/ports.js'
import { type Argv, inNewMounts } from '../helper-process/mount-namespace.js'
import { shown } from './raw-path.js'

/** One directory as the command will see it: the real one below, everything it changes above. */
export interface Layer {
  readonly root: string
  readonly upper: string
  readonly work: string
  /** Where `list` and `staged` are; a descriptor on it is passed down, for it may lie beneath the mount. */
  readonly job: string
}

/** A mount namespace in which every layer is mounted over its root. It lasts as long as this process and this object. */
export interface MountedLayers {
  readonly pid: number
  /** Where the host sees the mounted tree of a layer. */
  view(layer: number): string
  /**
   * Copies the files named in the layer's `list` (NUL-separated, relative) to its `staged`: through the mount, which keeps
   * overlayfs's private attributes out of the copies, with all that `cp -a` keeps.
   */
  copyOut(layer: number): Promise<void>
  /** Whether it keeps the engine's process alive. */
  hold(held: boolean): void
  close(): void
}

/**
 * Mounts each layer, says so, then copies on request until its input ends. Names reach the mount options as descriptors: a colon, a
 * comma or a newline in a path means nothing there.
 */
const HOLDER = `
layers=$#
while [ "$layers" -gt 0 ]; do
  exec 3<"$1" 4<"$2" 5<"$3" || exit 1
  mount -t overlay cordon -o userxattr,lowerdir=/proc/self/fd/3,upperdir=/proc/self/fd/4,workdir=/proc/self/fd/5 "$1" || exit 1
  set -- "$@" "$1"; shift 3; layers=$((layers - 3))
done
exec 3<&- 4<&- 5<&-
echo "ready $$"
while read -r layer job; do
  eval "root=\\\${$((layer + 1))}"
  (cd "$root" && xargs -0 cp -a --parents --reflink=auto -t "/proc/self/fd/$job/staged" -- <"/proc/self/fd/$job/list") 2>&1
  echo "copied $?"
done
`
const FIRST_JOB = 10

/** Here, by a fork of the engine. */
const startHere = ([program, ...args]: Argv, descriptors: readonly number[], io: AsideIo): Aside => {
  const unused = Array.from({ length: FIRST_JOB - 3 }, () => 'ignore' as const)
  const child = spawn(program, args, {
    stdio: ['pipe', 'pipe', 'pipe', ...unused, ...descriptors],
    env: {},
    cwd: '/',
  })
  for (const descriptor of descriptors) closeSync(descriptor)
  child.stdin?.on('error', () => {})
  child.stdout?.on('data', (chunk: Buffer) => io.onOutput(chunk.toString('latin1')))
  child.stderr?.on('data', (chunk: Buffer) => io.onError(chunk.toString('latin1')))
  child.on('error', (error) => {
    io.onError(error.message)
    io.onEnd()
  })
  child.on('close', () => io.onEnd())
  return {
    write: (text) => void child.stdin?.write(text),
    end: () => void child.stdin?.end(),
    hold(held) {
      for (const one of [child, child.stdin, child.stdout, child.stderr] as (ChildProcess | Socket)[]) {
        if (held) one.ref()
        else one.unref()
      }
    },
  }
}

/** Rejects with a plain sentence when this host will not mount it. */
export async function mountLayers(layers: readonly Layer[], startAside?: StartAside): Promise<MountedLayers> {
  const jobs = layers.map(({ job }) => openSync(job, constants.O_RDONLY | constants.O_DIRECTORY))
  const talk = new Conversation()
  const argv = inNewMounts(HOLDER, ...layers.flatMap(({ root, upper, work }) => [root, upper, work]))
  const aside = startAside?.(argv, jobs, talk) ?? startHere(argv, jobs, talk)
  const [, pid] = await talk.expect(/^ready (\d+)$/)
  return mounted(layers, Number(pid), aside, talk)
}

function mounted(layers: readonly Layer[], pid: number, aside: Aside, talk: Conversation): MountedLayers {
  return {
    pid,
    view: (layer) => `/proc/${pid}/root${layers[layer]?.root}`,
    async copyOut(layer) {
      aside.write(`${layer} ${FIRST_JOB + layer}\n`)
      await talk.expect(/^copied 0$/)
    },
    hold: (held) => aside.hold(held),
    close: () => aside.end(),
  }
}

const ANSWER = /^(?:copied|ready) \d+$/

/** Waits for one line of the holder at a time; its death, or another answer, is a refusal that carries what it said. */
class Conversation {
  #said = ''
  #heard = ''
  #isOver = false
  #waiting: { readonly line: RegExp; done(found: RegExpExecArray | Error): void } | null = null

  onOutput(text: string): void {
    this.#heard += text
    this.#settle()
  }

  onError(text: string): void {
    this.#said += text
  }

  onEnd(): void {
    this.#isOver = true
    this.#settle()
  }

  expect(line: RegExp): Promise<RegExpExecArray> {
    return new Promise((resolve, reject) => {
      this.#waiting = { line, done: (found) => (found instanceof Error ? reject(found) : resolve(found)) }
      this.#settle()
    })
  }

  #settle(): void {
    const at = this.#heard.lastIndexOf('\n', this.#heard.length - 2)
    const last = this.#heard.endsWith('\n') ? this.#heard.slice(at + 1, -1) : ''
    if (!this.#waiting || (!this.#isOver && !ANSWER.test(last))) return
    const { line, done } = this.#waiting
    this.#waiting = null
    const complaint = shown(`${this.#said}${this.#heard}`).trim()
    this.#heard = ''
    done(line.exec(last) ?? new Error(complaint || 'the mount namespace ended early'))
  }
}
