import { claudeAnswer } from './claude-code.js'
import { callOf, OTHER, recordAt, type ToolNames, textAt } from './fields.js'
import type { Dialect } from './hook-call.js'

const PATHS = ['path', 'file_path', 'filePath']
const TOOLS: ToolNames = {
  shell: new Set(['bash', 'Bash', 'powershell']),
  files: new Map([
    ['create', PATHS],
    ['edit', PATHS],
    ['str_replace_editor', PATHS],
    ['Write', PATHS],
    ['Edit', PATHS],
    ['MultiEdit', PATHS],
    ['apply_patch', ['command', 'input', 'patch']],
  ]),
}

/**
 * Copilot CLI. It also loads the project's Claude hooks and then sends Claude's field names, without a transcript
 * path.
 */
export const COPILOT: Dialect = {
  agent: 'copilot',
  recognises: (payload) =>
    ('toolName' in payload && 'sessionId' in payload && !('hookEventName' in payload)) ||
    (payload.hook_event_name === 'PreToolUse' && 'timestamp' in payload && !('transcript_path' in payload)),
  read(payload) {
    if ('hook_event_name' in payload && payload.hook_event_name !== 'PreToolUse') return OTHER
    const tool = textAt(payload, 'toolName', 'tool_name')
    return callOf({ tool, input: recordAt(payload, 'toolArgs', 'tool_input'), cwd: textAt(payload, 'cwd') }, TOOLS)
  },
  write(answer, payload) {
    if (answer === null) return null
    if (payload && 'hook_event_name' in payload) return claudeAnswer(answer)
    return { permissionDecision: answer.verdict, permissionDecisionReason: answer.reason }
  },
  canAsk: () => true,
}
