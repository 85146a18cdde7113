import type { EnvFact, Facts, HostFact, Invocation, Opaque, PathFact, Shape } from '../model/facts.js'
import type { Span } from '../model/span.js'

/** More facts than this of one kind say nothing more to anybody. */
const FACTS = 5_000

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

  /** Small lists are searched, large ones get an index: most scripts have a handful of facts. */
  #isNew(list: readonly unknown[], key: () => string): boolean {
    if (list.length === 0) return true
    this.#seen ??= this.#index()
    const text = key()
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
    for (const shape of this.shapes) keys.add(`shape ${shape.kind}`)
    for (const spot of this.opaque) keys.add(opaqueKey(spot))
    return keys
  }

  invocation(invocation: Invocation): void {
    if (this.#isNew(this.invocations, () => invocationKey(invocation))) this.invocations.push(invocation)
  }

  path(kind: 'reads' | 'writes' | 'deletes', fact: PathFact): void {
    if (this.#isNew(this[kind], () => pathKey(kind, fact))) this[kind].push(fact)
  }

  host(fact: HostFact): void {
    if (this.#isNew(this.hosts, () => hostKey(fact))) this.hosts.push(fact)
  }

  variable(fact: EnvFact): void {
    if (this.#isNew(this.environment, () => envKey(fact))) this.environment.push(fact)
  }

  shape(kind: Shape['kind'], span: Span): void {
    if (this.#isNew(this.shapes, () => `shape ${kind}`)) this.shapes.push({ kind, span })
  }

  spot(spot: Opaque): void {
    if (this.#isNew(this.opaque, () => opaqueKey(spot))) this.opaque.push(spot)
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
        this.changesAnything || this.writes.length > 0 || this.deletes.length > 0 || this.opaque.length > 0,
      opaque: this.opaque,
    }
  }
}

const invocationKey = (fact: Invocation): string =>
  `run ${fact.span[0]} ${fact.via.join('\u0001')}\u0002${fact.argv.map((arg) => (typeof arg === 'string' ? arg : `\u0003${arg.glob ?? ''}`)).join('\u0001')}`
const pathKey = (kind: string, fact: PathFact): string =>
  `${kind} ${fact.span[0]} ${fact.by} ${fact.recursive} ${fact.partial} ${fact.path}`
const hostKey = (fact: HostFact): string => `host ${fact.span[0]} ${fact.port} ${fact.host}`
const envKey = (fact: EnvFact): string => `env ${fact.span[0]} ${fact.name} ${fact.value}`
const opaqueKey = (spot: Opaque): string => `${spot.kind} ${spot.span[0]} ${spot.reason}`
