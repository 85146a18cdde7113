import { closeSync } from 'node:fs'
import { CordonError } from '../../core/model/basics/errors.js'
import type { BubblewrapSandbox, Capabilities, Plan } from '../../core/model/policy/plan.js'
import type { Ending } from '../../core/model/run/ending.js'
import type { Launcher, LaunchIo } from '../../engine/ports/ports.js'
import { hideSockets } from '../unix-sockets/hide-sockets.js'
import { LateSockets } from '../unix-sockets/late-sockets.js'
import { HelperProcesses, type HelperProcessesOptions } from './helper-processes.js'
import { BuiltSandbox } from './lifecycle/built-sandbox.js'
import { ExitHold } from './lifecycle/exit-hold.js'
import type { SandboxDeps } from './lifecycle/sandbox-deps.js'
import { requiredFilter } from './lifecycle/start-cold.js'
import { type CgroupTree, cgroupTrees } from './limits/cgroup-trees.js'
import type { ListedNetwork } from './network/listed-network.js'
import { PERL } from './network/network-helper.js'
import { InheritedDescriptors } from './process/inherited-descriptors.js'
import { requireProgram } from './process/require-program.js'
import type { Stopper } from './process/stopper.js'
import { Watchdog } from './process/watchdog.js'
import { requireReview } from './protect/require-review.js'
import { findBubblewrap } from './sandbox/find-bubblewrap.js'
import { MaskReports } from './sandbox/mask-reports.js'
import { PrivateMounts } from './sandbox/private-mounts.js'
import { MOUNTED_LINE } from './sandbox/status-report.js'
import { anonymousFile } from './streams/anonymous-file.js'
import { Fifos } from './streams/fifos.js'
import type { SandboxRequest } from './warm/pool-key.js'
import { WarmPool } from './warm/warm-pool.js'

export interface BubblewrapOptions extends HelperProcessesOptions {
  /** Paths to search for bwrap. Default: the system's own directories. */
  readonly bwrapPaths?: readonly string[]
  /**
   * Cgroup trees to use. Default: those that this process may write. Empty: the watcher measures limits from outside.
   */
  readonly cgroups?: readonly CgroupTree[]
  /** Number of warm sandboxes, for an engine that lives long enough to use them. Default: 0. */
  readonly warm?: number
}

/** Launches plans with a bubblewrap sandbox: one new or warm sandbox for each command. Rejects every other plan. */
export function createBubblewrap(options: BubblewrapOptions = {}): SandboxLauncher {
  return new Bubblewrap(options)
}

export interface SandboxLauncher extends Launcher {
  prepare(plan: Plan): void
  /** Resolves once a sandbox for the plan waits, with how it was made, or with `none` if no sandbox will wait. */
  whenReady(plan: Plan): Promise<'cloned' | 'built' | 'none'>
}

const KEEP_ALIVE_MS = 60_000

/** Reports every host that was refused or failed until the sandbox has ended. */
async function withHostReports(
  network: ListedNetwork | null,
  built: BuiltSandbox,
  io: LaunchIo,
  act: () => Promise<Ending>,
): Promise<Ending> {
  if (network === null) return act()
  network.startReporting((visit) => {
    const { host, port, outcome } = visit
    if (outcome !== 'reached') io.onEvidence?.({ kind: 'host', host, port, outcome })
  })
  const settle = (): Promise<void> => network.settled()
  const settled = built.over.then(settle, settle)
  try {
    return await act()
  } finally {
    await settled
  }
}

/** Keeps the engine's process alive while `act` runs. Waiting sandboxes alone do not. */
async function keepAlive<T>(act: () => Promise<T>): Promise<T> {
  const timer = setInterval(() => undefined, KEEP_ALIVE_MS)
  try {
    return await act()
  } finally {
    clearInterval(timer)
  }
}

