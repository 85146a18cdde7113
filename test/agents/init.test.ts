import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join, resolve } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { BINARY } from '../surface/binary.js'
import type { AgentName, TestedAgent } from './support/agents.js'
import {
  type AgentGround,
  agentGround,
  driveAgent,
  needsAgent,
  programOf,
  testedAgents,
} from './support/drive-agent.js'
import type { Turn } from './support/scripted-model.js'
import { WRITES } from './support/write-turns.js'

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

/** Runs `cordon` in the agent's home, with the agent on PATH. */
function cordon({ home, root, project }: AgentGround, agent: TestedAgent, ...args: readonly string[]): string {
  const bin = join(root, 'bin')
  if (!existsSync(bin)) {
    mkdirSync(bin)
    symlinkSync(programOf(agent), join(bin, agent.name))
  }
  const PATH = [bin, dirname(process.execPath), process.env.PATH].join(delimiter)
  const env = { HOME: home, PATH, LANG: 'C.UTF-8' }
  const { stdout, stderr } = spawnSync(process.execPath, [BINARY, ...args], { cwd: project, env, encoding: 'utf8' })
  return stdout + stderr
}

const init = (ground: AgentGround, agent: TestedAgent, ...args: readonly string[]): string =>
  cordon(ground, agent, 'init', NAMES[agent.name], '--yes', ...args)

/** The last line of the agent's guide: what its model is told. */
const refusalIn = ({ name }: TestedAgent): string =>
  readFileSync(resolve(import.meta.dirname, `../../docs/agents/${NAMES[name]}.md`), 'utf8')
    .trimEnd()
    .split('\n')
    .at(-1)
    ?.replaceAll('`', '') ?? ''

describe('after cordon init, the real agent', () => {
  it.for(agents)(
    '$name is refused `sudo id`, held at a forced push, runs `echo`, and keeps an edit before a failing `make`',
    { timeout: 100_000 },
    async (agent, context) => {
      needsAgent(context, agent)
      const ground = agentGround()
      grounds.push(ground)
      const { root, project } = ground
      let said = ''
      const guarded: TestedAgent = {
        ...agent,
        prepare(home, url) {
          agent.prepare(home, url)
          said = init(ground, agent)
          for (const name of ['.profile', '.bash_profile', '.bashrc', '.zshenv'])
            writeFileSync(join(home, name), 'echo a stray line\n')
        },
      }
      // Output before the hook's answer makes agents run a denied command.
      writeFileSync(join(root, 'stray.cjs'), 'console.log("a stray line")\n')
      writeFileSync(join(project, 'Makefile'), 'all:\n\tfalse\n')
      const edited = join(project, 'edited')
      const turns: Turn[] = [
        { shell: 'touch by-sudo; sudo id' },
        { shell: 'touch by-push; git push --force' },
        { shell: 'echo seen' },
        WRITES[agent.name]?.(edited) ?? { shell: 'printf x > edited' },
        { shell: 'make' },
        { text: 'done' },
      ]
      // As in a terminal: without SHLVL, bash treats an agent as a remote login and reads .bashrc.
      const env = { NODE_OPTIONS: `--require ${join(root, 'stray.cjs')}`, SHLVL: '1' }
      const { shown } = await driveAgent(guarded, turns, ground, env)
      expect(said).toContain('denied `sudo id`, as it must')
      expect(shown).toHaveLength(5)
      expect(shown[0]).toContain(refusalIn(agent))
      expect(shown[1]).toMatch(/cordon approve [0-9a-f]+/)
      expect(shown[2]).toContain('seen')
      expect(shown[4]).toMatch(/Error 1|not found/)
      expect(['by-sudo', 'by-push'].filter((name) => existsSync(join(project, name)))).toEqual([])
      expect(readFileSync(edited, 'utf8').trim()).toBe('x')
    },
  )

  it.for(agents.filter(({ name }) => name === 'codex'))(
    '$name skips the hook until a person trusts it, and `cordon doctor --agents` tells',
    { timeout: 100_000 },
    async (agent, context) => {
      needsAgent(context, agent)
      const ground = agentGround()
      grounds.push(ground)
      agent.prepare(ground.home, 'http://127.0.0.1:9')
      const config = join(ground.home, '.codex/config.toml')
      const before = readFileSync(config, 'utf8')
      expect(init(ground, agent)).toContain('the hook is untrusted, so Codex skips it')
      expect(readFileSync(config, 'utf8')).toBe(before)
      expect(init(ground, agent, '--trust-codex-hook')).toContain('trusted now, as you said')
      const looked = cordon(ground, agent, 'doctor', '--agents')
      expect(looked).toMatch(
        /✔ Codex 0\S+ +registered; last event \d{4}.*\n✔ Codex hook +denied.*\n✔ Codex hook, killed +blocks/,
      )
      expect(looked).toMatch(/✔ Codex trust +trusted\n/)
      cordon(ground, agent, 'init', '--uninstall', '--yes')
      expect(readFileSync(config, 'utf8')).toBe(before)
    },
  )
})
