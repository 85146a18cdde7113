import type { Descriptors } from './descriptors.js'
import { changesNothing, eitherLast, joinForks } from './join.js'
import { oneOf } from './one-of.js'
import type { Reading } from './reading.js'
import type { State } from './state.js'
import { Input, Sink } from './streams.js'

/** Exactly one of the branches runs, and it is not known which: each runs on its own, then what they did is joined. */
export function forkBranches(reading: Reading, state: State, branches: readonly ((state: State) => void)[]): void {
  const sinks = state.descriptors.sinks()
  reading.work.add(10 + branches.length * (4 + 8 * sinks.length + state.descriptors.size))
  const forks: State[] = []
  const written: ReadonlyMap<Sink, Sink>[] = []
  const inputs = branches.length > 1 ? state.descriptors.sharedInputs() : NO_INPUTS
  const read: ReadonlyMap<Input, Input>[] = []
  const kept: Descriptors[] = []
  const within = reading.branch
  reading.undecided++
  for (const branch of branches) {
    reading.branch = ++reading.branches
    const fork = state.fork()
    const own = new Map(sinks.map((sink) => [sink, new Sink()]))
    const copies = new Map(inputs.map((input) => [input, input.copy()]))
    if (sinks.length > 0 || inputs.length > 0) {
      fork.descriptors = redirectedTo(state.descriptors, own, copies)
      written.push(own)
      read.push(copies)
    }
    const { descriptors } = fork
    branch(fork)
    if (fork.descriptors !== descriptors) kept.push(fork.descriptors)
    fork.descriptors = state.descriptors
    forks.push(fork)
    reading.hasChoices ||= fork.changed.size > 0
  }
  reading.undecided--
  reading.branch = within
  joinForks(reading.work, state, forks)
  if (kept.length > 0) state.descriptors = joinDescriptors(state.descriptors, kept)
  for (const sink of sinks) sink.write(oneOf(written.map((map) => map.get(sink)?.text ?? '')))
  for (const input of inputs) input.leave(oneOf(read.map((map) => map.get(input)?.peek() ?? '')))
}

const NO_INPUTS: readonly Input[] = []

/** Something runs or does not. The same as two branches of which one does nothing, with less made for those that change nothing. */
export function forkMaybe(reading: Reading, state: State, branch: (state: State) => void): void {
  const { descriptors } = state
  if (descriptors.hasSink || descriptors.sharedInputs().length > 0) {
    forkBranches(reading, state, [branch, stay])
    return
  }
  reading.work.add(18 + 2 * descriptors.size)
  const fork = state.fork()
  const within = reading.branch
  reading.branch = ++reading.branches
  reading.undecided++
  branch(fork)
  reading.undecided--
  reading.branch = within
  const kept = fork.descriptors
  fork.descriptors = descriptors
  reading.hasChoices ||= fork.changed.size > 0
  if (changesNothing(fork, state)) state.last = eitherLast([fork, state])
  else joinForks(reading.work, state, [fork, state.fork()])
  if (kept !== descriptors) state.descriptors = joinDescriptors(descriptors, [kept])
}

/** `exec` in a branch: what is read from a descriptor is one of what the branches made it. */
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

const stay = (): void => {}

/** The same descriptors with other ends. */
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

/** Reads what bash would not reach, for its facts alone: an evaluation that was wrong must not hide a command. */
export function walkDead(reading: Reading, state: State, run: (state: State) => void): void {
  if (reading.dead > 4) return
  reading.work.add(10 + state.descriptors.size)
  const fork = state.fork()
  fork.descriptors = state.descriptors.map((d) => ({
    input: d.input ? d.input.copy() : null,
    sink: d.sink ? new Sink() : null,
  }))
  reading.dead++
  run(fork)
  reading.dead--
}
