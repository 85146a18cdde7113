import { join } from 'node:path'
import type { WantedFile } from './changed-files.js'
import { opencodeExtension, piExtension } from './extensions.js'
import type { JsonValue, SettingsEdit } from './settings-edit.js'

export type AgentId = 'claude-code' | 'codex' | 'gemini' | 'qwen' | 'copilot' | 'cursor' | 'vscode' | 'opencode' | 'pi'

/** The executables to register, by absolute paths: an agent's session changes directories. */
export interface Programs {
  readonly cordon: string
  /** Null where it is not installed. */
  readonly shell: string | null
}

export interface Homes {
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** One agent: where to find it, the settings it needs, and the call that its hook must deny. */
export interface AgentEntry {
  readonly id: AgentId
  readonly title: string
  readonly programs: readonly string[]
  directories(homes: Homes): readonly string[]
  wanted(homes: Homes, programs: Programs): readonly WantedFile[]
  /** The administrator's own files, below `/`. */
  managed(programs: Programs): readonly WantedFile[]
  readonly mustDeny: Readonly<Record<string, unknown>>
}

const FORBIDDEN = 'sudo id'
/** Below the hook's own timeout, for five of seven agents run the command when that is over. */
const GUARD_SECONDS = 8
const HOOK_SECONDS = 10

/** Ends the hook in time, and keeps modules out that print as they are loaded: one line more makes a deny a run. */
const GUARD = ['env', '-u', 'NODE_OPTIONS', 'timeout', String(GUARD_SECONDS)]

/** The hook behind its guard: where Cordon is missing, killed or hangs, the shell itself says no. */
export const guardedHook = (cordon: string, agent: AgentId): string =>
  `${GUARD.join(' ')} ${quoted(cordon)} hook ${agent} || { echo 'Cordon did not answer' >&2; exit 2; }`

/** The hook for an agent that starts it without a shell, and refuses where it fails. */
export const guardedProgram = (cordon: string, agent: AgentId): readonly [program: string, ...args: string[]] => [
  '/usr/bin/env',
  ...GUARD.slice(1),
  cordon,
  'hook',
  agent,
]

const quoted = (path: string): string => `"${path.replace(/[\\"$`]/g, '\\$&')}"`

const append = (path: readonly string[], value: JsonValue): SettingsEdit => ({ kind: 'append', path, value })
const set = (path: readonly string[], value: JsonValue): SettingsEdit => ({ kind: 'set', path, value })

const claudeForm = (agent: AgentId, cordon: string, matcher: string, extra: object, seconds = HOOK_SECONDS) =>
  append(['hooks', 'PreToolUse'], {
    matcher,
    hooks: [{ type: 'command', command: guardedHook(cordon, agent), timeout: seconds, ...extra }],
  })

const CLAUDE_TOOLS = 'Bash|Monitor|PowerShell|Write|Edit|MultiEdit|NotebookEdit'
const claudeHook = (cordon: string): SettingsEdit =>
  claudeForm('claude-code', cordon, CLAUDE_TOOLS, { onFailure: 'block', statusMessage: 'Cordon' })
const codexHook = (cordon: string): SettingsEdit => claudeForm('codex', cordon, '^(Bash|apply_patch)$', {})
const qwenHook = (cordon: string): SettingsEdit =>
  claudeForm('qwen', cordon, 'run_shell_command|write_file|replace|edit', {}, HOOK_SECONDS * 1000)
const geminiHook = (cordon: string): SettingsEdit =>
  append(['hooks', 'BeforeTool'], {
    matcher: 'run_shell_command|write_file|replace',
    hooks: [{ name: 'cordon', type: 'command', command: guardedHook(cordon, 'gemini'), timeout: HOOK_SECONDS * 1000 }],
  })
