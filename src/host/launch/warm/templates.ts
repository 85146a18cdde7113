import { closeSync, statSync } from 'node:fs'
import type { Plan, ResourceLimits } from '../../../core/model/policy/plan.js'
import { BuiltSandbox } from '../lifecycle/built-sandbox.js'
import type { SandboxDeps } from '../lifecycle/sandbox-deps.js'
import { PRELUDE_PATH } from '../lifecycle/start-cold.js'
import { kernelFile } from '../process/read-kernel-file.js'
import type { Cloner } from '../zygote/cloner.js'
import type { ZygoteHost } from '../zygote/zygote-host.js'
import { type FreshMount, freshMounts } from './fresh-mounts.js'
import { buildKey, type SandboxRequest, shellOf } from './pool-key.js'
import { placeholder, waitingLines, waitingPlan, writeName } from './waiting-shell.js'

const UNLIMITED: ResourceLimits = {
  memoryBytes: null,
  processes: null,
  cpuSeconds: null,
  fileBytes: null,
  openFiles: null,
  diskBytes: null,
}
/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC. The pid namespace comes with the init. */
const NAMESPACES = 0x0e020000
const NEW_NETWORK = 0x40000000
/** Number of failures in a row after which cloning is given up on this host. */
const MAX_FAILURES = 4
const MAX_TEMPLATES = 4

/** Properties that make sandboxes alike: how they are built, and how their shell starts. */
interface Setting {
  readonly key: string
  readonly start: string
}

interface Template extends Setting {
  readonly cloner: Promise<Cloner | null>
  /** Result of `cloner`, once known. */
  made: Cloner | null
  /** Host mounts at the time of its build. Clones would not follow later changes. */
  readonly hostMounts: string
}

const hostMounts = (): string => kernelFile('/proc/self/mountinfo')

/** Sandboxes built by bubblewrap as templates for clones, one for each setting. */
export class Templates {
  readonly #deps: SandboxDeps
  /** Templates in build order. */
  readonly #templates: Template[] = []
  readonly #ending = new Set<Promise<void>>()
  #failures = 0

  constructor(deps: SandboxDeps) {
    this.#deps = deps
  }

