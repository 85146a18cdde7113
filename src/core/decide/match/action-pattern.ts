import { shellWord } from '../../model/run/display.js'
import type { Invocation } from '../../model/run/facts.js'
import type { Command } from '../../model/run/request.js'
import { globMatches } from './glob.js'

export type ToolName = 'bash' | 'exec'

const TOOLS: readonly ToolName[] = ['bash', 'exec']

export const toolOf = (command: Command): ToolName => (command.mode === 'shell' ? 'bash' : 'exec')

/** Placeholder for an unknown argument. Only `*` and `?` match it. */
const UNKNOWN = '\uFFFC'

/** Returns the command of one part. With `shellWord`, two different argument vectors never have the same text. */
function spelled({ program, argv }: Invocation, spell: (arg: string) => string): string {
  return [program ?? UNKNOWN, ...argv.slice(1).map((arg) => (typeof arg === 'string' ? spell(arg) : UNKNOWN))].join(' ')
}

const asIs = (arg: string): string => arg

/**
 * Splits `tool:bash:git push*` into tool and command. They are matched separately, because the `*` of `tool:*:git push`
 * must not match `evil x:git push`.
 */
export function splitAction(pattern: string): readonly [tool: string, command: string] | null {
  const parts = /^tool:([a-z*?]+)(?::(.*))?$/s.exec(pattern)
  return parts?.[1] === undefined ? null : [parts[1], parts[2] ?? '*']
}

/** Is there a tool by this name, or by one that fits the pattern? */
export const namesTool = (pattern: string): boolean => TOOLS.some((tool) => globMatches(pattern, tool))

function matches(pattern: string, tool: ToolName, commands: readonly string[]): boolean {
  const parts = splitAction(pattern)
  return parts !== null && globMatches(parts[0], tool) && commands.some((command) => globMatches(parts[1], command))
}

/** Reports whether a `deny` or `ask` pattern matches a part, quoted or plain, in any letter case. */
export const actionForbids = (pattern: string, tool: ToolName, part: Invocation): boolean =>
  matches(pattern.toLowerCase(), tool, [spelled(part, shellWord).toLowerCase(), spelled(part, asIs).toLowerCase()])

/** Reports whether an `allow` pattern matches the exact, quoted text of a part. */
export const actionPermits = (pattern: string, tool: ToolName, part: Invocation): boolean =>
  matches(pattern, tool, [spelled(part, shellWord)])

/** Reports whether a `deny` or `ask` pattern matches the whole request. */
export const actionForbidsText = (pattern: string, tool: ToolName, text: string): boolean =>
  matches(pattern.toLowerCase(), tool, [text.toLowerCase()])

/** Reports whether an `allow` pattern equals the whole request, character by character. */
export const actionPermitsText = (pattern: string, tool: ToolName, text: string): boolean => {
  const parts = splitAction(pattern)
  return parts !== null && globMatches(parts[0], tool) && parts[1] === text && !/[*?\\]/.test(text)
}