const cursorEdits = (cordon: string): readonly SettingsEdit[] => {
  const hook = { command: guardedHook(cordon, 'cursor'), timeout: HOOK_SECONDS, failClosed: true }
  return [
    set(['version'], 1),
    append(['hooks', 'beforeShellExecution'], hook),
    append(['hooks', 'preToolUse'], { ...hook, matcher: 'Write|Edit|Delete' }),
  ]
}
/** Without a shell: Copilot passes exit codes of the program itself, and its own timeout would let the command run. */
const copilotFile = (cordon: string): string => {
  const [exec, ...args] = guardedProgram(cordon, 'copilot')
  const hook = { type: 'command', exec, args, timeoutSec: HOOK_SECONDS }
  return `${JSON.stringify({ version: 1, hooks: { preToolUse: [hook] } }, null, 2)}\n`
}

const shellEdits = ({ shell }: Programs, path: readonly string[]): readonly SettingsEdit[] =>
  shell === null ? [] : [set(path, shell)]

const inClaudeForm = (tool: string) => ({
  hook_event_name: 'PreToolUse',
  tool_name: tool,
  tool_input: { command: FORBIDDEN },
})

const claudeDirectory = ({ home, env }: Homes): string => env.CLAUDE_CONFIG_DIR || join(home, '.claude')
const codexDirectory = ({ home, env }: Homes): string => env.CODEX_HOME || join(home, '.codex')
const opencodeDirectory = ({ home, env }: Homes): string =>
  join(env.XDG_CONFIG_HOME || join(home, '.config'), 'opencode')

const claudeFiles = (agent: AgentId, homes: Homes, programs: Programs): readonly WantedFile[] => [
  {
    path: join(claudeDirectory(homes), 'settings.json'),
    agent,
    edits: [claudeHook(programs.cordon), ...shellEdits(programs, ['env', 'CLAUDE_CODE_SHELL_PREFIX'])],
  },
]

