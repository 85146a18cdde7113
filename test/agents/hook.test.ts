import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { BINARY } from '../surface/binary.js'
import type { AgentName } from './support/agents.js'
import { agentGround, driveAgent, needsAgent, testedAgents } from './support/drive-agent.js'
import { guarded, registerBroken, registerHook } from './support/register-hook.js'
import type { Turn } from './support/scripted-model.js'
import { WRITES } from './support/write-turns.js'

const agents = testedAgents()
const grounds: { remove(): void }[] = []
afterEach(() => {
  for (const ground of grounds.splice(0)) ground.remove()
})

const NAMES: Readonly<Record<AgentName, string>> = {
  claude: 'claude-code',
  codex: 'codex',
  gemini: 'gemini',
  opencode: 'opencode',
  copilot: 'copilot',
  qwen: 'qwen',
  pi: 'pi',
}

describe('with the hook registered by hand', () => {
  it.for(agents)(
    '$name refuses, holds and runs commands as Cordon decides, and keeps its file tools out of protected paths',
    { timeout: 100_000 },
    async (agent, context) => {
      needsAgent(context, agent)
      const ground = agentGround()
      grounds.push(ground)
      const { project } = ground
      mkdirSync(join(project, '.git/hooks'), { recursive: true })
      const write = WRITES[agent.name]
      const files = write ? ['.git/hooks/pre-commit', '.env', 'free.txt'].map((path) => write(join(project, path))) : []
      const shells = ['touch by-sudo; sudo id', 'touch by-push; git push --force', 'touch by-echo; echo hi']
      const turns: Turn[] = [...shells.map((shell) => ({ shell })), ...files, { text: 'done' }]
      const hook = `${process.execPath} ${BINARY} hook ${NAMES[agent.name]}`
      const { shown, stderr } = await driveAgent(agent, turns, ground, {}, (home) =>
        registerHook(agent.name, home, hook),
      )
      expect([shown.length, stderr]).toEqual([turns.length - 1, expect.any(String)])
      const [sudo, push, echo] = shown
      expect(sudo).toContain('Command not allowed: sudo')
      expect(push).toMatch(/cordon approve [0-9a-f]+/)
      expect(echo).toContain('hi')
      expect(['by-sudo', 'by-push', 'by-echo'].map((name) => existsSync(join(project, name)))).toEqual([
        false,
        false,
        true,
      ])
      if (!write) return
      // Gemini CLI itself keeps its file tools out of `.git`, and at times out of `.env`.
      expect(shown[3]).toMatch(/protected|outside the allowed workspace/)
      expect(shown[4]).toMatch(/hides \.env|outside the allowed workspace/)
      const made = ['.git/hooks/pre-commit', '.env', 'free.txt'].map((path) => existsSync(join(project, path)))
      expect(made).toEqual([false, false, true])
    },
  )

  it.for(agents)(
    '$name does not run a command whose hook hangs, is killed, fails, or is missing behind the guard',
    { timeout: 100_000 },
    async (agent, context) => {
      needsAgent(context, agent)
      const ground = agentGround()
      grounds.push(ground)
      const { root, project } = ground
      const hook = join(root, 'broken-hook')
      const cases = ['case "$input" in', '*hang*) sleep 60 ;;', '*killed*) kill -9 $$ ;;', '*fails*) exit 1 ;;', 'esac']
      writeFileSync(hook, `#!/bin/bash\ninput=$(cat)\n${cases.join('\n')}\nrm -f "$0"\nexit 1\n`, { mode: 0o755 })
      const wrong = ['hang', 'killed', 'fails', 'last', 'missing']
      const turns = [...wrong.map((name) => ({ shell: `touch by-${name}` })), { text: 'done' }]
      const { shown } = await driveAgent(agent, turns, ground, {}, (home) => registerBroken(agent.name, home, hook))
      expect(shown).toHaveLength(wrong.length)
      expect(wrong.filter((name) => existsSync(join(project, `by-${name}`)))).toEqual([])
    },
  )
})

it('the guard is one line of a POSIX shell', () => {
  expect(guarded('/abs/cordon hook codex')).toBe(
    "env -u NODE_OPTIONS timeout 8 /abs/cordon hook codex || { echo 'Cordon did not answer' >&2; exit 2; }",
  )
})
