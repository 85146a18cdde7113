import { callOf, recordAt, type ToolNames, textAt } from './fields.js'
import type { Dialect, HookAgent } from './hook-call.js'

const PATHS = ['filePath', 'file_path', 'path']
const TOOLS: ToolNames = {
  shell: new Set(['bash']),
  files: new Map([
    ['write', PATHS],
    ['edit', PATHS],
    ['multiedit', PATHS],
    ['patch', ['patchText', 'patch', 'input']],
    ['apply_patch', ['patchText', 'patch', 'input']],
  ]),
}

/**
 * The form that Cordon's own extensions send from inside an agent. They take no answer for a failure, so each call
 * has one.
 */
const extensionOf = (agent: HookAgent): Dialect => ({
  agent,
  recognises: (payload) => payload.cordon_extension === agent,
  read: (payload) =>
    callOf({ tool: textAt(payload, 'tool'), input: recordAt(payload, 'input'), cwd: textAt(payload, 'cwd') }, TOOLS),
  write: (answer) => (answer === null ? { verdict: 'none' } : { verdict: 'deny', reason: answer.reason }),
  canAsk: () => false,
})

export const OPENCODE = extensionOf('opencode')
export const PI = extensionOf('pi')
