import { CordonError } from '../../src/core/model/basics/errors.js'
import { importPermissions } from '../../src/host/agent-settings/import-permissions.js'
import { addToJson, removeFromJson } from '../../src/host/agent-settings/settings-edit.js'
import { unseal } from '../../src/host/state-key/seal.js'
import { readEnvelope } from '../../src/surface/shell/envelope.js'
import { guardedHook } from '../../src/surface/shell/own-hook.js'
import { commandOf } from '../../src/surface/shell/shell-words.js'
import { fc } from '../property.js'

const CLAUDE_CALL =
  "source /h/.claude/shell-snapshots/s.sh 2>/dev/null || true && { \\builtin shopt -u extglob; } && eval 'ls' < /dev/null && pwd -P >| /tmp/claude-0a1b-cwd"
const GEMINI_CALL =
  'shopt -u promptvars; _bgpids_file=/tmp/x\n(\n  trap \'jobs -p > "$_bgpids_file"\' EXIT\nls\n)\n__code=$?\nexit $__code'
const HOOK_CALL = "timeout 8 /opt/cordon hook claude-code || { echo 'no' >&2; exit 2; }"

export const SHELL_TEXTS: readonly string[] = [CLAUDE_CALL, GEMINI_CALL, HOOK_CALL]
export const SHELL_PIECES: readonly string[] = [
  ...[' && ', ' || ', ';', '\n', "'", '"', '$(', ')', '{ ', ' }', '<<E\n', '\\', '\0', '`', '>|', '< /dev/null'],
  ...['eval ', 'pwd -P', 'source ', 'shopt ', 'exit $__code', 'trap ', 'timeout 8 ', ' hook ', '-lc', '(('],
]

/** Takes the envelope of an agent off. What is left is text that a person or an analyser sees. */
export function unwrap(text: string): void {
  const { script, cwdFile } = readEnvelope(text)
  if (cwdFile === null && script !== text && !text.includes(script)) throw new Error('the command is not in the text')
  guardedHook(text)
  commandOf(text.split(' '))
}

const EDITS = [
  { kind: 'append', path: ['hooks', 'PreToolUse'], value: { matcher: 'Bash', hooks: [] } },
  { kind: 'set', path: ['env', 'CLAUDE_CODE_SHELL_PREFIX'], value: '/opt/cordon-shell' },
] as const

export const SETTINGS_TEXTS: readonly string[] = [
  '{\n  // a note\n  "hooks": { "PreToolUse": [ { "matcher": "Edit" }, ], },\n  "env": {},\n}\n',
  '{"permissions":{"allow":["Bash(git push:*)","Read"],"deny":["Bash(rm *)"]}}',
]
export const SETTINGS_PIECES: readonly string[] = [
  ...['{', '}', '[', ']', ',', ':', '"', '/*', '*/', '//', '\n', '\ufeff', 'null', '"__proto__"', '1e999'],
  ...['"hooks":', '"PreToolUse":', '"env":', '"permissions":{"allow":', '"Bash(', '[[[['],
]

/** Adds Cordon's entries to settings and takes them out again. */
export function editSettings(text: string): void {
  try {
    importPermissions(text)
    removeFromJson(addToJson(text, EDITS), EDITS, text)
  } catch (error) {
    if (!(error instanceof CordonError && error.code === 'SETTINGS_INVALID')) throw error
  }
}

/** Opens what a command could have put in the place of a pass or an approval. */
export function openForged(bytes: Buffer): void {
  const opened = [unseal(KEY, 'a', bytes.toString('latin1')), unseal(KEY, 'a', bytes.toString('base64'))]
  if (opened.some((text) => text !== null)) throw new Error('forged bytes were opened')
}

const KEY = Buffer.alloc(32, 7)
export const anyBytes = fc.uint8Array({ maxLength: 400 })
