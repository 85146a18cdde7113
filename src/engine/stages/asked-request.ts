import { shellLine } from '../../core/model/run/display.js'
import { fieldOf } from '../tasks/caller-events.js'
import type { AskedRequest, RawRequest } from './nouns.js'

const MOST_SHOWN = 1_000
/** Version, trace id, span id and flags; ids of zeros alone are none. */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/
const MOST_CALL_ID = 200
const CALLERS = ['cli', 'mcp', 'tool', 'hook', 'shell', 'http'] as const

/** Takes from an unchecked request what the audit log tells of it, however wrong it is. */
export function askedRequest(
  { input, options }: RawRequest,
  { id, at, isOpen = false }: Pick<AskedRequest, 'id' | 'at'> & { readonly isOpen?: boolean },
): AskedRequest {
  const agent = fieldOf(options, 'agent')
  const caller = fieldOf(options, 'caller')
  const traceparent = fieldOf(options, 'traceparent')
  const toolCallId = fieldOf(options, 'toolCallId')
  const toolName = fieldOf(options, 'toolName')
  return {
    id,
    at,
    caller: CALLERS.find((one) => one === caller) ?? 'library',
    agent: typeof agent === 'string' ? agent : null,
    shown: shownText(input).slice(0, MOST_SHOWN),
    isOpen,
    traceparent: typeof traceparent === 'string' && TRACEPARENT.test(traceparent) ? traceparent : undefined,
    toolCallId: typeof toolCallId === 'string' ? toolCallId.slice(0, MOST_CALL_ID) || undefined : undefined,
    toolName: typeof toolName === 'string' ? toolName.slice(0, MOST_CALL_ID) || undefined : undefined,
  }
}

/** Returns a text for an unchecked command of any type. */
export function shownText(input: unknown): string {
  if (typeof input === 'string') return input
  const program = fieldOf(input, 'program')
  const args = fieldOf(input, 'args') ?? []
  const isList = Array.isArray(args) && args.every((arg) => typeof arg === 'string')
  if (typeof program === 'string' && isList) return shellLine(program, args)
  try {
    return JSON.stringify(input) ?? String(input)
  } catch {
    return String(input)
  }
}
