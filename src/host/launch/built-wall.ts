import type { Ending } from '../../core/model/ending.js'
import type { CordonError } from '../../core/model/errors.js'
import { UNROUTED } from '../../core/model/network-sets.js'
import { baseName } from '../../core/model/path.js'
import type { Plan, ResourceLimits, Sandbox } from '../../core/model/plan.js'
import type { LaunchIo } from '../../engine/ports.js'
import { placesInMemory } from './bubblewrap-arguments.js'
import { startCold } from './cold-wall.js'
import type { Copies } from './copies.js'
import { Gate } from './gate.js'
import { LimitWatch } from './limit-watch.js'
import type { Masks } from './mask-reports.js'
import { NoRoute } from './no-route.js'
import type { Nursery } from './nursery.js'
import { takenBackInWords } from './set-aside.js'
import { Stopper } from './stopper.js'
import { type Input, Streams } from './streams.js'
import { ForbiddenPlaces } from './take-back.js'
import { TaskCgroup } from './task-cgroup.js'
import { faultOf, type HostMounts, hostMountsOf } from './wall-check.js'
import { wallEnding } from './wall-ending.js'
import type { WallProcess } from './wall-process.js'
import { WallRun } from './wall-run.js'
import type { Workshop } from './workshop.js'

/** Enough of bubblewrap's own complaint to explain why there is no wall. */
const COMPLAINT_BYTES = 4_096

/** What a wall is given besides its plan; see `ColdWall`. */
interface Joined {
  readonly request?: number | null
  readonly waiting?: string | null
  readonly networkOf?: number | null
  readonly nursery?: Nursery | null
  /** Who makes it as a copy of a template; null where bubblewrap builds it. */
  readonly copies?: Copies | null
  /** It is never used, only copied. */
  readonly isTemplate?: boolean
  /** Both outputs go through one pipe. */
  readonly merged?: boolean
}

type BubblewrapWall = Extract<Sandbox, { kind: 'bubblewrap' }>

/** A wall with a process in it that runs the command, or waits for one on `request`. It is used for one command and no other. */
export class BuiltWall {
  readonly #process: WallProcess
  readonly #run: WallRun
  readonly #streams: Streams
  readonly #group: TaskCgroup | null
  readonly #forbidden: ForbiddenPlaces
  readonly #masked: Masks
  readonly #inMemory: readonly string[]
  readonly #hasNetwork: boolean
  #noRoute: NoRoute | null = null
  readonly #complaint: Buffer[] = []
  #heard = 0
  #io: Pick<LaunchIo, 'onChunk'> | null = null
  #onInit: ((pid: number) => void) | null = null
  #initPid: number | null = null
  #begun: number | null = null
  #passed: TaskCgroup['passed'] = null
  #refusal: CordonError | null = null
  #isRenounced = false

