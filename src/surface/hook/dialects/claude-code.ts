import { callOf, OTHER, recordAt, type ToolNames, textAt } from './fields.js'
import type { Dialect, HookAnswer, Payload } from './hook-call.js'

const TOOLS: ToolNames = {
  shell: new Set(['Bash', 'Monitor', 'PowerShell']),
  files: new Map([
    ['Write', ['file_path']],
    ['Edit', ['file_path']],
    ['MultiEdit', ['file_path']],
    ['NotebookEdit', ['notebook_path', 'file_path']],
  ]),
}

/** The answer that Claude Code reads, and with it Codex, Qwen Code and VS Code. */
export const claudeAnswer = ({ verdict, reason }: HookAnswer): Readonly<Record<string, unknown>> => ({
  hookSpecificOutput: {
    hookEventName: 'PreToolUse',
    permissionDecision: verdict,
    permissionDecisionReason: reason,
  },
})

const eventOf = (payload: Payload | null): string =>
  (payload && textAt(payload, 'hook_event_name', 'hookEventName')) ?? 'PreToolUse'

export function readClaudeForm(payload: Payload, tools: ToolNames) {
  // At PermissionRequest, which follows, the person is asked about what was not denied.
  if (eventOf(payload) !== 'PreToolUse') return OTHER
  const tool = textAt(payload, 'tool_name')
  const input = recordAt(payload, 'tool_input')
  return callOf({ tool, input, cwd: textAt(payload, 'cwd') }, tools)
}

export const CLAUDE_CODE: Dialect = {
  agent: 'claude-code',
  recognises: (payload) => 'transcript_path' in payload && 'session_id' in payload && 'permission_mode' in payload,
  read: (payload) => readClaudeForm(payload, TOOLS),
  write: (answer) => answer && claudeAnswer(answer),
  canAsk: () => true,
}
