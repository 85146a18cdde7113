import type { Descriptors } from '../state/descriptors.js'
import { changesNothing, eitherLast, joinForks } from '../state/join-forks.js'
import type { State } from '../state/state.js'
import { Input, Sink } from '../state/streams.js'
import { oneOf } from '../values/one-of.js'
import type { Analysis } from './analysis.js'

/** Analyses alternative branches of an unknown condition. Each runs on its own fork; then the states are joined. */
export function forkBranches(analysis: Analysis, state: State, branches: readonly ((state: State) => void)[]): void {
  const sinks = state.descriptors.sinks()
  analysis.budget.add(10 + branches.length * (4 + 8 * sinks.length + state.descriptors.size))
  const forks: State[] = []
  const written: ReadonlyMap<Sink, Sink>[] = []
  const inputs = branches.length > 1 ? state.descriptors.sharedInputs() : NO_INPUTS
  const read: ReadonlyMap<Input, Input>[] = []
  const kept: Descriptors[] = []
  for (const branch of branches) {
    const fork = state.fork()
    const own = new Map(sinks.map((sink) => [sink, new Sink()]))
    const copies = new Map(inputs.map((input) => [input, input.copy()]))
    if (sinks.length > 0 || inputs.length > 0) {
      fork.descriptors = redirectedTo(state.descriptors, own, copies)
      written.push(own)
      read.push(copies)
    }
    const { descriptors } = fork
    analysis.certainty.inBranch(() => branch(fork))
    if (fork.descriptors !== descriptors) kept.push(fork.descriptors)
    fork.descriptors = state.descriptors
    forks.push(fork)
  }
  joinForks(analysis.budget, state, forks)
  if (kept.length > 0) state.descriptors = joinDescriptors(state.descriptors, kept)
  for (const sink of sinks) sink.write(oneOf(written.map((map) => map.get(sink)?.text ?? '')))
  for (const input of inputs) input.replaceRest(oneOf(read.map((map) => map.get(input)?.peek() ?? '')))
}

const NO_INPUTS: readonly Input[] = []

/** Analyses code that may or may not run. Equals two branches of which one is empty, but does less work. */
export function forkMaybe(analysis: Analysis, state: State, branch: (state: State) => void): void {
  const { descriptors } = state
  if (descriptors.hasSink || descriptors.sharedInputs().length > 0) {
    forkBranches(analysis, state, [branch, keepInputs])
    return
  }
  analysis.budget.add(18 + 2 * descriptors.size)
  const fork = state.fork()
  analysis.certainty.inBranch(() => branch(fork))
  const kept = fork.descriptors
  fork.descriptors = descriptors
  if (changesNothing(fork, state)) state.lastArg = eitherLast([fork, state])
  else joinForks(analysis.budget, state, [fork, state.fork()])
  if (kept !== descriptors) state.descriptors = joinDescriptors(descriptors, [kept])
}

/** Joins the descriptors after branches with `exec`: an input is one of the inputs of the branches. */
function joinDescriptors(before: Descriptors, branches: readonly Descriptors[]): Descriptors {
  let joined = before
  for (const fd of new Set(branches.flatMap((one) => [...one.numbers()]))) {
    const ends = branches.map((one) => one.get(fd)).filter((end) => end !== undefined && end !== before.get(fd))
    const inputs = ends.flatMap((end) => (end?.input ? [end.input.peek()] : []))
    const sink = ends.find((end) => end?.sink)?.sink ?? null
    if (ends.length > 0) joined = joined.with(fd, { input: inputs.length > 0 ? new Input(oneOf(inputs)) : null, sink })
  }
  return joined
}

const keepInputs = (): void => {}

/** Returns the same descriptors with other sinks. */
export function redirectedTo(
  descriptors: Descriptors,
  sinks: ReadonlyMap<Sink, Sink>,
  inputs: ReadonlyMap<Input, Input>,
): Descriptors {
  return descriptors.map((d) =>
    d.sink || d.input
      ? {
          input: d.input ? (inputs.get(d.input) ?? d.input) : null,
          sink: d.sink ? (sinks.get(d.sink) ?? d.sink) : null,
        }
      : d,
  )
}

/** Analyses code that bash does not reach. It protects against a wrong evaluation that would hide a command. */
export function analyseUnreachable(analysis: Analysis, state: State, run: (state: State) => void): void {
  if (analysis.certainty.deadCodeDepth > 4) return
  analysis.budget.add(10 + state.descriptors.size)
  const fork = state.fork()
  fork.descriptors = state.descriptors.map((d) => ({
    input: d.input ? d.input.copy() : null,
    sink: d.sink ? new Sink() : null,
  }))
  analysis.certainty.unreachable(() => run(fork))
}
