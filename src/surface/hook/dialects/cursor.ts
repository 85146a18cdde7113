import { callOf, OTHER, recordAt, type ToolNames, textAt } from './fields.js'
import type { Dialect } from './hook-call.js'

const TOOLS: ToolNames = {
  shell: new Set(['Shell']),
  files: new Map([
    ['Write', ['file_path', 'path']],
    ['Edit', ['file_path', 'path']],
    ['Delete', ['file_path', 'path']],
  ]),
}

export const CURSOR: Dialect = {
  agent: 'cursor',
  recognises: (payload) => 'cursor_version' in payload || payload.hook_event_name === 'beforeShellExecution',
  read(payload) {
    const event = textAt(payload, 'hook_event_name')
    const cwd = textAt(payload, 'cwd')
    if (event === 'beforeShellExecution') return callOf({ tool: 'Shell', input: payload, cwd }, TOOLS)
    if (event !== 'preToolUse') return OTHER
    return callOf({ tool: textAt(payload, 'tool_name'), input: recordAt(payload, 'tool_input'), cwd }, TOOLS)
  },
  // Cursor treats silence as a failure of the hook, and preToolUse knows no "ask".
  write(answer, payload) {
    if (answer === null) return { permission: 'allow' }
    const permission = payload?.hook_event_name === 'preToolUse' ? 'deny' : answer.verdict
    return { permission, agent_message: answer.reason, user_message: answer.reason }
  },
  canAsk: (payload) => payload.hook_event_name !== 'preToolUse',
}
