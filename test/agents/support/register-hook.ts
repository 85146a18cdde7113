import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { opencodeExtension, piExtension } from '../../../src/host/agent-settings/extensions.js'
import type { AgentName } from './agents.js'

const INTEGRATIONS = resolve(import.meta.dirname, '../../../integrations')

function merge(file: string, value: Readonly<Record<string, unknown>>): void {
  mkdirSync(dirname(file), { recursive: true })
  const before = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
  writeFileSync(file, JSON.stringify({ ...before, ...value }, null, 2))
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

/** The line that each guide registers: a hook that does not answer ends with exit status 2. */
export const guarded = (command: string, seconds = 8): string =>
  `env -u NODE_OPTIONS timeout ${seconds} ${command} || { echo 'Cordon did not answer' >&2; exit 2; }`

const claudeForm = (matcher: string, command: string, timeout: number) => ({
  hooks: { PreToolUse: [{ matcher, hooks: [{ type: 'command', command, timeout }] }] },
})

/** Registers a command line as the hook of an agent, in the agent's own settings. */
type Register = (home: string, command: string, guardSeconds: number) => void

const REGISTER: Readonly<Record<Exclude<AgentName, 'opencode' | 'pi'>, Register>> = {
  claude: (home, command, seconds) =>
    merge(
      join(home, '.claude/settings.json'),
      claudeForm('Bash|Monitor|Write|Edit|MultiEdit|NotebookEdit', guarded(command, seconds), 10),
    ),
  codex: (home, command, seconds) =>
    merge(join(home, '.codex/hooks.json'), claudeForm('.*', guarded(command, seconds), 10)),
  gemini: (home, command, seconds) =>
    merge(join(home, '.gemini/settings.json'), {
      hooks: {
        BeforeTool: [
          {
            matcher: 'run_shell_command|write_file|replace',
            hooks: [{ name: 'cordon', type: 'command', command: guarded(command, seconds), timeout: 10_000 }],
          },
        ],
      },
    }),
  qwen: (home, command, seconds) =>
    merge(
      join(home, '.qwen/settings.json'),
      claudeForm('run_shell_command|write_file|edit|replace', guarded(command, seconds), 10_000),
    ),
  copilot(home, command, seconds) {
    // A failure of the command blocks; only a timeout of Copilot itself lets go.
    const hook = {
      type: 'command',
      exec: '/usr/bin/env',
      args: ['-u', 'NODE_OPTIONS', 'timeout', `${seconds}`, ...command.split(' ')],
      timeoutSec: 10,
    }
    write(join(home, '.copilot/hooks/cordon.json'), JSON.stringify({ version: 1, hooks: { preToolUse: [hook] } }))
  },
}

export function registerHook(agent: AgentName, home: string, command: string, guardSeconds = 8): void {
  if (agent === 'opencode') registerOpencode(home)
  else if (agent === 'pi')
    write(join(home, '.pi/agent/extensions/cordon.ts'), `export { default } from '${INTEGRATIONS}/pi.js'\n`)
  else REGISTER[agent](home, command, guardSeconds)
}

/** Registers a program that is no hook: for opencode and pi by the extensions that `cordon init` writes. */
export function registerBroken(agent: AgentName, home: string, cordon: string): void {
  const programs = { cordon, shell: null }
  if (agent === 'opencode') registerOpencode(home, opencodeExtension(programs))
  else if (agent === 'pi') write(join(home, '.pi/agent/extensions/cordon.ts'), piExtension(programs))
  else registerHook(agent, home, cordon, 1)
}

function registerOpencode(home: string, plugin = `export { Cordon } from '${INTEGRATIONS}/opencode.js'\n`): void {
  write(join(home, '.config/opencode/plugin/cordon.js'), plugin)
}
