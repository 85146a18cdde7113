import { claudeAnswer, readClaudeForm } from './claude-code.js'
import type { ToolNames } from './fields.js'
import type { Dialect } from './hook-call.js'

const PATHS = ['file_path', 'absolute_path', 'path']
const TOOLS: ToolNames = {
  shell: new Set(['run_shell_command']),
  files: new Map([
    ['write_file', PATHS],
    ['edit', PATHS],
    ['replace', PATHS],
  ]),
}

export const QWEN: Dialect = {
  agent: 'qwen',
  recognises: (payload) => 'tool_call_id' in payload,
  read: (payload) => readClaudeForm(payload, TOOLS),
  write: (answer) => answer && claudeAnswer(answer),
  canAsk: () => true,
}