  constructor(
    shop: Workshop,
    plan: Plan,
    wall: BubblewrapWall,
    stdin: Input,
    {
      request = null,
      waiting = null,
      networkOf = null,
      nursery = null,
      copies = null,
      isTemplate = false,
      merged = false,
    }: Joined = {},
  ) {
    this.#forbidden = new ForbiddenPlaces(wall.mounts, rootOf(wall), copies?.existing)
    this.#inMemory = placesInMemory(wall.mounts)
    this.#hasNetwork = wall.network !== 'none'
    const onChunk = (stream: 'stdout' | 'stderr', chunk: Uint8Array): unknown => {
      this.#complain(merged || stream === 'stderr', chunk)
      // Before it has begun only bubblewrap speaks, and that becomes the error.
      return this.#begun === null ? undefined : this.#io?.onChunk(stream, chunk)
    }
    this.#streams = new Streams(shop.fifos, { stdin, merged, onChunk }, shop.inherited.nothing)
    const { existing } = this.#forbidden
    this.#group = TaskCgroup.create(shop.cgroups, plan.limits)
    const places = wall.mounts.flatMap(({ op, at }) => (op === 'mask' ? at : []))
    this.#masked = isTemplate ? shop.reports.masksOfCopies(places) : shop.reports.masksOf(places)
    const groups = this.#group?.doors() ?? []
    const setting = {
      ...shop,
      plan,
      wall,
      streams: this.#streams,
      existing,
      request,
      waiting,
      networkOf,
      masked: this.#masked,
      reports: places.length === 0 ? null : shop.reports.pipe,
      groups,
      nursery,
      isTemplate,
    }
    // A copy is what its template is, and that was looked at.
    const gate =
      copies !== null && request !== null
        ? null
        : new Gate(shop.fifos, wall.network === 'full' ? shop.filters.host : shop.filters.own)
    const start = (): WallProcess => {
      if (gate !== null) return startCold({ ...setting, gate })
      if (copies === null || request === null) throw new Error('a sandbox is a copy or has a gate')
      return copies.start({ streams: this.#streams, request, secret: this.#masked.secret, groups })
    }
    this.#process = start()
    this.#streams.listen()
    // Whoever uses the wall hears of it; an unused one is simply gone.
    this.#process.ended.catch(() => undefined)
    this.#run = new WallRun(this.#process, (pid) => {
      this.#initPid = pid
      // Before anything of the command runs: it may be over before its beginning is told.
      if (!this.#hasNetwork) this.#noRoute = NoRoute.open(pid)
      // A copy may still come to nothing, and then the command is started elsewhere. Nor has it mounts of its own before it waits.
      if (gate === null) this.whenWaiting((init) => this.#begin(init))
    })
    // Read while the sandbox is being built, not while it waits.
    const host = gate === null ? null : hostMountsOf(wall.within)
    gate?.guard(this.#process, {
      admit: (init) => this.#admit(init, wall, host),
      onOpen: (init) => this.#begin(init),
    })
  }

  /** Of the places that must not come to be, those that are there and read-only. */
  get existing(): ReadonlySet<string> {
    return this.#forbidden.existing
  }

  /** By what its shell is to say that it waits. */
  get name(): string {
    return this.#process.name ?? '0'
  }

  /** Why it came to nothing, where it is a copy that did. */
  get failure(): string | null {
    return this.#run.report.failure
  }

  /** Before it has, nothing of the command can have run. */
  get hasBegun(): boolean {
    return this.#begun !== null && !this.#isRenounced
  }

  /** Still there to be used. */
  get isUp(): boolean {
    return this.#run.isUp
  }

  /** Called with the pid on the host of the namespace's init, once its shell waits for a command. */
  whenWaiting(act: (init: number) => void): void {
    this.#run.report.listen(() => {
      if (!this.#run.report.isWaiting || this.#initPid === null) return false
      act(this.#initPid)
      return true
    })
  }

  /** Whether it keeps the engine's process alive: not while it merely waits. */
  hold(held: boolean): void {
    this.#process.hold(held)
    this.#streams.hold(held)
  }

  /** What the command will read, in a wall built before that was known. */
  provide(text: string): void {
    this.#streams.provide(text)
  }

  /** Settles when the wall has been used or has fallen. */
  get over(): Promise<void> {
    return this.#process.ended
  }

  /** From here on the plan's clock runs and its output is heard. Settles when nothing of the command runs any more. */
  async conduct(plan: Plan, io: LaunchIo, register: (stopper: Stopper) => void): Promise<Ending> {
    const stopper = new Stopper(this.#run, plan, io.signal)
    register(stopper)
    this.#io = io
    this.hold(true)
    const guard = this.#forbidden.watch((taken) => io.onEvidence?.(takenBackInWords(taken)))
    let watch: LimitWatch | undefined
    this.#whenInitIsKnown((pid) => {
      watch = new LimitWatch({
        root: pid,
        limits: plan.limits,
        group: this.#group,
        inMemory: this.#inMemory,
        onPassed: (limit) => stopper.stop({ by: 'limit', limit }),
      })
      io.onStart({ pid, write: (text) => this.#streams.write(text), endInput: () => this.#streams.endInput() })
    })
    try {
      await this.#dead(() => stopper.ending === null)
    } finally {
      stopper.dispose()
      watch?.dispose()
      guard.stop()
      if (this.#wasTried()) io.onEvidence?.(UNROUTED)
      this.#takeBack(io)
    }
    return stopper.ending ?? this.#ownEnding(plan.limits)
  }

  /** A wall nobody needs any more. */
  async demolish(): Promise<void> {
    // Or a process with nothing else to do would end before the wall has.
    this.hold(true)
    this.#masked.executed()
    this.#run.force()
    await this.#dead(() => false).catch(() => undefined)
    this.#wasTried()
  }

  /** It was to be used, and could not be told of its command. */
  renounce(): void {
    this.#isRenounced = true
    this.#run.force()
  }

  /** `isPatient`: whether to wait for a slow reader of the output. */
  async #dead(isPatient: () => boolean): Promise<void> {
    await this.#process.ended
    await this.#run.allDead()
    await this.#streams.finish(isPatient())
    this.#passed = this.#group?.passed ?? null
    await this.#group?.remove()
  }

  #ownEnding(limits: ResourceLimits): Ending {
    if (this.#refusal !== null) throw this.#refusal
    return wallEnding({
      exitCode: this.#run.report.exitCode,
      passed: this.#passed,
      limits,
      hasBegun: this.hasBegun,
      said: Buffer.concat(this.#complaint).toString('utf8'),
    })
  }

  #wasTried(): boolean {
    const noRoute = this.#noRoute
    this.#noRoute = null
    return noRoute?.finish() ?? false
  }

  #begin(pid: number): void {
    this.#begun = pid
    if (!this.#hasNetwork) this.#noRoute ??= NoRoute.open(pid)
    this.#onInit?.(pid)
  }

  /** Nothing of the command runs before the sandbox is what the plan says. */
  async #admit(init: number, { mounts, within }: BubblewrapWall, host: HostMounts | null): Promise<boolean> {
    const { existing } = this.#forbidden
    this.#refusal = await faultOf({ mounts, existing, init, within, host })
    if (this.#refusal !== null) this.#run.force()
    return this.#refusal === null
  }

  #whenInitIsKnown(act: (pid: number) => void): void {
    this.#onInit = act
    if (this.#begun !== null) act(this.#begun)
  }

  #complain(isError: boolean, chunk: Uint8Array): void {
    if (isError && this.#heard < COMPLAINT_BYTES) this.#complaint.push(Buffer.from(chunk))
    this.#heard += chunk.length
  }

  #takeBack(io: LaunchIo): void {
    for (const place of this.#masked.executed()) io.onEvidence?.(`exec: ${baseName(place)} masked`)
    // Looked at anew: in the time a wall waits, somebody else may have made what it forbids.
    this.#forbidden.takeBack((taken) => io.onEvidence?.(takenBackInWords(taken)))
  }
}

const rootOf = ({ within }: BubblewrapWall): string => (within === undefined ? '' : `/proc/${within}/root`)
