import type { EnvFact, Facts, HostFact, Invocation, Opaque, PathFact, Shape } from '../model/facts.js'
import type { Span } from '../model/span.js'

/** More facts than this of one kind say nothing more to anybody. */
const FACTS = 5_000
/** Beyond so many invocations it is no longer of use to tell which of them are certain. */
const SETTLED = 64

/** Collects facts, each once. */
export class Findings {
  readonly invocations: Invocation[] = []
  readonly reads: PathFact[] = []
  readonly writes: PathFact[] = []
  readonly deletes: PathFact[] = []
  readonly hosts: HostFact[] = []
  readonly environment: EnvFact[] = []
  readonly shapes: Shape[] = []
  readonly opaque: Opaque[] = []
  /** Set by a program that may change what it does not name. */
  changesAnything = false
  #seen: Set<string> | null = null
  #conditional = 0

  /** Short lists are compared one by one, long ones by an index: most scripts have a handful of facts. */
  #isNew<T>(list: readonly T[], fact: T, same: (a: T, b: T) => boolean, key: (fact: T) => string): boolean {
    if (list.length < 8) {
      for (const other of list) if (same(other, fact)) return false
      return true
    }
    this.#seen ??= this.#index()
    const text = key(fact)
    if (this.#seen.has(text) || list.length >= FACTS) return false
    this.#seen.add(text)
    return true
  }

  #index(): Set<string> {
    const keys = new Set<string>()
    for (const invocation of this.invocations) keys.add(invocationKey(invocation))
    for (const kind of ['reads', 'writes', 'deletes'] as const)
      for (const fact of this[kind]) keys.add(pathKey(kind, fact))
    for (const fact of this.hosts) keys.add(hostKey(fact))
    for (const fact of this.environment) keys.add(envKey(fact))
    for (const spot of this.opaque) keys.add(opaqueKey(spot))
    return keys
  }

  invocation(invocation: Invocation): void {
    if (this.#isNew(this.invocations, invocation, sameInvocation, invocationKey)) this.#add(invocation)
    else if (!invocation.conditional) this.#settle(invocation)
  }

  #add(invocation: Invocation): void {
    this.invocations.push(invocation)
    if (invocation.conditional) this.#conditional++
  }

  /** What was found to run under a condition runs without one too. */
  #settle(invocation: Invocation): void {
    if (this.#conditional === 0 || this.invocations.length > SETTLED) return
    const at = this.invocations.findIndex((other) => other.conditional && sameInvocation(other, invocation))
    if (at < 0) return
    this.invocations[at] = invocation
    this.#conditional--
  }

  path(kind: 'reads' | 'writes' | 'deletes', fact: PathFact): void {
    if (this.#isNew(this[kind], fact, samePath, PATH_KEYS[kind])) this[kind].push(fact)
  }

  host(fact: HostFact): void {
    if (this.#isNew(this.hosts, fact, sameHost, hostKey)) this.hosts.push(fact)
  }

  variable(fact: EnvFact): void {
    if (this.#isNew(this.environment, fact, sameVariable, envKey)) this.environment.push(fact)
  }

  shape(kind: Shape['kind'], span: Span): void {
    if (!this.shapes.some((shape) => shape.kind === kind)) this.shapes.push({ kind, span })
  }

  spot(spot: Opaque): void {
    if (this.#isNew(this.opaque, spot, sameSpot, opaqueKey)) this.opaque.push(spot)
  }

  facts(): Facts {
    return {
      invocations: this.invocations,
      reads: this.reads,
      writes: this.writes,
      deletes: this.deletes,
      hosts: this.hosts,
      environment: this.environment,
      shapes: this.shapes,
      writesAnything:
        this.changesAnything ||
        this.writes.length > 0 ||
        this.deletes.length > 0 ||
        this.opaque.some(({ inherent }) => !inherent),
      opaque: this.opaque,
    }
  }
}

const sameInvocation = (a: Invocation, b: Invocation): boolean =>
  a.span[0] === b.span[0] &&
  a.argv.length === b.argv.length &&
  a.via.length === b.via.length &&
  a.argv.every((arg, i) => arg === b.argv[i] || (typeof arg === 'object' && arg.glob === globOf(b.argv[i]))) &&
  a.via.every((step, i) => step === b.via[i])
const globOf = (arg: Invocation['argv'][number] | undefined): string | null | undefined =>
  typeof arg === 'object' ? arg.glob : null
const samePath = (a: PathFact, b: PathFact): boolean =>
  a.path === b.path &&
  a.span[0] === b.span[0] &&
  a.by === b.by &&
  a.recursive === b.recursive &&
  a.partial === b.partial
const sameHost = (a: HostFact, b: HostFact): boolean =>
  a.host === b.host && a.port === b.port && a.span[0] === b.span[0]
const sameVariable = (a: EnvFact, b: EnvFact): boolean =>
  a.name === b.name && a.value === b.value && a.span[0] === b.span[0]
const sameSpot = (a: Opaque, b: Opaque): boolean =>
  a.kind === b.kind && a.reason === b.reason && a.span[0] === b.span[0]

const invocationKey = (fact: Invocation): string =>
  `run ${fact.span[0]} ${fact.via.join('\u0001')}\u0002${fact.argv.map((arg) => (typeof arg === 'string' ? arg : `\u0003${arg.glob ?? ''}`)).join('\u0001')}`
const pathKey = (kind: string, fact: PathFact): string =>
  `${kind} ${fact.span[0]} ${fact.by} ${fact.recursive} ${fact.partial} ${fact.path}`
const PATH_KEYS = {
  reads: (fact: PathFact): string => pathKey('reads', fact),
  writes: (fact: PathFact): string => pathKey('writes', fact),
  deletes: (fact: PathFact): string => pathKey('deletes', fact),
} as const
const hostKey = (fact: HostFact): string => `host ${fact.span[0]} ${fact.port} ${fact.host}`
const envKey = (fact: EnvFact): string => `env ${fact.span[0]} ${fact.name} ${fact.value}`
const opaqueKey = (spot: Opaque): string => `${spot.kind} ${spot.span[0]} ${spot.reason}`
