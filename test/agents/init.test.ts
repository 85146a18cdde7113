import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { BINARY } from '../surface/binary.js'
import type { AgentName, TestedAgent } from './support/agents.js'
import { type AgentGround, agentGround, driveAgent, programOf, testedAgents } from './support/drive-agent.js'

/** The names of `cordon init` for the agents that are driven. */
const NAMES: Readonly<Record<AgentName, string>> = {
  claude: 'claude-code',
  codex: 'codex',
  gemini: 'gemini',
  opencode: 'opencode',
  copilot: 'copilot',
  qwen: 'qwen',
  pi: 'pi',
}

const agents = testedAgents()
const grounds: AgentGround[] = []
afterEach(() => {
  for (const ground of grounds.splice(0)) ground.remove()
})

/** Runs `cordon init` in the agent's home, with the agent on PATH. */
function init({ home, root, project }: AgentGround, agent: TestedAgent, ...args: readonly string[]): string {
  const bin = join(root, 'bin')
  if (!existsSync(bin)) {
    mkdirSync(bin)
    symlinkSync(programOf(agent), join(bin, agent.name))
  }
  const PATH = [bin, dirname(process.execPath), process.env.PATH].join(delimiter)
  const words = [BINARY, 'init', NAMES[agent.name], '--yes', ...args]
  const env = { HOME: home, PATH, LANG: 'C.UTF-8' }
  const { stdout, stderr } = spawnSync(process.execPath, words, { cwd: project, env, encoding: 'utf8' })
  return stdout + stderr
}

describe.skipIf(agents.length === 0)('after cordon init, the real agent', () => {
  it('an agent is installed to be driven', () => expect(agents).not.toEqual([]))

  it.each(agents)(
    '$name is told why `sudo id` is refused, and runs `echo`',
    async (agent) => {
      const ground = agentGround()
      grounds.push(ground)
      let said = ''
      const guarded: TestedAgent = {
        ...agent,
        prepare(home, url) {
          agent.prepare(home, url)
          said = init(ground, agent)
        },
      }
      const turns = [{ shell: 'sudo id; touch ran' }, { shell: 'echo seen' }, { text: 'done' }]
      const { shown } = await driveAgent(guarded, turns, ground)
      expect(said).toContain('denied `sudo id`, as it must')
      expect(shown[0]).toContain('sudo')
      expect(existsSync(join(ground.project, 'ran'))).toBe(false)
      expect(shown[1]).toContain('seen')
    },
    100_000,
  )
})