class Bubblewrap implements SandboxLauncher {
  readonly #options: BubblewrapOptions
  readonly #watchdog = new Watchdog()
  readonly #fifos = new Fifos(this.#watchdog.directory)
  readonly #inherited = new InheritedDescriptors()
  readonly #helpers: HelperProcesses
  readonly #sockets: LateSockets
  readonly #mounts: PrivateMounts
  readonly #exits: ExitHold
  readonly #reports = new MaskReports(`${this.#watchdog.directory}-masks`)
  readonly #active = new Map<Promise<unknown>, Stopper>()
  #found: Capabilities | null = null
  #deps: SandboxDeps | null = null
  #mountedLine: number | null = null
  #warm: WarmPool | null = null
  #isFirst = true
  #closed = false

  constructor(options: BubblewrapOptions) {
    this.#options = options
    const setup = { engineVariable: this.#watchdog.engineVariable, inherited: this.#inherited }
    this.#helpers = new HelperProcesses(setup, this.#fifos, options)
    this.#sockets = new LateSockets(options.perl ?? PERL)
    this.#mounts = new PrivateMounts(setup)
    this.#exits = new ExitHold(options.perl ?? PERL, setup)
  }

  probe(): Capabilities {
    this.#found ??= findBubblewrap(this.#options.bwrapPaths)
    return this.#found
  }

  async launch(plan: Plan, io: LaunchIo): Promise<Ending> {
    const { deps, sandbox } = this.#require(plan)
    requireProgram(plan)
    requireReview(sandbox)
    if (io.signal.aborted || this.#closed) return { how: 'killed', signal: 'SIGTERM', by: 'caller' }
    this.#watchdog.start()
    this.#exits.start()
    await this.#prepareMounts()
    if (this.#closed) return { how: 'killed', signal: 'SIGTERM', by: 'caller' }
    const warm = this.#warmPool(deps)
    const request: SandboxRequest = { plan, sandbox, stdin: io.stdin, merged: io.merged ?? false }
    const taken = warm.take(request)
    try {
      if (taken === null) return await this.#launchCold(deps, request, io)
      const { built, network } = taken
      return await withHostReports(network, built, io, () => this.#runCommand(built, request, io)).catch(
        (error: unknown) => {
          if (built.hasBegun) throw error
          return this.#launchCold(deps, request, io)
        },
      )
    } finally {
      taken?.network?.close()
      warm.refill(request)
    }
  }

  async #launchCold(deps: SandboxDeps, request: SandboxRequest, io: LaunchIo): Promise<Ending> {
    const network = await this.#helpers.networkFor(request.sandbox)
    if (io.signal.aborted) {
      network?.close()
      return { how: 'killed', signal: 'SIGTERM', by: 'caller' }
    }
    let built: BuiltSandbox | undefined
    try {
      built = this.#build(deps, request, network)
      const used = built
      return await withHostReports(network, used, io, () => this.#runCommand(used, request, io))
    } catch (error) {
      // A socket that was to be hidden is gone by now, so bubblewrap cannot mount over it.
      const { sandbox } = this.#require(request.plan)
      if (built?.hasBegun !== false || sandbox.mounts.length >= request.sandbox.mounts.length) throw error
      return await this.#launchCold(deps, { ...request, sandbox }, io)
    } finally {
      network?.close()
    }
  }

  async #runCommand(built: BuiltSandbox, { plan, sandbox }: SandboxRequest, io: LaunchIo): Promise<Ending> {
    let stopper: Stopper | undefined
    let unwatch = (): void => undefined
    const onStart: LaunchIo['onStart'] = (process) => {
      if (sandbox.network !== 'full')
        unwatch = this.#sockets.watch(process.pid, sandbox.mounts, (path) =>
          io.onEvidence?.({ kind: 'host-socket', path }),
        )
      io.onStart(process)
    }
    const ended = built.runCommand(plan, { ...io, onStart }, (own) => {
      stopper = own
    })
    if (stopper !== undefined) this.#active.set(ended, stopper)
    try {
      return await ended
    } finally {
      this.#active.delete(ended)
      unwatch()
    }
  }

  prepare(plan: Plan): void {
    if ((this.#options.warm ?? 0) === 0 || this.#closed) return
    const { deps, sandbox } = this.#require(plan)
    const build = (): void => {
      if (!this.#closed) void this.#warmPool(deps).prepare({ plan, sandbox, stdin: 'closed', merged: false })
    }
    // If it fails, the command that needs a sandbox reports it.
    this.#prepareMounts().then(build, () => undefined)
  }

  async whenReady(plan: Plan): Promise<'cloned' | 'built' | 'none'> {
    const { deps, sandbox } = this.#require(plan)
    await this.#prepareMounts()
    return keepAlive(() => this.#warmPool(deps).whenReady({ plan, sandbox, stdin: 'closed', merged: false }))
  }

  close(): Promise<void> {
    return keepAlive(() => this.#close())
  }

  async #close(): Promise<void> {
    this.#closed = true
    for (const stopper of this.#active.values()) stopper.force()
    await Promise.allSettled(this.#active.keys())
    const ended = this.#warm?.close()
    await this.#helpers.close(ended)
    await Promise.all([this.#watchdog.release(), this.#mounts.close(), this.#exits.close()])
    this.#fifos.close()
    this.#reports.close()
    this.#inherited.close()
    if (this.#mountedLine !== null) closeSync(this.#mountedLine)
    this.#mountedLine = null
  }

  #require(plan: Plan): { readonly deps: SandboxDeps; readonly sandbox: BubblewrapSandbox } {
    if (plan.sandbox.kind !== 'bubblewrap') {
      throw new CordonError(
        'SANDBOX_UNAVAILABLE',
        'The bubblewrap launcher needs a plan with a sandbox, and this plan has none. Use the direct launcher.',
      )
    }
    const found = this.probe()
    if (found.sandbox === 'none') {
      throw new CordonError('SANDBOX_UNAVAILABLE', `Cordon cannot build the sandbox: ${found.cause}. ${found.fix}`)
    }
    this.#deps ??= {
      bwrap: found.path,
      fifos: this.#fifos,
      reports: this.#reports,
      exits: this.#exits,
      inherited: this.#inherited,
      engineVariable: this.#watchdog.engineVariable,
      cgroups: this.#options.cgroups ?? cgroupTrees(),
      mounts: this.#mounts,
      filters: { own: requiredFilter(true), host: requiredFilter(false) },
      mountedLine: this.#openMountedLine(),
    }
    return { deps: this.#deps, sandbox: hideSockets(plan.sandbox, this.#sockets.tables()) }
  }

  /**
   * Prepares the mounts. Sandboxes get a /dev/null from a read-only mount, because root could change the mode of the
   * host's through a descriptor.
   */
  async #prepareMounts(): Promise<void> {
    await keepAlive(() => this.#mounts.prepare())
    const devNull = this.#mounts.openDevNull()
    if (devNull !== null) this.#inherited.useDevNull(devNull)
  }

  #openMountedLine(): number {
    this.#mountedLine = anonymousFile(Buffer.from(MOUNTED_LINE))
    return this.#mountedLine
  }

  #warmPool(deps: SandboxDeps): WarmPool {
    this.#warm ??= new WarmPool(
      deps,
      () => this.#helpers.zygoteHost(),
      (sandbox) => this.#helpers.networkFor(sandbox),
      this.#options.warm ?? 0,
    )
    return this.#warm
  }

  /**
   * Builds a new sandbox. Starts the zygote host only at the second one, because the command line runs one command and
   * exits.
   */
  #build(
    deps: SandboxDeps,
    { plan, sandbox, stdin, merged }: SandboxRequest,
    network: ListedNetwork | null,
  ): BuiltSandbox {
    if (!this.#isFirst) void this.#helpers.zygoteHost()
    this.#isFirst = false
    const zygoteHost = this.#helpers.zygoteHostNow
    return new BuiltSandbox(deps, network?.plan(plan) ?? plan, sandbox, stdin, {
      networkOf: network?.pid ?? null,
      zygoteHost,
      merged,
    })
  }
}
