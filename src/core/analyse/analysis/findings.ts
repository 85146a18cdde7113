import { baseName } from '../../model/basics/path.js'
import type { Span } from '../../model/basics/span.js'
import type { EnvFact, Facts, HostFact, Invocation, Opaque, PathFact, Shape, Unknown } from '../../model/run/facts.js'
import type { Arg } from '../programs/grammar/roles.js'
import { OverBudget } from '../text/cost-meter.js'
import type { Budget } from './budget.js'
import type { Certainty } from './certainty.js'
import type { SourceLocation } from './source-location.js'

/** The maximum number of facts of one kind. */
const MAX_FACTS = 5_000

class FactList<T extends { readonly span: Span }> {
  readonly list: T[] = []
  readonly #keyOf: (fact: T) => string
  readonly #positions = new Map<string, number>()

  constructor(keyOf: (fact: T) => string) {
    this.#keyOf = keyOf
  }

  /** Adds a fact, or returns the index of an equal fact. Throws past the limit, so that no fact is lost silently. */
  add(fact: T, limit = MAX_FACTS): number | null {
    const key = `${fact.span[0]} ${this.#keyOf(fact)}`
    const position = this.#positions.get(key)
    if (position !== undefined) return position
    if (this.list.length >= limit) throw new OverBudget('it has more effects than the analyser lists')
    this.#positions.set(key, this.list.length)
    this.list.push(fact)
    return null
  }
}

const pathKey = ({ by, recursive, partial, path }: PathFact): string => `${by} ${recursive} ${partial} ${path}`

const invocationKey = ({ via, argv }: Invocation): string =>
  `${via.join('\u0001')}\u0002${argv.map((arg) => (typeof arg === 'string' ? arg : `\u0003${arg.glob ?? ''}`)).join('\u0001')}`

const NOT_KNOWN = { unknown: 'an unknown value' }
const argumentFact = (arg: Arg): Invocation['argv'][number] =>
  arg.text ?? (arg.prefix.startsWith('-') ? option(arg) : (arg.unknown ?? NOT_KNOWN))

const option = ({ unknown, prefix, maySplit }: Arg): Unknown => ({
  ...(unknown ?? NOT_KNOWN),
  prefix,
  ...(maySplit ? { maySplit } : {}),
})

/** The number of invocations whose argument lengths are not counted. They are bounded by the length of the script. */
const UNCOUNTED_INVOCATIONS = 20_000

function charsOf(args: readonly Arg[]): number {
  let chars = 0
  for (let i = 0; i < args.length; i++) chars += (args[i] as Arg).prefix.length
  return chars
}

/** Collects facts without duplicates. */
export class Findings {
  readonly #invocations = new FactList(invocationKey)
  readonly #paths = {
    reads: new FactList(pathKey),
    writes: new FactList(pathKey),
    deletes: new FactList(pathKey),
  }
  readonly #hosts = new FactList<HostFact>(({ host, port }) => `${port} ${host}`)
  readonly #environment = new FactList<EnvFact>(({ name, value }) => `${name} ${value}`)
  readonly #opaque = new FactList<Opaque>(({ kind, reason }) => `${kind} ${reason}`)
  readonly #shapes: Shape[] = []
  readonly #location: SourceLocation
  readonly #certainty: Certainty
  readonly #budget: Budget
  /** Set by a program that can change files outside its arguments. */
  changesAnything = false

  constructor(location: SourceLocation, certainty: Certainty, budget: Budget) {
    this.#location = location
    this.#certainty = certainty
    this.#budget = budget
  }

  /** Reports a failing expansion: bash skips the command and the rest of its line, and variables keep their values. */
  reportFailure(): void {
    if (!this.#certainty.isUnreachable)
      this.reportUnknown('an expansion fails, and bash skips the rest of the line', null)
  }

  reportUnknown(reason: string, span: Span | null): void {
    this.spot({ span: span ? this.#location.of(span) : this.#location.here, kind: 'unknown', reason })
  }

  reportForeign(reason: string, span: Span | null): void {
    this.spot({ span: span ? this.#location.of(span) : this.#location.here, kind: 'foreign', reason })
  }

  /** Adds a command with these arguments. `via` lists the programs that run it. */
  addInvocation({ via }: Pick<Invocation, 'via'>, args: readonly Arg[]): void {
    const first = args[0]
    if (!first) return
    const argv = args.map(argumentFact)
    this.#budget.add(args.length)
    if (this.#budget.done > UNCOUNTED_INVOCATIONS) this.#budget.add(charsOf(args) >> 2)
    const program = first.text === null ? null : baseName(first.text)
    const span = this.#location.here
    this.invocation(
      this.#certainty.isUnsure ? { program, argv, span, via, conditional: true } : { program, argv, span, via },
    )
  }

  /** Reports that the analysis stopped before the end. */
  giveUp(reason: string, span: Span): void {
    this.#opaque.add({ kind: 'unknown', reason, span }, Number.POSITIVE_INFINITY)
    this.shape('too-complex', span)
  }

  invocation(invocation: Invocation): void {
    const same = this.#invocations.add(invocation)
    // A command that runs under a condition and also without one is unconditional.
    if (same !== null && !invocation.conditional && this.invocations[same]?.conditional)
      this.#invocations.list[same] = invocation
  }

  get hasWrites(): boolean {
    return this.#paths.writes.list.length > 0
  }

  /** Tells whether an earlier program can have created this path, for example by cloning or unpacking. */
  mayHaveMade(path: string): boolean {
    if (this.changesAnything) return true
    return this.#paths.writes.list.some(
      (fact) => fact.partial || path === fact.path || path.startsWith(`${fact.path}/`),
    )
  }

  written(count: number): readonly string[] {
    return this.#paths.writes.list.slice(0, count).map(({ path }) => path)
  }

  path(kind: 'reads' | 'writes' | 'deletes', fact: PathFact): void {
    this.#paths[kind].add(fact)
  }

  host(fact: HostFact): void {
    this.#hosts.add(fact)
  }

  variable(fact: EnvFact): void {
    this.#environment.add(fact)
  }

  shape(kind: Shape['kind'], span: Span): void {
    if (!this.#shapes.some((shape) => shape.kind === kind)) this.#shapes.push({ kind, span })
  }

  spot(spot: Opaque): void {
    this.#opaque.add(spot)
  }

  /** Tells whether the shell runs code that the analysis cannot name. */
  get hasUnknown(): boolean {
    return this.#opaque.list.some(({ kind }) => kind === 'unknown')
  }

  get invocations(): readonly Invocation[] {
    return this.#invocations.list
  }

  get environment(): readonly EnvFact[] {
    return this.#environment.list
  }

  get opaque(): readonly Opaque[] {
    return this.#opaque.list
  }

  facts(): Facts {
    const { opaque } = this
    const { reads, writes, deletes } = this.#paths
    return {
      invocations: this.invocations,
      reads: reads.list,
      writes: writes.list,
      deletes: deletes.list,
      hosts: this.#hosts.list,
      environment: this.environment,
      shapes: this.#shapes,
      writesAnything:
        this.changesAnything ||
        writes.list.length > 0 ||
        deletes.list.length > 0 ||
        opaque.some(({ inherent }) => !inherent),
      opaque,
    }
  }
}
