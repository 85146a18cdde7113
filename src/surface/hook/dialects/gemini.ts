import { callOf, OTHER, recordAt, type ToolNames, textAt } from './fields.js'
import type { Dialect } from './hook-call.js'

const TOOLS: ToolNames = {
  shell: new Set(['run_shell_command']),
  files: new Map([
    ['write_file', ['file_path', 'absolute_path', 'path']],
    ['replace', ['file_path', 'absolute_path', 'path']],
    ['edit', ['file_path', 'absolute_path', 'path']],
  ]),
}

export const GEMINI: Dialect = {
  agent: 'gemini',
  recognises: (payload) => payload.hook_event_name === 'BeforeTool',
  read(payload) {
    if (textAt(payload, 'hook_event_name') !== 'BeforeTool') return OTHER
    const input = recordAt(payload, 'tool_input')
    const cwd = (input && textAt(input, 'dir_path', 'directory')) ?? textAt(payload, 'cwd')
    return callOf({ tool: textAt(payload, 'tool_name'), input, cwd }, TOOLS)
  },
  write: (answer) => answer && { decision: 'deny', reason: answer.reason },
  // Gemini's "ask" also overrides a deny of the user's own policy.
  canAsk: () => false,
}
