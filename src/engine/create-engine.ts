import { lintRules } from '../core/decide/lint-rules.js'
import { CordonError } from '../core/model/errors.js'
import type { Result } from '../core/model/result.js'
import type { CommandInput, Engine, RunOptions, Status, Task } from './api.js'
import { check } from './check.js'
import type { Ports } from './ports.js'
import { createQueue } from './queue.js'
import { replay } from './replay.js'
import { run } from './run.js'
import type { RunContext } from './run-context.js'
import { recordedTransactions } from './settle.js'
import { mustSucceed, runMarkdown, sequence } from './several.js'
import { createTasks, type Run, taskOf } from './tasks.js'

/** Joins the stages to one object. All state of a running Cordon lives here: who runs, who waits, and whether it is closed. */
export function createEngine(ports: Ports): Engine {
  const context: RunContext = { ports, queue: createQueue(), tasks: createTasks() }
  const { tasks, queue } = context
  let closed: Promise<void> | null = null

  const begin = (command: unknown, options: unknown, background: boolean): { entry: Run; result: Promise<Result> } => {
    if (closed) throw new CordonError('INVALID_ARGUMENTS', 'This Cordon is closed; create a new one.')
    const entry = newRun(ports, command, options, background)
    const result = run(command, options, entry, context)
    entry.settled = result.catch(() => undefined)
    return { entry, result }
  }

  const runOne = async (command: CommandInput, options?: RunOptions): Promise<Result> =>
    begin(command, options, false).result

  const end = async (runs: readonly Run[]): Promise<number> => {
    for (const entry of runs) entry.abort.abort()
    await Promise.all(runs.map((entry) => entry.settled))
    return runs.length
  }

  return {
    run: runOne,
    check: (command, options) => check(command, options, ports),
    sequence: (commands, options) => sequence(runOne, commands, options),
    mustSucceed: (command, options) => mustSucceed(runOne, command, options),
    runMarkdown: (reply, options) => runMarkdown(runOne, reply, options),
    start(command, options): Task {
      const { entry, result } = begin(command, options, true)
      const task = taskOf(entry, result)
      // Who never looks at `result` must not crash the process with an unhandled rejection.
      result.catch(() => undefined)
      tasks.remember(task)
      return task
    },
    tasks: { list: (agent) => tasks.list(agent), get: (id) => tasks.get(id) },
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
    endAgent: (agent) => end(tasks.live(agent)),
    transactions: recordedTransactions(ports),
    approvals: {
      list: () => ports.approver.list(),
      answer: (id, verdict, note) => ports.approver.answer(id, verdict, note),
    },
    audit: { query: (query) => ports.audit.query(query ?? {}), verify: (options) => ports.audit.verify(options) },
    logs: (id, stream, from, to) => ports.outputs.read(id, stream, from, to),
    profiles: {
      list: () => ports.profiles.list(),
      get: (name, agent) => ports.profiles.profileFor(agent ?? null, name),
      lint: (name, agent) => lintRules(ports.profiles.profileFor(agent ?? null, name)),
      replay: (before, after, query) => replay(before, after, query ?? {}, ports),
    },
    close() {
      closed ??= (async () => {
        await end(tasks.live())
        await Promise.all([ports.launchers.bubblewrap.close(), ports.launchers.none.close()])
        await ports.transactions.close?.()
        ports.audit.close()
      })()
      return closed
    },
  }
}

function newRun(ports: Ports, command: unknown, options: unknown, background: boolean): Run {
  const agent: unknown = typeof options === 'object' && options !== null ? Reflect.get(options, 'agent') : null
  return {
    id: ports.newId(),
    agent: typeof agent === 'string' ? agent : null,
    command: typeof command === 'string' ? command : (JSON.stringify(command) ?? ''),
    startedAt: ports.now(),
    background,
    abort: new AbortController(),
    state: 'waiting',
    capture: null,
    process: null,
    early: [],
    settled: Promise.resolve(),
  }
}
