import { claudeAnswer } from './claude-code.js'
import { callOf, OTHER, recordAt, type ToolNames, textAt } from './fields.js'
import type { Dialect } from './hook-call.js'

const PATHS = ['filePath', 'path', 'file_path']
const TOOLS: ToolNames = {
  shell: new Set(['run_in_terminal', 'runTerminalCommand', 'runInTerminal']),
  files: new Map([
    ['create_file', PATHS],
    ['replace_string_in_file', PATHS],
    ['multi_replace_string_in_file', PATHS],
    ['insert_edit_into_file', PATHS],
    ['edit_notebook_file', PATHS],
    ['apply_patch', ['input', 'patch', 'command']],
  ]),
}

/** VS Code. It sends every tool call to every hook, so an unknown tool must stay without an opinion. */
export const VSCODE: Dialect = {
  agent: 'vscode',
  recognises: (payload) => 'hookEventName' in payload,
  read(payload) {
    if (payload.hookEventName !== 'PreToolUse') return OTHER
    const input = recordAt(payload, 'tool_input')
    return callOf({ tool: textAt(payload, 'tool_name'), input, cwd: textAt(payload, 'cwd') }, TOOLS)
  },
  write: (answer) => answer && claudeAnswer(answer),
  canAsk: () => true,
}
