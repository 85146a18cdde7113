import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, constants, openSync } from 'node:fs'
import type { Socket } from 'node:net'
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
  /** Where the host sees the namespace's file system. */
  readonly root: string
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

/** Rejects with a plain sentence when this host will not mount it. */
export async function mountLayers(layers: readonly Layer[]): Promise<MountedLayers> {
  const jobs = layers.map(({ job }) => openSync(job, constants.O_RDONLY | constants.O_DIRECTORY))
  const argv = inNewMounts(HOLDER, ...layers.flatMap(({ root, upper, work }) => [root, upper, work]))
  const holder = new Holder(argv, jobs)
  const [, pid] = await holder.expect(/^ready (\d+)$/)
  return {
    pid: Number(pid),
    root: `/proc/${pid}/root`,
    view: (layer) => `/proc/${pid}/root${layers[layer]?.root}`,
    async copyOut(layer) {
      holder.write(`${layer} ${FIRST_JOB + layer}\n`)
      await holder.expect(/^copied 0$/)
    },
    hold: (held) => holder.hold(held),
    close: () => holder.end(),
  }
}

const ANSWER = /^(?:copied|ready) \d+$/

/** The process that runs the script. One line is awaited at a time; its end, or another line, rejects with its complaint. */
class Holder {
  readonly #child: ChildProcess
  #said = ''
  #heard = ''
  #isOver = false
  #waiting: { readonly line: RegExp; done(found: RegExpExecArray | Error): void } | null = null

  /** `jobs`: descriptors it gets from `FIRST_JOB` on, which are closed here. */
  constructor([program, ...args]: Argv, jobs: readonly number[]) {
    const unused = Array.from({ length: FIRST_JOB - 3 }, () => 'ignore' as const)
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe', ...unused, ...jobs], env: {}, cwd: '/' })
    for (const job of jobs) closeSync(job)
    child.stdin?.on('error', () => {})
    child.stdout?.on('data', (chunk: Buffer) => {
      this.#heard += chunk.toString('latin1')
      this.#settle()
    })
    child.stderr?.on('data', (chunk: Buffer) => {
      this.#said += chunk.toString('latin1')
    })
    child.on('error', (error) => {
      this.#said += error.message
      this.#end()
    })
    child.on('close', () => this.#end())
    this.#child = child
  }

  write(text: string): void {
    this.#child.stdin?.write(text)
  }

  end(): void {
    this.#child.stdin?.end()
  }

  hold(held: boolean): void {
    const { stdin, stdout, stderr } = this.#child
    for (const one of [this.#child, stdin, stdout, stderr] as (ChildProcess | Socket)[]) {
      if (held) one.ref()
      else one.unref()
    }
  }

  expect(line: RegExp): Promise<RegExpExecArray> {
    return new Promise((resolve, reject) => {
      this.#waiting = { line, done: (found) => (found instanceof Error ? reject(found) : resolve(found)) }
      this.#settle()
    })
  }

  #end(): void {
    this.#isOver = true
    this.#settle()
  }

  #settle(): void {
    const at = this.#heard.lastIndexOf('\n', this.#heard.length - 2)
    const last = this.#heard.endsWith('\n') ? this.#heard.slice(at + 1, -1) : ''
    if (!this.#waiting || (!this.#isOver && !ANSWER.test(last))) return
    const { line, done } = this.#waiting
    this.#waiting = null
    const complaint = shown(`${this.#said}${this.#heard}`).trim()
    this.#heard = ''
    done(line.exec(last) ?? new Error(complaint || 'a helper process was ended'))
  }
}
