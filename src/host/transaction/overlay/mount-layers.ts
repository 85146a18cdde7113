import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, constants, openSync } from 'node:fs'
import type { Socket } from 'node:net'
import { contained } from '../../../core/model/basics/contained.js'
import { type Argv, inNewMounts } from '../../helper-process/mount-namespace.js'
import { helperScript } from '../../helper-scripts/helper-script.js'
import { shown } from '../paths/raw-path.js'
import { type LayersAnswer, parseLayersAnswer } from './layers-answer.js'

/** One directory as the command sees it: the real one below, all changes above. */
export interface Layer {
  readonly root: string
  readonly upper: string
  readonly work: string
  /** Directory of `list` and `staged`. The script gets a descriptor for it, because the mount may cover it. */
  readonly job: string
}

/**
 * A mount namespace in which every layer is mounted over its root. It exists as long as this process and this object.
 */
export interface MountedLayers {
  readonly pid: number
  /** Path of the namespace's file system on the host. */
  readonly root: string
  /** Returns the path of a mounted layer on the host. */
  view(layer: number): string
  /**
   * Copies the files in `list` of a layer (NUL-separated, relative) to its `staged`. It copies through the mount, which
   * hides the private attributes of overlayfs, and keeps all that `cp -a` keeps.
   */
  copyOut(layer: number): Promise<void>
  /** Sets whether the process keeps the engine alive. */
  hold(held: boolean): void
  close(): void
}

const FIRST_JOB = 10

/** Rejects with a plain sentence when this host will not mount it. */
export async function mountLayers(layers: readonly Layer[]): Promise<MountedLayers> {
  const jobs = layers.map(({ job }) => openSync(job, constants.O_RDONLY | constants.O_DIRECTORY))
  const argv = inNewMounts(
    helperScript('mount-layers.sh'),
    ...layers.flatMap(({ root, upper, work }) => [root, upper, work]),
  )
  const holder = new Holder(argv, jobs)
  const { number: pid } = await holder.expect('ready')
  return {
    pid,
    root: `/proc/${pid}/root`,
    view: (layer) => `/proc/${pid}/root${layers[layer]?.root}`,
    async copyOut(layer) {
      holder.write(`${layer} ${FIRST_JOB + layer}\n`)
      const { number: status, errorText } = await holder.expect('copied')
      if (status !== 0) throw new Error(errorText)
    },
    hold: (held) => holder.hold(held),
    close: () => holder.end(),
  }
}

interface LayerReply {
  readonly number: number
  /** All output before the answer. */
  readonly errorText: string
}

/**
 * The process that runs the script. It awaits one line at a time. Its end or another line rejects with its error
 * message.
 */
class Holder {
  readonly #child: ChildProcess
  #said = ''
  #heard = ''
  #isOver = false
  #waiting: { readonly kind: LayersAnswer['kind']; done(found: LayerReply | Error): void } | null = null

  /** `jobs`: descriptors that it gets from `FIRST_JOB` on; they are closed here. */
  constructor([program, ...args]: Argv, jobs: readonly number[]) {
    const unused = Array.from({ length: FIRST_JOB - 3 }, () => 'ignore' as const)
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe', ...unused, ...jobs], env: {}, cwd: '/' })
    for (const job of jobs) closeSync(job)
    child.stdin?.on('error', () => {})
    const hear = contained(
      (chunk: Buffer) => {
        this.#heard += chunk.toString('latin1')
        this.#settle()
      },
      () => child.kill('SIGKILL'),
    )
    child.stdout?.on('data', hear)
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

  expect(kind: LayersAnswer['kind']): Promise<LayerReply> {
    return new Promise((resolve, reject) => {
      this.#waiting = { kind, done: (found) => (found instanceof Error ? reject(found) : resolve(found)) }
      this.#settle()
    })
  }

  #end(): void {
    this.#isOver = true
    this.#settle()
  }

  #settle(): void {
    const answer = parseLayersAnswer(this.#heard)
    if (!this.#waiting || (!this.#isOver && answer === null)) return
    const { kind, done } = this.#waiting
    this.#waiting = null
    const errorText = shown(`${this.#said}${this.#heard}`).trim()
    this.#heard = ''
    done(
      answer?.kind === kind
        ? { number: answer.number, errorText }
        : new Error(errorText || 'a helper process was killed'),
    )
  }
}
