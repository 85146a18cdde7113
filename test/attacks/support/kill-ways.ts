import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Cordon, CordonOptions } from '../../../src/node.js'

/** Library of a campaign, imported here, and as files for engines in their own processes. */
export interface Weapons {
  readonly createCordon: (options: CordonOptions) => Promise<Cordon>
  readonly library: string
  readonly binary: string
}

export interface Target {
  readonly script: string
  /** Stands in the script, to identify its processes. */
  readonly seconds: string
  readonly profile: string
  readonly warm: number
  /** Delay from the start of the command to the kill. */
  readonly delayMs: number
  readonly options: CordonOptions & { readonly env: Record<string, string> }
  /** Shared engine for commands that are killed one by one. */
  readonly cordon: Cordon
}

/** Kills one command, or its engine with it. Settles after its end, with the pids of started engines. */
type Way = (target: Target, weapons: Weapons) => Promise<readonly number[]>

/** Accepts every result: a kill may come before, during or after the command. */
const whatever = async (run: Promise<unknown>): Promise<readonly number[]> => {
  await run.catch(() => undefined)
  return []
}

const ENGINE = `
const { createCordon } = await import(process.argv[1])
const { options, script, profile } = JSON.parse(process.argv[2])
const cordon = await createCordon(options)
if (options.warm > 0) await cordon.run('true', { profile })
process.stdout.write('ready\\n')
await Promise.all([1, 2].map(() => cordon.run(script, { profile }).catch(() => undefined)))
await cordon.close()
`

async function killed(child: ChildProcess, over: Promise<unknown>, signal: NodeJS.Signals): Promise<readonly number[]> {
  child.kill(signal)
  await over
  return child.pid === undefined ? [] : [child.pid]
}

const library =
  (signal: NodeJS.Signals): Way =>
  async ({ options, script, profile, warm, delayMs }, weapons) => {
    const words = JSON.stringify({ options: { ...options, warm }, script, profile })
    const child = spawn(process.execPath, ['--input-type=module', '-e', ENGINE, weapons.library, words], {
      env: options.env,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const over = once(child, 'close')
    await Promise.race([once(child.stdout, 'data'), over])
    child.stdout.resume()
    await sleep(delayMs)
    return killed(child, over, signal)
  }

/** Time from the start of its process, which includes reading its own code. */
const STARTUP_MS = 80

const commandLine =
  (signal: NodeJS.Signals): Way =>
  async ({ options, script, profile, delayMs }, { binary }) => {
    const child = spawn(process.execPath, [binary, 'run', '--profile', profile, '--', script], {
      cwd: options.workspace,
      env: options.env,
      stdio: 'ignore',
    })
    const over = once(child, 'close')
    await sleep(STARTUP_MS + delayMs * 3)
    return killed(child, over, signal)
  }

export const WAYS: Readonly<Record<string, Way>> = {
  signal: ({ cordon, script, profile, delayMs }) =>
    whatever(cordon.run(script, { profile, signal: AbortSignal.timeout(delayMs) })),
  timeout: ({ cordon, script, profile }) => whatever(cordon.run(script, { profile, timeoutMs: 1_000 })),
  'end of the agent': async ({ cordon, script, profile, delayMs }) => {
    const agent = `agent-${Math.random()}`
    const run = whatever(cordon.run(script, { profile, agent }))
    await sleep(delayMs)
    await cordon.endAgent(agent)
    return run
  },
  stop: async ({ cordon, script, profile, delayMs }) => {
    const task = cordon.start(script, { profile })
    await sleep(delayMs)
    return whatever(task.stop())
  },
  close: async ({ options, script, profile, warm, delayMs }, { createCordon }) => {
    const cordon = await createCordon({ ...options, warm })
    const runs = [1, 2].map(() => whatever(cordon.run(script, { profile })))
    await sleep(delayMs)
    await cordon.close()
    await Promise.all(runs)
    return []
  },
  // Without a sandbox there are no limits, so it is cancelled instead.
  limit: ({ cordon, script, seconds, profile, delayMs }) =>
    whatever(
      profile === 'bare'
        ? cordon.run(script, { profile, signal: AbortSignal.timeout(delayMs) })
        : cordon.run(`(${script}) & while :; do sleep ${seconds} & done`, { profile: 'tight' }),
    ),
  'SIGKILL of the engine': library('SIGKILL'),
  'SIGTERM of the engine': library('SIGTERM'),
  'SIGINT of the engine': library('SIGINT'),
  'SIGHUP of the engine': library('SIGHUP'),
  'SIGKILL of the command line': commandLine('SIGKILL'),
  'SIGTERM of the command line': commandLine('SIGTERM'),
  'SIGINT of the command line': commandLine('SIGINT'),
  'SIGHUP of the command line': commandLine('SIGHUP'),
}
