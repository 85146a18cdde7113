import { describe, expect, it } from 'vitest'
import { dialectOf } from '../../../src/surface/hook/dialects/dialect-of.js'
import type { HookAgent, Payload } from '../../../src/surface/hook/dialects/hook-call.js'

const claude = {
  session_id: 's',
  transcript_path: '/t',
  cwd: '/p',
  permission_mode: 'default',
  hook_event_name: 'PreToolUse',
  tool_use_id: 'u',
}
const payloads: Readonly<Record<HookAgent, Payload>> = {
  'claude-code': { ...claude, tool_name: 'Bash', tool_input: { command: 'ls' } },
  codex: { ...claude, turn_id: 't', model: 'm', tool_name: 'Bash', tool_input: { command: 'ls' } },
  gemini: {
    session_id: 's',
    transcript_path: '/t',
    cwd: '/p',
    hook_event_name: 'BeforeTool',
    timestamp: 'now',
    tool_name: 'run_shell_command',
    tool_input: { command: 'ls' },
  },
  cursor: { hook_event_name: 'beforeShellExecution', command: 'ls', cwd: '/p', cursor_version: '3' },
  copilot: { sessionId: 's', timestamp: 1, cwd: '/p', toolName: 'bash', toolArgs: { command: 'ls' } },
  vscode: {
    timestamp: 'now',
    cwd: '/p',
    sessionId: 's',
    hookEventName: 'PreToolUse',
    tool_name: 'run_in_terminal',
    tool_input: { command: 'ls' },
  },
  qwen: {
    ...claude,
    timestamp: 'now',
    tool_call_id: 'c',
    tool_name: 'run_shell_command',
    tool_input: { command: 'ls' },
  },
  opencode: { cordon_extension: 'opencode', tool: 'bash', input: { command: 'ls' }, cwd: '/p' },
  pi: { cordon_extension: 'pi', tool: 'bash', input: { command: 'ls' }, cwd: '/p' },
}
const named = Object.entries(payloads) as [HookAgent, Payload][]
const reason = 'Command not allowed: sudo.'

describe('a hook payload', () => {
  it.each(named)('of %s is recognised by its fields and read as a shell command', (agent, payload) => {
    const dialect = dialectOf(payload, null)
    expect(dialect?.agent).toBe(agent)
    expect(dialect?.read(payload)).toEqual({ kind: 'shell', command: 'ls', cwd: '/p' })
  })

  it("of Copilot is answered as Copilot's when it comes to a hook that was registered for Claude Code", () => {
    const payload = {
      hook_event_name: 'PreToolUse',
      session_id: 's',
      timestamp: 'now',
      cwd: '/p',
      tool_name: 'Bash',
      tool_input: { command: 'ls' },
    }
    expect(dialectOf(payload, 'claude-code')?.agent).toBe('copilot')
  })

  it('without known fields is answered as the agent that the hook was registered for', () => {
    expect([dialectOf({}, 'codex')?.agent, dialectOf(null, 'gemini')?.agent, dialectOf({}, null)]).toEqual([
      'codex',
      'gemini',
      null,
    ])
  })

  it.each(named)('of %s with a shell tool and no command is unreadable', (agent, payload) => {
    const { command: _, ...rest } = payload
    const broken = { ...rest, tool_input: {}, input: {}, ...('toolArgs' in payload ? { toolArgs: 'no JSON' } : {}) }
    expect(dialectOf(payload, null)?.read(broken).kind, agent).toBe('unreadable')
  })

  it.each(named)('of %s for another event or tool has no opinion', (agent, payload) => {
    const dialect = dialectOf(payload, null)
    const other = {
      ...payload,
      hook_event_name: 'Stop',
      hookEventName: 'Stop',
      tool_name: 'Read',
      toolName: 'view',
      tool: 'read',
    }
    expect(dialect?.read(other), agent).toEqual({ kind: 'other' })
  })

  it.each([
    ['claude-code', 'MultiEdit', { file_path: '/p/a' }, ['/p/a']],
    ['claude-code', 'NotebookEdit', { notebook_path: '/p/n.ipynb' }, ['/p/n.ipynb']],
    [
      'codex',
      'apply_patch',
      { command: '*** Begin Patch\n*** Add File: a\n+x\n*** Update File: b\n*** Move to: c\n*** End Patch' },
      ['a', 'b', 'c'],
    ],
    ['gemini', 'replace', { file_path: '/p/a' }, ['/p/a']],
    [
      'vscode',
      'multi_replace_string_in_file',
      { replacements: [{ filePath: '/p/a' }, { filePath: '/p/b' }] },
      ['/p/a', '/p/b'],
    ],
    ['qwen', 'write_file', { file_path: '/p/a' }, ['/p/a']],
  ] as const)('of %s names the files that its tool %s writes', (agent, tool_name, tool_input, paths) => {
    const payload = { ...payloads[agent], tool_name, tool_input }
    expect(dialectOf(payload, null)?.read(payload)).toEqual({ kind: 'files', tool: tool_name, paths, cwd: '/p' })
  })
})

describe('an answer', () => {
  const denied = (agent: HookAgent, payload = payloads[agent]) =>
    dialectOf(payload, null)?.write({ verdict: 'deny', reason }, payload)

  it.each(['claude-code', 'codex', 'qwen', 'vscode'] as const)(
    'that denies is in the form of Claude Code for %s',
    (agent) => {
      expect(denied(agent)).toEqual({
        hookSpecificOutput: {
          hookEventName: 'PreToolUse',
          permissionDecision: 'deny',
          permissionDecisionReason: reason,
        },
      })
    },
  )

  it('that denies is in the own form of the other agents', () => {
    expect([denied('gemini'), denied('cursor'), denied('copilot')]).toEqual([
      { decision: 'deny', reason },
      { permission: 'deny', agent_message: reason, user_message: reason },
      { permissionDecision: 'deny', permissionDecisionReason: reason },
    ])
  })

  it.each(named)('of no opinion is silence for %s, but for Cursor and the plugins', (agent, payload) => {
    const spoken: Partial<Record<HookAgent, unknown>> = {
      cursor: { permission: 'allow' },
      opencode: { verdict: 'none' },
      pi: { verdict: 'none' },
    }
    expect(dialectOf(payload, null)?.write(null, payload)).toEqual(spoken[agent] ?? null)
  })

  it('asks where the agent asks a person, and nowhere else', () => {
    const asking = named.filter(([, payload]) => dialectOf(payload, null)?.canAsk(payload)).map(([agent]) => agent)
    expect(asking).toEqual(['claude-code', 'cursor', 'copilot', 'vscode', 'qwen'])
    const payload = { ...payloads.cursor, hook_event_name: 'preToolUse' }
    expect(dialectOf(payload, null)?.canAsk(payload)).toBe(false)
  })
})
