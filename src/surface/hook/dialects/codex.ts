import { claudeAnswer, readClaudeForm } from './claude-code.js'
import type { ToolNames } from './fields.js'
import type { Dialect } from './hook-call.js'

const TOOLS: ToolNames = {
  shell: new Set(['Bash', 'exec_command', 'shell_command', 'shell', 'local_shell']),
  files: new Map([['apply_patch', ['command', 'input', 'patch']]]),
}

export const CODEX: Dialect = {
  agent: 'codex',
  recognises: (payload) => 'turn_id' in payload,
  read: (payload) => readClaudeForm(payload, TOOLS),
  write: (answer) => answer && claudeAnswer(answer),
  canAsk: () => false,
}
