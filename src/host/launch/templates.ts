import { closeSync, statSync } from 'node:fs'
import type { Plan, ResourceLimits } from '../../core/model/plan.js'
import { BuiltWall } from './built-wall.js'
import { PRELUDE_PATH } from './cold-wall.js'
import type { Copies } from './copies.js'
import { type FreshMount, freshMounts } from './fresh-mounts.js'
import { kernelFile } from './kernel-file.js'
import type { Nursery } from './nursery.js'
import { placeholder, tellName, waitingLines, waitingPlan } from './waiting-shell.js'
import { keyOf, shellOf, type Wanted } from './wall-fit.js'
import type { Workshop } from './workshop.js'

const UNLIMITED: ResourceLimits = {
  memoryBytes: null,
  processes: null,
  cpuSeconds: null,
  fileBytes: null,
  openFiles: null,
  diskBytes: null,
}
/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC. The pid namespace is made when the init is. */
const NAMESPACES = 0x0e020000
const NEW_NETWORK = 0x40000000
/** After so many in a row that came to nothing, there is something about this host that copies cannot do. */
const MAX_FAILURES = 4
const MAX_TEMPLATES = 4

/** What decides whether a wall is like another: how it is built, and what its shell is started as. */
interface Setting {
  readonly key: string
  readonly start: string
}

interface Template extends Setting {
  readonly copies: Promise<Copies | null>
  /** The same, once they can be made. */
  made: Copies | null
  /** The host's mounts when it was built: what is mounted or unmounted later, its copies would not follow. */
  readonly hostMounts: string
}

const hostMounts = (): string => kernelFile('/proc/self/mountinfo')

/** Walls built by bubblewrap so that others can be copied from them, one for each setting. */
export class Templates {
  readonly #shop: Workshop
  /** In the order they were built. */
  readonly #templates: Template[] = []
  readonly #ending = new Set<Promise<void>>()
  #failures = 0

  constructor(shop: Workshop) {
    this.#shop = shop
  }

  /** Who makes copies for this setting; null where walls have to be built one by one. */
  async copiesFor(setting: Setting, wanted: Wanted, nursery: Nursery | null): Promise<Copies | null> {
    // Nobody but its owner can join a network, and what is mounted for one command alone need not be copied.
    if (typeof wanted.wall.network === 'object' || wanted.wall.within !== undefined || this.#failures >= MAX_FAILURES)
      return null
    if (nursery === null) return null
    const known = this.#find(setting)
    const mounts = hostMounts()
    const kept = known?.hostMounts === mounts ? await known.copies : null
    if (kept?.isUp) return kept
    if (this.#find(setting) !== known) return this.copiesFor(setting, wanted, nursery)
    if (known !== undefined) this.#letGo(known)
    const building = this.#build(nursery, wanted)
    const copies = this.#checked(building, setting.key, wanted)
    const template: Template = { ...setting, copies, made: null, hostMounts: mounts }
    this.#templates.push(template)
    template.made = await copies
    return template.made
  }

  /** The same at once; null where that takes a template to be built first. */
  copiesNow(setting: Setting): Copies | null {
    const { made = null, hostMounts: mounts } = this.#find(setting) ?? {}
    return made?.isUp && this.#failures < MAX_FAILURES && mounts === hostMounts() ? made : null
  }

  /** Lets go of all others. */
  keep(keys: readonly string[]): void {
    const stale = this.#templates.filter(({ key }) => !keys.includes(key))
    for (const template of [...stale, ...this.#templates.slice(0, -MAX_TEMPLATES)]) this.#letGo(template)
  }

  /** Told of every copy how it went. */
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

  #letGo(template: Template): void {
    const index = this.#templates.indexOf(template)
    if (index === -1) return
    this.#templates.splice(index, 1)
    const over = template.copies
      .then((copies) => {
        copies?.close()
        return copies?.over
      })
      .finally(() => this.#ending.delete(over))
    this.#ending.add(over)
  }

  /** What was built is what the key says only if that has not changed meanwhile. */
  async #checked(building: Promise<Copies | null>, key: string, wanted: Wanted): Promise<Copies | null> {
    const copies = await building
    if (copies === null || key === keyOf(wanted)) return copies
    copies.close()
    const over = copies.over.finally(() => this.#ending.delete(over))
    this.#ending.add(over)
    return null
  }

  async #build(nursery: Nursery, wanted: Wanted): Promise<Copies | null> {
    const shell = shellOf(wanted.plan)
    const plan = waitingPlan(wanted.plan, wanted.plan.workspace)
    const request = this.#shop.fifos.input()
    const argv = [shell, '-c', placeholder(shell)]
    const built = new BuiltWall(this.#shop, { ...plan, argv, limits: UNLIMITED }, wanted.wall, 'closed', {
      request: request.theirs,
      waiting: waitingLines(plan, shell),
      nursery,
      isTemplate: true,
    })
    built.hold(false)
    tellName(request.ours, built.name)
    const init = await new Promise<number | null>((resolve) => {
      built.whenWaiting(resolve)
      const over = (): void => resolve(null)
      built.over.then(over, over)
    })
    const setup = init === null ? null : setupOf({ ...plan, argv }, wanted, init, this.#shop.filters)
    const copies = setup === null || init === null ? null : nursery.copiesOf(init, setup, built.existing)
    const isUp = (await copies?.ready) ?? false
    await built.demolish()
    closeSync(request.ours)
    request.recycle()
    if (!isUp) this.count(false)
    return isUp ? copies : null
  }
}

const bytes = (text: string): string => Buffer.from(text).toString('latin1')
const counted = (words: readonly string[]): readonly string[] => [`${words.length}`, ...words]

/** What a nurse is told of the walls it is to make; null where they could not be like their template. */
function setupOf(plan: Plan, { wall }: Wanted, init: number, filters: Workshop['filters']): Buffer | null {
  try {
    const fresh = freshMounts(wall.mounts, kernelFile(`/proc/${init}/mountinfo`))
    if (fresh === null) return null
    const hasOwnNetwork = wall.network !== 'full'
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
    // It has been killed meanwhile.
    return null
  }
}

function mountWords({ type, at, flags, data, below }: FreshMount, init: number): readonly string[] {
  const isDirectory = (path: string): boolean =>
    statSync(Buffer.from(`/proc/${init}/root${at}/${path}`, 'latin1')).isDirectory()
  return [type, at, `${flags}`, data, ...counted(below.map((path) => (isDirectory(path) ? 'd' : 'f') + path))]
}
