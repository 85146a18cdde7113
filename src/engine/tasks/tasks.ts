import type { Capture } from '../../core/capture/capture.js'
import { CordonError } from '../../core/model/basics/errors.js'
import type { Result } from '../../core/model/run/result.js'
import type { RunningProcess } from '../ports/ports.js'
import type { Task, TaskInfo } from './task.js'

/** The number of ended background tasks that stay readable. */
const REMEMBERED = 100

/** One request on its way: what the outside may see of it and do to it while it runs. */
export interface Run {
  readonly id: string
  readonly agent: string | null
  readonly command: string
  readonly startedAt: number
  readonly background: boolean
  readonly abort: AbortController
  state: TaskInfo['state']
  ended: TaskInfo['ended']
  capture: Capture | null
  process: RunningProcess | null
  /** Input written before the process existed. */
  early: (string | null)[]
  settled: Promise<unknown>
}

/** Every command that waits or runs, per agent, and the last background tasks that ended. */
export interface Tasks {
  add(run: Run): void
  /** `result`: null where nothing ran. */
  end(run: Run, at: number, result: Result | null): void
  list(agent?: string | null): readonly TaskInfo[]
  get(id: string): Task
  remember(task: Task): void
  /** `undefined`: of every agent. */
  live(agent?: string | null): readonly Run[]
}

const infoOf = (run: Run): TaskInfo => ({
  id: run.id,
  agent: run.agent,
  command: run.command,
  state: run.state,
  startedAt: run.startedAt,
  pid: run.process?.pid ?? null,
  background: run.background,
  ended: run.ended,
})

const isOver = ({ state }: Run): boolean => state === 'ended' || state === 'refused'

function endOf({ startedAt }: Run, at: number, result: Result | null): TaskInfo['ended'] {
  if (result === null) return { outcome: 'refused', exitCode: null, durationMs: Math.max(0, at - startedAt) }
  const { timedOut, cancelled, exitCode, durationMs } = result
  const outcome = timedOut ? 'timeout' : cancelled ? 'cancelled' : exitCode === 0 ? 'success' : 'error'
  return { outcome, exitCode, durationMs }
}

export function createTasks(): Tasks {
  const runs = new Map<string, Run>()
  const handles = new Map<string, Task>()
  return {
    add: (run) => void runs.set(run.id, run),
    end(run, at, result) {
      run.ended = endOf(run, at, result)
      run.state = result === null ? 'refused' : 'ended'
      run.process = null
      if (!run.background) {
        runs.delete(run.id)
        handles.delete(run.id)
      }
      const ended = [...runs.values()].filter(isOver)
      for (const old of ended.slice(0, Math.max(0, ended.length - REMEMBERED))) {
        runs.delete(old.id)
        handles.delete(old.id)
      }
    },
    list: (agent) => [...runs.values()].filter((run) => agent === undefined || run.agent === agent).map(infoOf),
    get(id) {
      const task = handles.get(id)
      if (!task) throw new CordonError('NOT_FOUND', `There is no task ${id}; \`tasks.list()\` shows those there are.`)
      return task
    },
    remember: (task) => void handles.set(task.id, task),
    live: (agent) => [...runs.values()].filter((run) => !isOver(run) && (agent === undefined || run.agent === agent)),
  }
}

/** The handle a caller holds on a background run. */
export function taskOf(run: Run, result: Promise<Result>): Task {
  const send = (text: string | null): void => {
    if (isOver(run)) throw new CordonError('INVALID_ARGUMENTS', `Task ${run.id} has ended and reads no more input.`)
    if (!run.process) run.early.push(text)
    else if (text === null) run.process.endInput()
    else run.process.write(text)
  }
  return {
    id: run.id,
    agent: run.agent,
    command: run.command,
    startedAt: run.startedAt,
    result,
    logs: (stream, offset) => run.capture?.read(stream, offset) ?? { text: '', next: offset, skippedBytes: 0 },
    input: (text) => send(text),
    endInput: () => send(null),
    stop() {
      run.abort.abort()
      return result
    },
  }
}
