import type { CordonError } from '../../../core/model/basics/errors.js'
import { baseName } from '../../../core/model/basics/path.js'
import type { BubblewrapSandbox, Plan, ResourceLimits } from '../../../core/model/policy/plan.js'
import type { Ending } from '../../../core/model/run/ending.js'
import type { LaunchIo } from '../../../engine/ports/ports.js'
import { LimitWatch } from '../limits/limit-watch.js'
import { TaskCgroup } from '../limits/task-cgroup.js'
import { NoRoute } from '../network/no-route.js'
import { Stopper } from '../process/stopper.js'
import { ForbiddenPaths } from '../protect/forbidden-paths.js'
import { tmpfsPaths } from '../sandbox/bubblewrap-arguments.js'
import { Gate } from '../sandbox/gate.js'
import type { Masks } from '../sandbox/mask-reports.js'
import { type HostMounts, hostMountsOf, mountFault } from '../sandbox/mount-check.js'
import type { SandboxProcess } from '../sandbox/sandbox-process.js'
import { type Input, Streams } from '../streams/standard-streams.js'
import type { Cloner } from '../zygote/cloner.js'
import { sandboxEnding } from './ending.js'
import type { SandboxDeps } from './sandbox-deps.js'
import { SandboxRun } from './sandbox-run.js'
import { type StartOptions, startCold } from './start-cold.js'

/** Bytes of bubblewrap's error output that are kept to explain a failure. */
const MAX_ERROR_BYTES = 4_096

interface SandboxOptions extends Partial<StartOptions> {
  /** Makes the sandbox as a clone of a template. Null if bubblewrap builds it. */
  readonly cloner?: Cloner | null
  /** True if both outputs go through one pipe. */
  readonly merged?: boolean
}

const COLD: StartOptions = { requestFd: null, waiting: null, networkOf: null, zygoteHost: null, isTemplate: false }

/** Sandbox with a process in it that runs the command, or waits for one on `request`. It serves one command only. */
export class BuiltSandbox {
  readonly #process: SandboxProcess
  readonly #run: SandboxRun
  readonly #streams: Streams
  readonly #cgroup: TaskCgroup | null
  readonly #forbidden: ForbiddenPaths
  readonly #masked: Masks
  readonly #inMemory: readonly string[]
  readonly #hasNetwork: boolean
  readonly #exits: SandboxDeps['exits']
  readonly #waits: boolean
  #noRoute: NoRoute | null = null
  readonly #errorOutput: Buffer[] = []
  #errorBytes = 0
  #io: Pick<LaunchIo, 'onChunk'> | null = null
  #onInit: ((pid: number) => void) | null = null
  #initPid: number | null = null
  #begun: number | null = null
  #passed: TaskCgroup['passed'] = null
  #refusal: CordonError | null = null
  #isAbandoned = false

