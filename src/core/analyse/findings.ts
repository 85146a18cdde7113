import type { EnvFact, Facts, HostFact, Invocation, Opaque, PathFact, Shape } from '../model/facts.js'
import type { Span } from '../model/span.js'
import { Distinct } from './distinct.js'
import { TooMuch } from './text/work.js'

/** More facts than this of one kind say nothing more to anybody. */
const FACTS = 5_000
/** Beyond so many invocations it is no longer of use to tell which of them are certain. */
const SETTLED = 64

const NONE: readonly never[] = Object.freeze([])

/** Collects facts, each once. */
export class Findings {
  #invocations: Distinct<Invocation> | null = null
  #reads: Distinct<PathFact> | null = null
  #writes: Distinct<PathFact> | null = null
  #deletes: Distinct<PathFact> | null = null
  #hosts: Distinct<HostFact> | null = null
  #environment: Distinct<EnvFact> | null = null
  #opaque: Distinct<Opaque> | null = null
  #shapes: Shape[] | null = null
  /** Set by a program that may change what it does not name. */
  changesAnything = false
  #conditional = 0

  /** What is not listed must not look as if it were not there. */
  #add<T extends { readonly span: Span }>(facts: Distinct<T>, fact: T): boolean {
    if (facts.list.length >= FACTS) throw new TooMuch('it does more than the analyser lists')
    return facts.add(fact)
  }

  /** Says that the rest was not read. */
  giveUp(reason: string, span: Span): void {
    const spot: Opaque = { kind: 'unknown', reason, span }
    if (this.#opaque === null) this.#opaque = new Distinct(spot, sameSpot, opaqueKey)
    else this.#opaque.add(spot)
    this.shape('too-complex', span)
  }

  invocation(invocation: Invocation): void {
    if (this.#invocations === null) this.#invocations = new Distinct(invocation, sameInvocation, invocationKey)
    else if (!this.#add(this.#invocations, invocation)) {
      if (!invocation.conditional) this.#settle(this.#invocations.list, invocation)
      return
    }
    if (invocation.conditional) this.#conditional++
  }

  /** What was found to run under a condition runs without one too. */
  #settle(invocations: Invocation[], invocation: Invocation): void {
    if (this.#conditional === 0 || invocations.length > SETTLED) return
    const at = invocations.findIndex((other) => other.conditional && sameInvocation(other, invocation))
    if (at < 0) return
    invocations[at] = invocation
    this.#conditional--
  }

  get hasWrites(): boolean {
    return this.#writes !== null
  }

  /** Paths that are written, so many of them. */
  written(count: number): readonly string[] {
    return (this.#writes?.list ?? NONE).slice(0, count).map(({ path }) => path)
  }

  path(kind: 'reads' | 'writes' | 'deletes', fact: PathFact): void {
    if (kind === 'reads') this.#reads = this.#withPath(this.#reads, fact)
    else if (kind === 'writes') this.#writes = this.#withPath(this.#writes, fact)
    else this.#deletes = this.#withPath(this.#deletes, fact)
  }

  #withPath(facts: Distinct<PathFact> | null, fact: PathFact): Distinct<PathFact> {
    if (facts === null) return new Distinct(fact, samePath, pathKey)
    this.#add(facts, fact)
    return facts
  }

  host(fact: HostFact): void {
    if (this.#hosts === null) this.#hosts = new Distinct(fact, sameHost, hostKey)
    else this.#add(this.#hosts, fact)
  }

  variable(fact: EnvFact): void {
    if (this.#environment === null) this.#environment = new Distinct(fact, sameVariable, envKey)
    else this.#add(this.#environment, fact)
  }

  shape(kind: Shape['kind'], span: Span): void {
    this.#shapes ??= []
    if (!this.#shapes.some((shape) => shape.kind === kind)) this.#shapes.push({ kind, span })
  }

  spot(spot: Opaque): void {
    if (this.#opaque === null) this.#opaque = new Distinct(spot, sameSpot, opaqueKey)
    else this.#add(this.#opaque, spot)
  }

  get invocations(): readonly Invocation[] {
    return this.#invocations?.list ?? NONE
  }

  get environment(): readonly EnvFact[] {
    return this.#environment?.list ?? NONE
  }

  get opaque(): readonly Opaque[] {
    return this.#opaque?.list ?? NONE
  }

  facts(): Facts {
    const { opaque } = this
    return {
      invocations: this.invocations,
      reads: this.#reads?.list ?? NONE,
      writes: this.#writes?.list ?? NONE,
      deletes: this.#deletes?.list ?? NONE,
      hosts: this.#hosts?.list ?? NONE,
      environment: this.environment,
      shapes: this.#shapes ?? NONE,
      writesAnything:
        this.changesAnything ||
        this.#writes !== null ||
        this.#deletes !== null ||
        (opaque.length > 0 && opaque.some(({ inherent }) => !inherent)),
      opaque,
    }
  }
}

function sameInvocation(a: Invocation, b: Invocation): boolean {
  if (a.span[0] !== b.span[0] || a.argv.length !== b.argv.length || a.via.length !== b.via.length) return false
  for (let i = 0; i < a.argv.length; i++) {
    const arg = a.argv[i]
    if (arg !== b.argv[i] && (typeof arg !== 'object' || arg.glob !== globOf(b.argv[i]))) return false
  }
  for (let i = 0; i < a.via.length; i++) if (a.via[i] !== b.via[i]) return false
  return true
}

const globOf = (arg: Invocation['argv'][number] | undefined): string | null | undefined =>
  typeof arg === 'object' ? arg.glob : null
const samePath = (a: PathFact, b: PathFact): boolean =>
  a.span[0] === b.span[0] &&
  a.path === b.path &&
  a.by === b.by &&
  a.recursive === b.recursive &&
  a.partial === b.partial
const sameHost = (a: HostFact, b: HostFact): boolean =>
  a.span[0] === b.span[0] && a.host === b.host && a.port === b.port
const sameVariable = (a: EnvFact, b: EnvFact): boolean =>
  a.span[0] === b.span[0] && a.name === b.name && a.value === b.value
const sameSpot = (a: Opaque, b: Opaque): boolean =>
  a.span[0] === b.span[0] && a.kind === b.kind && a.reason === b.reason

/** Keys are compared at one place only, so they do not name it. */
const invocationKey = (fact: Invocation): string =>
  `${fact.via.join('\u0001')}\u0002${fact.argv.map((arg) => (typeof arg === 'string' ? arg : `\u0003${arg.glob ?? ''}`)).join('\u0001')}`
const pathKey = (fact: PathFact): string => `${fact.by} ${fact.recursive} ${fact.partial} ${fact.path}`
const hostKey = (fact: HostFact): string => `${fact.port} ${fact.host}`
const envKey = (fact: EnvFact): string => `${fact.name} ${fact.value}`
const opaqueKey = (spot: Opaque): string => `${spot.kind} ${spot.reason}`