  /** Returns a cloner for the setting. Returns null if its sandboxes must be built one by one. */
  async clonerFor(setting: Setting, request: SandboxRequest, zygoteHost: ZygoteHost | null): Promise<Cloner | null> {
    // Only its owner can join a network, and a sandbox with mounts for one command needs no clone.
    if (
      typeof request.sandbox.network === 'object' ||
      request.sandbox.within !== undefined ||
      this.#failures >= MAX_FAILURES
    )
      return null
    if (zygoteHost === null) return null
    const known = this.#find(setting)
    const mounts = hostMounts()
    const current = known?.hostMounts === mounts ? await known.cloner : null
    if (current?.isUp) return current
    if (this.#find(setting) !== known) return this.clonerFor(setting, request, zygoteHost)
    if (known !== undefined) this.#remove(known)
    const building = this.#build(zygoteHost, request)
    const cloner = this.#checked(building, setting.key, request)
    const template: Template = { ...setting, cloner, made: null, hostMounts: mounts }
    this.#templates.push(template)
    template.made = await cloner
    return template.made
  }

  /** Returns a ready cloner at once, or null. */
  clonerNow(setting: Setting): Cloner | null {
    const { made = null, hostMounts: mounts } = this.#find(setting) ?? {}
    return made?.isUp && this.#failures < MAX_FAILURES && mounts === hostMounts() ? made : null
  }

  /** Closes the templates with other keys. */
  keep(keys: readonly string[]): void {
    const stale = this.#templates.filter(({ key }) => !keys.includes(key))
    for (const template of [...stale, ...this.#templates.slice(0, -MAX_TEMPLATES)]) this.#remove(template)
  }

  /** Counts the result of one clone. */
  count(worked: boolean): void {
    this.#failures = worked ? 0 : this.#failures + 1
  }

  async close(): Promise<void> {
    this.keep([])
    await Promise.all(this.#ending)
  }

  #find({ key, start }: Setting): Template | undefined {
    return this.#templates.find((template) => template.key === key && template.start === start)
  }

  #remove(template: Template): void {
    const index = this.#templates.indexOf(template)
    if (index === -1) return
    this.#templates.splice(index, 1)
    const over = template.cloner
      .then((cloner) => {
        cloner?.close()
        return cloner?.over
      })
      .finally(() => this.#ending.delete(over))
    this.#ending.add(over)
  }

  /** Discards a cloner if the key has changed during its build. */
  async #checked(building: Promise<Cloner | null>, key: string, request: SandboxRequest): Promise<Cloner | null> {
    const cloner = await building
    if (cloner === null || key === buildKey(request)) return cloner
    cloner.close()
    const over = cloner.over.finally(() => this.#ending.delete(over))
    this.#ending.add(over)
    return null
  }

  async #build(zygoteHost: ZygoteHost, request: SandboxRequest): Promise<Cloner | null> {
    const shell = shellOf(request.plan)
    const plan = waitingPlan(request.plan, request.plan.workspace)
    const pipe = this.#deps.fifos.input()
    const argv = [shell, '-c', placeholder(shell)]
    const built = new BuiltSandbox(this.#deps, { ...plan, argv, limits: UNLIMITED }, request.sandbox, 'closed', {
      requestFd: pipe.theirs,
      waiting: waitingLines(plan, shell),
      zygoteHost,
      isTemplate: true,
    })
    built.hold(false)
    writeName(pipe.ours, built.name)
    const init = await new Promise<number | null>((resolve) => {
      built.whenWaiting(resolve)
      const over = (): void => resolve(null)
      built.over.then(over, over)
    })
    const setup = init === null ? null : setupOf({ ...plan, argv }, request, init, this.#deps.filters)
    const cloner = setup === null || init === null ? null : zygoteHost.clonerOf(init, setup, built.existing)
    const isUp = (await cloner?.ready) ?? false
    await built.destroy()
    closeSync(pipe.ours)
    pipe.recycle()
    if (!isUp) this.count(false)
    return isUp ? cloner : null
  }
}

const bytes = (text: string): string => Buffer.from(text).toString('latin1')
const counted = (words: readonly string[]): readonly string[] => [`${words.length}`, ...words]

/** Returns the setup that a zygote reads for its clones. Returns null if they could differ from their template. */
function setupOf(
  plan: Plan,
  { sandbox }: SandboxRequest,
  init: number,
  filters: SandboxDeps['filters'],
): Buffer | null {
  try {
    const fresh = freshMounts(sandbox.mounts, kernelFile(`/proc/${init}/mountinfo`))
    if (fresh === null) return null
    const hasOwnNetwork = sandbox.network !== 'full'
    const words = [
      bytes(plan.cwd),
      (hasOwnNetwork ? filters.own : filters.host).toString('hex'),
      `${hasOwnNetwork ? NAMESPACES | NEW_NETWORK : NAMESPACES}`,
      hasOwnNetwork ? '1' : '0',
      ...counted(plan.argv.map(bytes)),
      ...counted([...plan.env, ['BASH_ENV', PRELUDE_PATH]].map((pair) => bytes(pair.join('=')))),
      `${fresh.length}`,
      ...fresh.flatMap((mount) => mountWords(mount, init)),
    ]
    return Buffer.from(words.join('\0'), 'latin1')
  } catch {
    // The template was killed meanwhile.
    return null
  }
}

function mountWords({ type, at, flags, data, below }: FreshMount, init: number): readonly string[] {
  const isDirectory = (path: string): boolean =>
    statSync(Buffer.from(`/proc/${init}/root${at}/${path}`, 'latin1')).isDirectory()
  return [type, at, `${flags}`, data, ...counted(below.map((path) => (isDirectory(path) ? 'd' : 'f') + path))]
}
