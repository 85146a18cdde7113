import { closeSync, writeSync } from 'node:fs'
import type { BubblewrapSandbox, Plan } from '../../../core/model/policy/plan.js'
import { BuiltSandbox } from '../lifecycle/built-sandbox.js'
import type { SandboxDeps } from '../lifecycle/sandbox-deps.js'
import type { ListedNetwork } from '../network/listed-network.js'
import { childrenOf } from '../process/process-tree.js'
import type { Channel } from '../streams/fifos.js'
import type { Cloner } from '../zygote/cloner.js'
import type { ZygoteHost } from '../zygote/zygote-host.js'
import { ArgumentMemory } from './argument-memory.js'
import { buildKey, canWait, poolKey, type SandboxRequest, shellOf, startOf } from './pool-key.js'
import { Templates } from './templates.js'
import { placeholder, requestText, scriptOf, waitingLines, waitingPlan, writeName } from './waiting-shell.js'

/** Longest request. It is written at once into an empty pipe, which holds a little more. */
const REQUEST_BYTES = 60_000
/** Number of settings for which warm sandboxes are kept. */
const MAX_SETTINGS = 2

interface Warm {
  readonly key: string
  readonly plan: Plan
  readonly built: BuiltSandbox
  readonly within: number | undefined
  readonly pipe: Channel
  readonly network: ListedNetwork | null
  readonly kind: 'cloned' | 'built'
  readonly start: string
  /** Settles once it waits or has died. */
  readonly ready: Promise<unknown>
  isWaiting: boolean
  /** Memory of its script. Null before it waits, and if that memory is not accessible. */
  script: ArgumentMemory | null
}

/** Warm sandbox whose command is on the way, and its network. */
interface Taken {
  readonly built: BuiltSandbox
  readonly network: ListedNetwork | null
}

/** Keeps single-use sandboxes, each with a bash that waits for one command. A request must match a sandbox exactly. */
export class WarmPool {
  readonly #deps: SandboxDeps
  readonly #zygoteHost: () => Promise<ZygoteHost | null>
  readonly #networkFor: (sandbox: BubblewrapSandbox) => Promise<ListedNetwork | null>
  readonly #size: number
  readonly #waiting: Warm[] = []
  readonly #ending = new Set<Promise<void>>()
  readonly #filling = new Set<Promise<void>>()
  /** Requests that need new sandboxes soon, one for each kind. */
  readonly #due = new Map<string, SandboxRequest>()
  readonly #templates: Templates
  #closed = false

  constructor(
    deps: SandboxDeps,
    zygoteHost: () => Promise<ZygoteHost | null>,
    networkFor: (sandbox: BubblewrapSandbox) => Promise<ListedNetwork | null>,
    size: number,
  ) {
    this.#deps = deps
    this.#zygoteHost = zygoteHost
    this.#networkFor = networkFor
    this.#size = size
    this.#templates = new Templates(deps)
  }

  /** Takes a waiting sandbox that matches the plan exactly, and sends the command. Returns null if there is none. */
  take(request: SandboxRequest): Taken | null {
    if (!this.#canWait(request)) return null
    const key = buildKey(request)
    const script = scriptOf(request.plan)
    const fitting = this.#waiting.filter(
      (warm) => warm.key === key && warm.built.isUp && isStartedFor(warm, request.plan),
    )
    const warm = fitting.find(({ script: memory }) => memory !== null) ?? fitting[0] ?? this.#cloneNow(request, key)
    if (warm === null) return null
    const { built, network } = warm
    const plan = network?.plan(request.plan) ?? request.plan
    const text = requestText({ from: warm.plan, to: plan, stdin: request.stdin })
    if (text === null || Buffer.byteLength(text) > REQUEST_BYTES) return null
    this.#forget(warm)
    const isSent = (): boolean => sendCommand(warm, script, text, request.stdin)
    if (warm.isWaiting || script === null) {
      if (isSent()) return { built, network }
      this.#destroy(warm)
      return null
    }
    // A shell that got its command early would start another shell for the script, which takes longer than this wait.
    built.whenWaiting(() => {
      if (!isSent()) built.abandon()
    })
    return { built, network }
  }

