import { CLAUDE_CODE } from './claude-code.js'
import { CODEX } from './codex.js'
import { COPILOT } from './copilot.js'
import { CURSOR } from './cursor.js'
import { OPENCODE, PI } from './extensions.js'
import { GEMINI } from './gemini.js'
import type { Dialect, HookAgent, Payload } from './hook-call.js'
import { QWEN } from './qwen.js'
import { VSCODE } from './vscode.js'

/** In the order in which payloads are told apart: the fields of those above are not sent by those below. */
const DIALECTS: readonly Dialect[] = [OPENCODE, PI, CURSOR, GEMINI, CODEX, QWEN, VSCODE, COPILOT, CLAUDE_CODE]

export const HOOK_AGENTS: readonly HookAgent[] = DIALECTS.map(({ agent }) => agent)

/**
 * The dialect to answer in. A registered name is only a hint: Copilot and VS Code load Claude's hooks and send their
 * own fields to them. Null if neither the fields nor the name tell.
 */
export function dialectOf(payload: Payload | null, name: HookAgent | null): Dialect | null {
  const byFields = payload && DIALECTS.find((dialect) => dialect.recognises(payload))
  return byFields ?? DIALECTS.find(({ agent }) => agent === name) ?? null
}