  constructor(
    deps: SandboxDeps,
    plan: Plan,
    sandbox: BubblewrapSandbox,
    stdin: Input,
    { cloner = null, merged = false, ...given }: SandboxOptions = {},
  ) {
    const start = { ...COLD, ...given }
    const { requestFd, isTemplate } = start
    this.#forbidden = new ForbiddenPaths(sandbox.mounts, rootOf(sandbox), cloner?.existing)
    this.#inMemory = tmpfsPaths(sandbox.mounts)
    this.#hasNetwork = sandbox.network !== 'none'
    this.#waits = requestFd !== null
    const onChunk = (stream: 'stdout' | 'stderr', chunk: Uint8Array): unknown => {
      this.#keepErrors(merged || stream === 'stderr', chunk)
      // Earlier output comes from bubblewrap and becomes the error.
      return this.#begun === null ? undefined : this.#io?.onChunk(stream, chunk)
    }
    this.#streams = new Streams(deps.fifos, { stdin, merged, onChunk }, deps.inherited.devNull)
    const { existing } = this.#forbidden
    this.#cgroup = TaskCgroup.create(deps.cgroups, plan.limits)
    const maskedPaths = sandbox.mounts.flatMap(({ op, at }) => (op === 'mask' ? at : []))
    this.#masked = isTemplate ? deps.reports.masksOfClones(maskedPaths) : deps.reports.masksFor(maskedPaths)
    const cgroupFiles = this.#cgroup?.cgroupJoinFiles() ?? []
    // A clone has its template's mounts, which were checked.
    const gate =
      cloner !== null && requestFd !== null
        ? null
        : new Gate(deps.fifos, sandbox.network === 'full' ? deps.filters.host : deps.filters.own)
    if (gate !== null) {
      const own = { plan, sandbox, streams: this.#streams, existing, masked: this.#masked, cgroupFiles, gate }
      this.#process = startCold({ ...deps, ...start, ...own, hasMasks: maskedPaths.length > 0 })
    } else if (cloner !== null && requestFd !== null)
      this.#process = cloner.start({ streams: this.#streams, requestFd, secret: this.#masked.secret, cgroupFiles })
    else throw new Error('a sandbox without a gate must be a clone')
    this.#streams.listen()
    // The user of the sandbox gets the error; an unused one just ends.
    this.#process.ended.catch(() => undefined)
    this.#exits = deps.exits
    this.#run = new SandboxRun(this.#process, (pid) => {
      this.#initPid = pid
      // The command may end before its start is reported, so the counter opens first.
      if (!this.#hasNetwork) this.#noRoute = NoRoute.open(pid)
      // Cloning may still fail, and then the command starts elsewhere. A clone has no mounts of its own before it
      // waits.
      if (gate === null) this.whenWaiting((init) => this.#begin(init))
    })
    // Read while the sandbox is built, not while it waits.
    const host = gate === null ? null : hostMountsOf(sandbox.within)
    // A waiting shell has to report first, so it is held only then.
    if (gate !== null && this.#waits) this.whenWaiting(() => void this.#run.holdAtExit(deps.exits))
    gate?.guard(this.#process, {
      verify: (init) => this.#verify(init, sandbox, host),
      onOpen: (init) => this.#begin(init),
    })
  }

  /** Forbidden paths that exist and are read-only. */
  get existing(): ReadonlySet<string> {
    return this.#forbidden.existing
  }

  /** Name by which its shell reports that it waits. */
  get name(): string {
    return this.#process.name ?? '0'
  }

  /** Reason why cloning failed, or null. */
  get failure(): string | null {
    return this.#run.report.failure
  }

  /** False as long as no part of the command can have run. */
  get hasBegun(): boolean {
    return this.#begun !== null && !this.#isAbandoned
  }

  /** True while the sandbox can be used. */
  get isUp(): boolean {
    return this.#run.isUp
  }

  /**
   * Calls `act` with the init's pid on the host, once the sandbox's shell waits for a command and bubblewrap will be
   * held at its exit.
   */
  whenWaiting(act: (init: number) => void): void {
    const actIfWaiting = (): boolean => {
      const init = this.#initPid
      if (!this.#run.report.isWaiting || init === null) return false
      const { holding } = this.#run
      if (holding === null) act(init)
      else void holding.then(() => act(init))
      return true
    }
    // The shell may have reported already while bubblewrap's hold is still being set up. No other report follows then.
    if (!actIfWaiting()) this.#run.report.listen(actIfWaiting)
  }

  /** Decides if it keeps the engine's process alive. A waiting sandbox does not. */
  hold(held: boolean): void {
    this.#process.hold(held)
    this.#streams.hold(held)
  }

  /** Provides the command's input to a sandbox built without it. */
  provide(text: string): void {
    this.#streams.provide(text)
  }

  /** Settles after the sandbox was used or has died. */
  get over(): Promise<void> {
    return this.#process.ended
  }

  /**
   * Runs the command: starts the plan's timeout and reads its output. Settles after all processes of the command have
   * ended.
   */
  async runCommand(plan: Plan, io: LaunchIo, register: (stopper: Stopper) => void): Promise<Ending> {
    const stopper = new Stopper(this.#run, plan, io.signal)
    register(stopper)
    this.#io = io
    this.hold(true)
    this.#run.onLeft = (left) => io.onEvidence?.({ kind: 'left-running', ...left })
    const guard = this.#forbidden.watch((moved) => io.onEvidence?.({ kind: 'protected', ...moved }))
    let watch: LimitWatch | undefined
    this.#whenInitIsKnown((pid) => {
      watch = new LimitWatch({
        root: pid,
        limits: plan.limits,
        group: this.#cgroup,
        inMemory: this.#inMemory,
        onPassed: (limit) => stopper.stop({ by: 'limit', limit }),
      })
      io.onStart({
        pid,
        write: (text) => this.#streams.write(text),
        endInput: () => this.#streams.endInput(),
        interrupt: () => this.#run.interrupt(),
      })
    })
    try {
      await this.#allEnded(() => stopper.ending === null)
    } finally {
      stopper.dispose()
      watch?.dispose()
      guard.stop()
      if (this.#triedNetwork()) io.onEvidence?.({ kind: 'no-network' })
      await this.#reportChanges(io)
    }
    return stopper.ending ?? this.#ownEnding(plan.limits)
  }

  /** Ends a sandbox that is no longer needed. */
  async destroy(): Promise<void> {
    // Otherwise an idle engine would exit before the sandbox has ended.
    this.hold(true)
    this.#masked.executed()
    this.#run.force()
    await this.#allEnded(() => false).catch(() => undefined)
    this.#triedNetwork()
  }

  /** Kills a sandbox that could not receive its command. */
  abandon(): void {
    this.#isAbandoned = true
    this.#run.force()
  }

  /** `isPatient` tells if a slow consumer of the output gets time. */
  async #allEnded(isPatient: () => boolean): Promise<void> {
    await this.#process.ended
    await this.#run.allDead()
    await this.#streams.finish(isPatient())
    this.#passed = this.#cgroup?.passed ?? null
    await this.#cgroup?.remove()
  }

  #ownEnding(limits: ResourceLimits): Ending {
    if (this.#refusal !== null) throw this.#refusal
    return sandboxEnding({
      exitCode: this.#run.report.exitCode,
      passed: this.#passed,
      limits,
      hasBegun: this.hasBegun,
      errorOutput: Buffer.concat(this.#errorOutput).toString('utf8'),
    })
  }

  #triedNetwork(): boolean {
    const noRoute = this.#noRoute
    this.#noRoute = null
    return noRoute?.finish() ?? false
  }

  #begin(pid: number): void {
    this.#begun = pid
    if (!this.#hasNetwork) this.#noRoute ??= NoRoute.open(pid)
    this.#onInit?.(pid)
  }

  /** Checks the mounts. The command starts only if they match the plan. */
  async #verify(init: number, { mounts, within }: BubblewrapSandbox, host: HostMounts | null): Promise<boolean> {
    const { existing } = this.#forbidden
    this.#refusal = await mountFault({ mounts, existing, init, within, host })
    if (this.#refusal !== null) this.#run.force()
    else if (!this.#waits) await this.#run.holdAtExit(this.#exits)
    return this.#refusal === null
  }

  #whenInitIsKnown(act: (pid: number) => void): void {
    this.#onInit = act
    if (this.#begun !== null) act(this.#begun)
  }

  #keepErrors(isError: boolean, chunk: Uint8Array): void {
    if (isError && this.#errorBytes < MAX_ERROR_BYTES) this.#errorOutput.push(Buffer.from(chunk))
    this.#errorBytes += chunk.length
  }

  async #reportChanges(io: LaunchIo): Promise<void> {
    for (const path of this.#masked.executed()) io.onEvidence?.({ kind: 'masked', program: baseName(path) })
    // Checks again: while the sandbox waited, another process may have created a forbidden path.
    await this.#forbidden.quarantineAll((moved) => io.onEvidence?.({ kind: 'protected', ...moved }))
  }
}

const rootOf = ({ within }: BubblewrapSandbox): string => (within === undefined ? '' : `/proc/${within}/root`)
