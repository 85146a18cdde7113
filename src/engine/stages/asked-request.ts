import { fieldOf } from '../tasks/caller-events.js'
import type { AskedRequest, RawRequest } from './nouns.js'

const MOST_SHOWN = 1_000
const CALLERS = ['cli', 'mcp', 'tool', 'hook', 'shell', 'http'] as const

/** Takes from an unchecked request what the audit log tells of it, however wrong it is. */
export function askedRequest(
  { input, options }: RawRequest,
  { id, at, isOpen = false }: Pick<AskedRequest, 'id' | 'at'> & { readonly isOpen?: boolean },
): AskedRequest {
  const agent = fieldOf(options, 'agent')
  const caller = fieldOf(options, 'caller')
  return {
    id,
    at,
    caller: CALLERS.find((one) => one === caller) ?? 'library',
    agent: typeof agent === 'string' ? agent : null,
    shown: shownText(input).slice(0, MOST_SHOWN),
    isOpen,
  }
}

/** Returns a text for an unchecked command of any type. */
export function shownText(input: unknown): string {
  if (typeof input === 'string') return input
  try {
    return JSON.stringify(input) ?? String(input)
  } catch {
    return String(input)
  }
}
