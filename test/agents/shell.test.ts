import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { BINARY } from '../surface/binary.js'
import { agentGround, driveAgent, needsAgent, testedAgents } from './support/drive-agent.js'
import { registerHook } from './support/register-hook.js'

const SHELL = join(dirname(BINARY), 'shell.cjs')
const named = (...names: readonly string[]) => testedAgents().filter(({ name }) => names.includes(name))
const grounds: { remove(): void }[] = []
afterEach(() => {
  for (const ground of grounds.splice(0)) ground.remove()
})
const fresh = () => {
  const ground = agentGround()
  grounds.push(ground)
  mkdirSync(join(ground.project, 'sub'))
  return ground
}

describe('with commands in the sandbox by cordon-shell', () => {
  it.for(named('claude'))(
    '$name stays in the directory that a command went to, and refuses what is denied',
    { timeout: 100_000 },
    async (agent, context) => {
      needsAgent(context, agent)
      const ground = fresh()
      const { root, project } = ground
      const hook = `${process.execPath} ${BINARY} hook claude-code`
      const turns = [
        { shell: 'cd sub && ls /proc | grep -c "^[0-9]"' },
        { shell: 'pwd; env' },
        { shell: 'sudo id' },
        { shell: 'touch ../kept; git push --force' },
        { tool: 'mcp__mine__none', input: {} },
        { text: 'done' },
      ]
      // An MCP server and a hook are started through the prefix too, and are no commands of the model.
      const server = `#!/bin/bash\necho "$CLAUDE_CODE_MESSAGING_TOKEN" > ${root}/server-started\n`
      writeFileSync(join(root, 'server'), server, { mode: 0o755 })
      writeFileSync(
        join(root, 'mcp.json'),
        JSON.stringify({ mcpServers: { mine: { command: join(root, 'server'), args: ['an arg'] } } }),
      )
      const withServer = { ...agent, argv: [...agent.argv, '--mcp-config', join(root, 'mcp.json')] }
      const { shown } = await driveAgent(withServer, turns, ground, { CLAUDE_CODE_SHELL_PREFIX: SHELL }, (home) =>
        registerHook('claude', home, hook),
      )
      const [, pwd = '', sudo, push] = shown
      // The sandbox has processes of its own alone.
      expect(Number.parseInt(shown[0] ?? '', 10)).toBeLessThan(10)
      expect(pwd.split('\n')[0]).toBe(join(project, 'sub'))
      expect(pwd).not.toMatch(/ANTHROPIC_API_KEY|CLAUDE_CODE_MESSAGING/)
      expect(sudo).toContain('Command not allowed: sudo')
      expect(push).toMatch(/cordon approve [0-9a-f]+/)
      expect(existsSync(join(project, 'kept'))).toBe(false)
      expect(existsSync(join(root, 'server-started'))).toBe(true)
    },
  )

  it.for(named('opencode', 'pi'))(
    '$name runs commands in the sandbox, and refuses what is denied',
    { timeout: 100_000 },
    async (agent, context) => {
      needsAgent(context, agent)
      const ground = fresh()
      const turns = [{ shell: 'echo hi; ls /proc | grep -c "^[0-9]"; env' }, { shell: 'sudo id' }, { text: 'done' }]
      const { shown } = await driveAgent(agent, turns, ground, { SHELL, SCRIPTED_KEY: 'secret' }, (home) => {
        if (agent.name === 'pi')
          writeFileSync(join(home, '.pi/agent/settings.json'), JSON.stringify({ shellPath: SHELL }))
      })
      expect(shown[0]).toMatch(/hi\n\d\n/)
      expect(shown[0]).not.toContain('SCRIPTED_KEY')
      expect(shown[1]).toContain('Command not allowed: sudo')
    },
  )

  it.for(named('gemini', 'qwen'))(
    '$name runs commands in the sandbox where cordon-shell is the first bash',
    { timeout: 100_000 },
    async (agent, context) => {
      needsAgent(context, agent)
      const ground = fresh()
      const bin = join(ground.root, 'bin')
      mkdirSync(bin)
      symlinkSync(SHELL, join(bin, 'bash'))
      const turns = [{ shell: 'echo hi; ls /proc | grep -c "^[0-9]"; env' }, { shell: 'sudo id' }, { text: 'done' }]
      const path = `${bin}:${dirname(process.execPath)}:${process.env.PATH}`
      const { shown } = await driveAgent(agent, turns, ground, { PATH: path }, (home) =>
        registerHook(agent.name, home, `${process.execPath} ${BINARY} hook ${agent.name}`),
      )
      expect(shown[0]).toMatch(/hi\\?n?\s*\d/)
      expect(shown[0]).not.toMatch(/GEMINI_API_KEY|OPENAI_API_KEY/)
      expect(shown[1]).toContain('Command not allowed: sudo')
    },
  )
})