  /** Clones a sandbox for more simultaneous commands than are kept warm. Cloning is faster than building. */
  #cloneNow(request: SandboxRequest, key: string): Warm | null {
    const cloner = this.#templates.clonerNow({ key, start: startOf(request.plan) })
    return cloner === null ? null : this.#build(request, key, null, { zygoteHost: null, cloner })
  }

  /**
   * Prepares for the same request: soon builds the missing sandboxes, and closes those that were not requested lately.
   */
  refill(request: SandboxRequest): void {
    // A transaction has mounts of its own for each command.
    if (request.sandbox.within !== undefined || !this.#canWait(request)) return
    const like = poolKey(request)
    const isDue = this.#due.has(like)
    this.#due.set(like, request)
    if (isDue) return
    const filled = new Promise((resolve) => setImmediate(resolve))
      .then(() => this.#refill(this.#due.get(like) ?? request, like))
      .finally(() => this.#filling.delete(filled))
    this.#filling.add(filled)
  }

  /** Resolves once a sandbox for the request waits, with how it was made, or once none will wait. */
  async whenReady(request: SandboxRequest): Promise<'cloned' | 'built' | 'none'> {
    for (;;) {
      await Promise.all(this.#filling)
      const key = buildKey(request)
      const warm = this.#waiting.find((one) => one.key === key && isStartedFor(one, request.plan))
      if (warm === undefined) return 'none'
      await warm.ready
      if (warm.built.isUp && this.#waiting.includes(warm)) return warm.kind
    }
  }

  async #refill(request: SandboxRequest, like: string): Promise<void> {
    this.#due.delete(like)
    if (this.#closed) return
    const zygoteHost = await this.#zygoteHost()
    if (this.#closed) return
    const key = buildKey(request)
    const start = startOf(request.plan)
    const shared = this.#waiting.filter(({ within }) => within === undefined)
    const keys = [...new Set([key, ...shared.map((warm) => warm.key).reverse()])].slice(0, MAX_SETTINGS)
    for (const stale of shared.filter((warm) => !keys.includes(warm.key) || !warm.built.isUp)) this.#remove(stale)
    this.#templates.keep(keys)
    const cloner = await this.#templates.clonerFor({ key, start }, request, zygoteHost)
    const missing = (): number =>
      this.#size - this.#waiting.filter((warm) => warm.key === key && isStartedFor(warm, request.plan)).length
    for (const network of await this.#networks(request, missing())) {
      // A new sandbox shows the present files, which may differ from the key by now. A clone shows its template's.
      if (this.#closed || missing() <= 0 || (cloner === null && key !== buildKey(request))) network?.close()
      else this.#build(request, key, network, { zygoteHost, cloner })
    }
  }

  /**
   * Makes networks for several sandboxes if they need them. Skips failures: the command that needs one gets the error.
   */
  async #networks({ sandbox }: SandboxRequest, count: number): Promise<readonly (ListedNetwork | null)[]> {
    const sandboxes = Array.from({ length: Math.max(0, count) }, () => sandbox)
    if (typeof sandbox.network !== 'object') return sandboxes.map(() => null)
    const made = await Promise.allSettled(sandboxes.map(this.#networkFor))
    return made.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  }

  /** Builds one sandbox with mounts for the next command alone. */
  async prepare(request: SandboxRequest): Promise<void> {
    if (this.#closed || !this.#canWait(request)) return
    const zygoteHost = await this.#zygoteHost()
    if (this.#closed) return
    // An early lookup would be cached by the overlay file system, even that of a working directory.
    const plan: Plan = { ...request.plan, cwd: '/' }
    for (const network of await this.#networks(request, 1)) {
      if (this.#closed) network?.close()
      else this.#build({ ...request, plan }, buildKey(request), network, { zygoteHost, cloner: null })
    }
    const own = this.#waiting.filter(({ within }) => within !== undefined)
    for (const stale of own.slice(0, Math.max(0, own.length - MAX_SETTINGS * this.#size))) this.#remove(stale)
  }

  async close(): Promise<void> {
    this.#closed = true
    for (const warm of this.#waiting.splice(0)) this.#destroy(warm)
    await Promise.all(this.#filling)
    await Promise.all(this.#ending)
    await this.#templates.close()
  }

  #canWait(request: SandboxRequest): boolean {
    return this.#size > 0 && canWait(request)
  }

  #build(
    { plan: asked, sandbox }: SandboxRequest,
    key: string,
    network: ListedNetwork | null,
    { zygoteHost, cloner }: { readonly zygoteHost: ZygoteHost | null; readonly cloner: Cloner | null },
  ): Warm {
    const pipe = this.#deps.fifos.input()
    const shell = shellOf(asked)
    const text = placeholder(shell)
    const plan = waitingPlan(asked, sandbox.within === undefined ? asked.workspace : asked.cwd)
    const built = new BuiltSandbox(this.#deps, { ...plan, argv: [shell, '-c', text] }, sandbox, 'later', {
      requestFd: pipe.theirs,
      waiting: waitingLines(plan, shell),
      networkOf: network?.pid ?? null,
      zygoteHost,
      cloner,
    })
    built.hold(false)
    writeName(pipe.ours, built.name)
    const kind = cloner === null ? 'built' : 'cloned'
    const waits = new Promise<void>((resolve) => {
      built.whenWaiting((init) => {
        const [pid] = childrenOf(init)
        warm.script = pid === undefined ? null : ArgumentMemory.find(pid, text)
        warm.isWaiting = true
        if (kind === 'cloned') this.#templates.count(true)
        resolve()
      })
    })
    const ready = Promise.race([waits, built.over.catch(() => undefined)])
    const warm: Warm = {
      key,
      plan,
      built,
      within: sandbox.within,
      pipe,
      network,
      kind,
      ready,
      start: startOf(asked),
      isWaiting: false,
      script: null,
    }
    this.#waiting.push(warm)
    const over = (): void => {
      if (built.failure !== null) this.#templates.count(false)
      // A sandbox that died while it waited needs the same cleanup.
      if (this.#waiting.includes(warm)) this.#remove(warm)
      warm.script?.close()
      closeSync(pipe.ours)
      pipe.recycle()
    }
    built.over.then(over, over)
    return warm
  }

  #remove(warm: Warm): void {
    this.#forget(warm)
    this.#destroy(warm)
  }

  #destroy({ built, network }: Warm): void {
    const ended = built.destroy().finally(() => {
      network?.close()
      this.#ending.delete(ended)
    })
    this.#ending.add(ended)
  }

  #forget(warm: Warm): void {
    const index = this.#waiting.indexOf(warm)
    if (index !== -1) this.#waiting.splice(index, 1)
  }
}

/** Sends a command to a sandbox. Returns false if the sandbox has died unnoticed. */
function sendCommand(warm: Warm, script: string | null, text: string, stdin: SandboxRequest['stdin']): boolean {
  if (script !== null && warm.script !== null && !warm.script.replace(script)) return false
  try {
    if (typeof stdin === 'object' && 'text' in stdin) warm.built.provide(stdin.text)
    writeSync(warm.pipe.ours, `${Buffer.byteLength(text)}\n${text}`)
    return true
  } catch {
    return false
  }
}

/** Any waiting shell can start a program, because the program gets none of the shell's variables. */
const isStartedFor = (warm: Warm, plan: Plan): boolean => scriptOf(plan) === null || warm.start === startOf(plan)
