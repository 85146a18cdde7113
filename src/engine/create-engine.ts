import { lintRules } from '../core/decide/authoring/lint.js'
import { checkValue } from '../core/model/basics/check-value.js'
import { CordonError } from '../core/model/basics/errors.js'
import type { Result } from '../core/model/run/result.js'
import { AgentName } from '../core/model/run/run-input.js'
import type { CommandInput, Engine, RunOptions, Status, Task } from './api.js'
import { authorize } from './authorize.js'
import { authorizeFiles } from './authorize-files.js'
import { check } from './check.js'
import { asCordonError } from './errors/as-cordon-error.js'
import { type EngineContext, runRequest } from './pipeline.js'
import type { Ports } from './ports/ports.js'
import { recordCall } from './record-call.js'
import { recordedTransactions } from './recorded-transactions.js'
import { replay } from './replay.js'
import { mustSucceed, sequence } from './run-many.js'
import { runMarkdown } from './run-markdown.js'
import { askedRequest, shownText } from './stages/asked-request.js'
import type { AskedRequest, RawRequest } from './stages/nouns.js'
import { createStickyVariables } from './sticky-variables.js'
import { createQueue } from './tasks/queue.js'
import { createTasks, type Run, taskOf } from './tasks/tasks.js'

/**
 * Joins the stages to one object. All state of a running Cordon lives here: who runs, who waits, and whether it is
 * closed.
 */
export function createEngine(ports: Ports): Engine {
  const context: EngineContext = { ports, queue: createQueue(), tasks: createTasks() }
  const { tasks, queue } = context
  const sticky = createStickyVariables()
  const rawOf = (input: unknown, options: unknown): RawRequest => ({ input, options: sticky.applied(options) })
  let closed: Promise<void> | null = null

  const begin = (raw: RawRequest, background: boolean): { id: string; result: Promise<Result> } => {
    if (closed) throw new CordonError('INVALID_ARGUMENTS', 'This Cordon is closed; create a new one.')
    const asked = askedRequest(raw, { id: ports.newId(), at: ports.now(), isOpen: background })
    const run = newRun(asked, raw.input)
    const result = runRequest(raw, asked, run, context)
    run.settled = result.catch(() => undefined)
    tasks.remember(taskOf(run, result))
    return { id: run.id, result }
  }

  const runOne = async (command: CommandInput, options?: RunOptions): Promise<Result> =>
    begin(rawOf(command, options), false).result

  const end = async (runs: readonly Run[]): Promise<number> => {
    for (const run of runs) run.abort.abort()
    await Promise.all(runs.map((run) => run.settled))
    return runs.length
  }

  return {
    run: runOne,
    check: (command, options) => check(rawOf(command, options), ports),
    authorize: async (command, options) => authorize(command, options ?? {}, ports),
    authorizeFiles: (paths, options) => authorizeFiles(paths, options ?? {}, ports),
    sequence: (commands, options) => sequence(runOne, commands, options),
    mustSucceed: (command, options) => mustSucceed(runOne, command, options),
    runMarkdown: (reply, options) =>
      runMarkdown({ run: runOne, check: (command, own) => check(rawOf(command, own), ports) }, reply, options),
    start(command, options): Task {
      return tasks.get(begin(rawOf(command, options), true).id)
    },
    tasks: {
      list: (agent) => tasks.list(agent === undefined ? undefined : checkValue(AgentName, agent, 'agent')),
      get: (id) => tasks.get(id),
    },
    status: (): Status => {
      const agents = queue.counts()
      const sum = (pick: (line: (typeof agents)[number]) => number): number =>
        agents.reduce((n, line) => n + pick(line), 0)
      return {
        running: sum((l) => l.running),
        waiting: sum((l) => l.waiting),
        agents,
        sandbox: ports.launchers.bubblewrap.probe(),
      }
    },
    async endAgent(agent) {
      checkValue(AgentName, agent, 'agent')
      return end(tasks.live(agent))
    },
    recordCall: (call, act) => recordCall(call, act, ports),
    env: { set: (variables) => sticky.set(variables), get: () => sticky.get(), clear: () => sticky.clear() },
    transactions: recordedTransactions(ports),
    approvals: {
      list: () => ports.approver.list(),
      answer: (id, verdict, note) => ports.approver.answer(id, verdict, note),
    },
    audit: {
      query: (query) => ports.audit.query(query ?? {}),
      records: (query) => ports.audit.records(query ?? {}),
      verify: (options) => ports.audit.verify(options),
    },
    logs: (id, stream, from, to) => ports.outputs.read(id, stream, from, to),
    profiles: {
      list: () => ports.profiles.list(),
      get: (name, agent) => ports.profiles.profileFor(agent ?? null, name),
      lint: (name, agent) => lintRules(ports.profiles.profileFor(agent ?? null, name)),
      replay: (before, after, query) => replay(before, after, query ?? {}, ports),
    },
    close() {
      closed ??= (async () => {
        const { bubblewrap, none } = ports.launchers
        const failures = [
          ...(await attempt(() => end(tasks.live()))),
          ...(await attempt(() => Promise.all([bubblewrap.close(), none.close()]))),
          ...(await attempt(() => ports.transactions.close?.())),
          ...(await attempt(() => ports.audit.close())),
        ]
        if (failures[0] !== undefined) throw asCordonError(failures[0])
      })()
      return closed
    },
  }
}

/** Returns what an action failed with, so that the next one is done in any case. */
async function attempt(act: () => unknown): Promise<readonly unknown[]> {
  try {
    await act()
    return []
  } catch (thrown) {
    return [thrown]
  }
}

function newRun({ id, at, agent, isOpen }: AskedRequest, input: unknown): Run {
  return {
    id,
    agent,
    command: shownText(input),
    startedAt: at,
    background: isOpen,
    abort: new AbortController(),
    state: 'waiting',
    ended: null,
    capture: null,
    process: null,
    early: [],
    settled: Promise.resolve(),
  }
}
