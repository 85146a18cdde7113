import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { BINARY } from '../surface/binary.js'
import type { AgentName, TestedAgent } from './support/agents.js'
import { agentGround, driveAgent, needsAgent, testedAgents } from './support/drive-agent.js'

interface Client {
  /** The tool `bash` of the server `cordon`, as this agent names it. */
  readonly tool: string
  /** Adds the server to the agent's own settings. */
  configure(home: string, command: readonly [string, ...string[]]): void
}

function merge(file: string, value: object): void {
  mkdirSync(dirname(file), { recursive: true })
  const before = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
  writeFileSync(file, JSON.stringify({ ...before, ...value }))
}

const serverOf = ([command, ...args]: readonly [string, ...string[]]) => ({ command, args })

const CLIENTS: Partial<Record<AgentName, Client>> = {
  claude: {
    tool: 'mcp__cordon__bash',
    configure(home, command) {
      merge(join(home, '.claude.json'), {
        mcpServers: { cordon: { type: 'stdio', alwaysLoad: true, ...serverOf(command) } },
      })
      merge(join(home, '.claude/settings.json'), { permissions: { allow: ['mcp__cordon__bash'] } })
    },
  },
  codex: {
    tool: 'mcp__cordon__bash',
    configure(home, [command, ...args]) {
      const lines = ['[mcp_servers.cordon]', `command = ${JSON.stringify(command)}`, `args = ${JSON.stringify(args)}`]
      appendFileSync(
        join(home, '.codex/config.toml'),
        `\n${lines.join('\n')}\ndefault_tools_approval_mode = "approve"\n`,
      )
    },
  },
  gemini: {
    tool: 'mcp_cordon_bash',
    configure: (home, command) =>
      merge(join(home, '.gemini/settings.json'), { mcpServers: { cordon: { ...serverOf(command), trust: true } } }),
  },
  opencode: {
    tool: 'cordon_bash',
    configure: (home, command) =>
      merge(join(home, '.config/opencode/opencode.json'), { mcp: { cordon: { type: 'local', command } } }),
  },
  copilot: {
    tool: 'cordon-bash',
    configure: (home, command) =>
      merge(join(home, '.copilot/mcp-config.json'), {
        mcpServers: { cordon: { type: 'local', ...serverOf(command), tools: ['*'] } },
      }),
  },
}

/** More than this beside the output of a plain success is paid for on every call. */
const MOST_CHARS_BESIDE_OUTPUT = 40

/** Claude Code appends reminders of its own to a result, and Gemini marks every result as untrusted. */
const withoutAgentsOwn = (shown: string): string =>
  shown
    .replace(/<system-reminder>[\s\S]*?<\/system-reminder>/g, '')
    .replace(/^<untrusted_context>\n([\s\S]*)\n<\/untrusted_context>$/, '$1')
    .trim()

const clients = testedAgents().flatMap((agent) => {
  const client = CLIENTS[agent.name]
  return client === undefined ? [] : [{ name: agent.name, agent, client }]
})
const grounds: { remove(): void }[] = []
afterEach(() => {
  for (const ground of grounds.splice(0)) ground.remove()
})

describe('cordon mcp, in the real agent', () => {
  it.for(clients)(
    '$name shows its model the output of a plain success and at most 40 characters more',
    { timeout: 100_000 },
    async ({ agent, client }, context) => {
      needsAgent(context, agent)
      const ground = agentGround()
      grounds.push(ground)
      const withServer: TestedAgent = {
        ...agent,
        prepare(home, url) {
          agent.prepare(home, url)
          client.configure(home, [process.execPath, BINARY, 'mcp'])
        },
      }
      const output = 'first line of output\nsecond line of output'
      const command = "printf 'first line of output\\nsecond line of output\\n'"
      const turns = [{ tool: client.tool, input: { command } }, { text: 'done' }]
      const { shown, requests } = await driveAgent(withServer, turns, ground)
      expect(requests.at(-1)?.tools.filter((name) => name.endsWith(client.tool))).toHaveLength(1)
      const result = withoutAgentsOwn(shown[0] ?? '')
      expect(result).toContain(output)
      expect(result.length - output.length, result).toBeLessThanOrEqual(MOST_CHARS_BESIDE_OUTPUT)
    },
  )
})