export const AGENT_TABLE: readonly AgentEntry[] = [
  {
    id: 'claude-code',
    title: 'Claude Code',
    programs: ['claude'],
    directories: (homes) => [claudeDirectory(homes)],
    wanted: (homes, programs) => claudeFiles('claude-code', homes, programs),
    managed: (programs) => [
      {
        path: '/etc/claude-code/managed-settings.json',
        agent: 'claude-code',
        edits: [claudeHook(programs.cordon), ...shellEdits(programs, ['env', 'CLAUDE_CODE_SHELL_PREFIX'])],
      },
    ],
    mustDeny: {
      ...inClaudeForm('Bash'),
      tool_use_id: 'init',
      transcript_path: '/dev/null',
      permission_mode: 'default',
    },
  },
  {
    id: 'codex',
    title: 'Codex',
    programs: ['codex'],
    directories: (homes) => [codexDirectory(homes)],
    wanted: (homes, { cordon }) => [
      { path: join(codexDirectory(homes), 'hooks.json'), agent: 'codex', edits: [codexHook(cordon)] },
    ],
    managed: ({ cordon }) => [{ path: '/etc/codex/hooks.json', agent: 'codex', edits: [codexHook(cordon)] }],
    mustDeny: { ...inClaudeForm('Bash'), turn_id: 'init', session_id: 'init', model: 'init', tool_use_id: 'init' },
  },
  {
    id: 'gemini',
    title: 'Gemini CLI',
    programs: ['gemini'],
    directories: ({ home }) => [join(home, '.gemini')],
    wanted: ({ home }, { cordon }) => [
      { path: join(home, '.gemini/settings.json'), agent: 'gemini', edits: [geminiHook(cordon)] },
    ],
    managed: ({ cordon }) => [{ path: '/etc/gemini-cli/settings.json', agent: 'gemini', edits: [geminiHook(cordon)] }],
    mustDeny: {
      hook_event_name: 'BeforeTool',
      session_id: 'init',
      timestamp: '2026-01-01T00:00:00.000Z',
      tool_name: 'run_shell_command',
      tool_input: { command: FORBIDDEN },
    },
  },
  {
    id: 'qwen',
    title: 'Qwen Code',
    programs: ['qwen'],
    directories: ({ home }) => [join(home, '.qwen')],
    wanted: ({ home }, { cordon }) => [
      { path: join(home, '.qwen/settings.json'), agent: 'qwen', edits: [qwenHook(cordon)] },
    ],
    managed: ({ cordon }) => [{ path: '/etc/qwen-code/settings.json', agent: 'qwen', edits: [qwenHook(cordon)] }],
    mustDeny: { ...inClaudeForm('run_shell_command'), tool_call_id: 'init', timestamp: '2026-01-01T00:00:00.000Z' },
  },
  {
    id: 'copilot',
    title: 'Copilot CLI',
    programs: ['copilot'],
    directories: ({ home }) => [join(home, '.copilot')],
    wanted: ({ home }, { cordon }) => [
      { path: join(home, '.copilot/hooks/cordon.json'), agent: 'copilot', edits: [], text: copilotFile(cordon) },
    ],
    managed: ({ cordon }) => [
      { path: '/etc/github-copilot/policy.d/cordon.json', agent: 'copilot', edits: [], text: copilotFile(cordon) },
    ],
    mustDeny: { sessionId: 'init', timestamp: 1, toolName: 'bash', toolArgs: { command: FORBIDDEN } },
  },
  {
    id: 'cursor',
    title: 'Cursor',
    programs: ['cursor', 'cursor-agent'],
    directories: ({ home }) => [join(home, '.cursor')],
    wanted: ({ home }, { cordon }) => [
      { path: join(home, '.cursor/hooks.json'), agent: 'cursor', edits: cursorEdits(cordon) },
    ],
    managed: ({ cordon }) => [{ path: '/etc/cursor/hooks.json', agent: 'cursor', edits: cursorEdits(cordon) }],
    mustDeny: {
      hook_event_name: 'beforeShellExecution',
      command: FORBIDDEN,
      conversation_id: 'init',
      generation_id: 'init',
      cursor_version: 'init',
      workspace_roots: [],
    },
  },
  {
    id: 'vscode',
    title: 'VS Code',
    programs: ['code'],
    directories: ({ home }) => [join(home, '.vscode'), join(home, '.config/Code')],
    // VS Code loads the hooks of Claude Code's own settings.
    wanted: (homes, programs) => claudeFiles('claude-code', homes, programs),
    managed: () => [],
    mustDeny: {
      hookEventName: 'PreToolUse',
      sessionId: 'init',
      timestamp: '2026-01-01T00:00:00.000Z',
      tool_name: 'run_in_terminal',
      tool_input: { command: FORBIDDEN },
      tool_use_id: 'init',
    },
  },
  {
    id: 'opencode',
    title: 'opencode',
    programs: ['opencode'],
    directories: (homes) => [opencodeDirectory(homes)],
    wanted: (homes, programs) => [
      {
        path: join(opencodeDirectory(homes), 'plugin/cordon.js'),
        agent: 'opencode',
        edits: [],
        text: opencodeExtension(programs),
      },
      ...(programs.shell === null
        ? []
        : [
            {
              path: join(opencodeDirectory(homes), 'opencode.json'),
              agent: 'opencode',
              edits: shellEdits(programs, ['shell']),
            },
          ]),
    ],
    managed: () => [],
    mustDeny: { cordon_extension: 'opencode', tool: 'bash', input: { command: FORBIDDEN } },
  },
  {
    id: 'pi',
    title: 'pi',
    programs: ['pi'],
    directories: ({ home }) => [join(home, '.pi/agent')],
    wanted: ({ home }, programs) => [
      {
        path: join(home, '.pi/agent/extensions/cordon.ts'),
        agent: 'pi',
        edits: [],
        text: piExtension(programs),
      },
      ...(programs.shell === null
        ? []
        : [
            {
              path: join(home, '.pi/agent/settings.json'),
              agent: 'pi',
              edits: shellEdits(programs, ['shellPath']),
            },
          ]),
    ],
    managed: () => [],
    mustDeny: { cordon_extension: 'pi', tool: 'bash', input: { command: FORBIDDEN } },
  },
]
