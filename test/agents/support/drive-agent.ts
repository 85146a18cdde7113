import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { TestContext } from 'vitest'
import { AGENTS, cacheOf, type TestedAgent } from './agents.js'
import { type ModelRequest, startScriptedModel, type Turn } from './scripted-model.js'

/** Directories of one run. They are siblings because Codex refuses a home below TMPDIR. */
export interface AgentGround {
  readonly root: string
  readonly home: string
  readonly tmp: string
  readonly project: string
  remove(): void
}

export interface Driven {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
  /** The tool results that the model was shown, one for each call. */
  readonly shown: readonly string[]
  readonly requests: readonly ModelRequest[]
}

export const programOf = (agent: TestedAgent): string => join(cacheOf(agent), 'node_modules', agent.program)

const ASKED = process.env.CORDON_TEST_AGENTS?.split(',')

/** The agents to test: those that `npm run test:agents` was asked for, else all. */
export const testedAgents = (): readonly TestedAgent[] => AGENTS.filter(({ name }) => ASKED?.includes(name) ?? true)

/** Skips the test of an agent that is not installed, unless it was asked for. */
export function needsAgent({ skip }: TestContext, agent: TestedAgent): void {
  if (ASKED === undefined && !existsSync(programOf(agent)))
    skip(`${agent.name} not installed; npm run test:agents -- ${agent.name} installs it`)
}

/** Makes an empty home, a project and a temporary directory; the caller removes them. */
export function agentGround(): AgentGround {
  const root = mkdtempSync(join(tmpdir(), 'cordon-agent-'))
  const [home, tmp, project] = ['home', 'tmp', 'project'].map((name) => join(root, name)) as [string, string, string]
  for (const folder of [home, tmp, project]) mkdirSync(folder)
  return { root, home, tmp, project, remove: () => rmSync(root, { recursive: true, force: true }) }
}

const LIMIT_MS = 90_000

/** Runs the real agent once, with an otherwise empty environment, against a model that plays the turns. */
export async function driveAgent(
  agent: TestedAgent,
  turns: readonly Turn[],
  { home, tmp, project }: AgentGround,
  env: Readonly<Record<string, string>> = {},
  /** Called with the agent's own settings in place. */
  register: (home: string) => void = () => {},
): Promise<Driven> {
  const model = await startScriptedModel(turns)
  try {
    agent.prepare(home, model.url)
    register(home)
    const ended = await run(programOf(agent), agent.argv, {
      cwd: project,
      env: {
        PATH: `${dirname(process.execPath)}:${process.env.PATH ?? ''}`,
        HOME: home,
        TMPDIR: tmp,
        LANG: 'C.UTF-8',
        TERM: 'dumb',
        SHELL: '/bin/bash',
        ...agent.env(model.url),
        ...env,
      },
    })
    return { ...ended, shown: model.requests.at(-1)?.results ?? [], requests: model.requests }
  } finally {
    await model.close()
  }
}

function run(
  program: string,
  argv: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Promise<Pick<Driven, 'status' | 'stdout' | 'stderr'>> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, argv, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
    const taken = { stdout: '', stderr: '' }
    child.stdout.on('data', (chunk) => (taken.stdout += chunk))
    child.stderr.on('data', (chunk) => (taken.stderr += chunk))
    // An agent that hangs is stopped with all of its children, so that the test fails by what was shown.
    const limit = setTimeout(() => child.pid && process.kill(-child.pid, 'SIGKILL'), LIMIT_MS)
    child.once('error', reject)
    child.once('close', (status) => {
      clearTimeout(limit)
      resolve({ status, ...taken })
    })
  })
}
