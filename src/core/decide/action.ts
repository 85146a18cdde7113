import { escapeArg } from '../model/display.js'
import type { Invocation } from '../model/facts.js'
import type { Command } from '../model/request.js'
import { globMatches } from './glob.js'

export type ToolName = 'bash' | 'exec'

const TOOLS: readonly ToolName[] = ['bash', 'exec']

export const toolOf = (command: Command): ToolName => (command.mode === 'shell' ? 'bash' : 'exec')

/** Stands for an argument nobody knows; only `*` and `?` match it. */
const UNKNOWN = '\uFFFC'

/** The command of one part, quoted so that two different argument vectors never look the same, or plain as people think of it. */
function spelled({ program, argv }: Invocation, spell: (arg: string) => string): string {
  return [program ?? UNKNOWN, ...argv.slice(1).map((arg) => (typeof arg === 'string' ? spell(arg) : UNKNOWN))].join(' ')
}

const asIs = (arg: string): string => arg

/**
 * `tool:bash:git push*`: the tool and the command are matched apart, or the `*` of `tool:*:git push` would
 * take in `evil x:git push` as well.
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

/** Does a pattern against something (`deny`, `ask`) speak of this part? Either spelling will do, in any letter case. */
export const actionForbids = (pattern: string, tool: ToolName, part: Invocation): boolean =>
  matches(pattern.toLowerCase(), tool, [spelled(part, escapeArg).toLowerCase(), spelled(part, asIs).toLowerCase()])

/** Does a pattern in favour (`allow`) speak of this part? Only the exact spelling counts. */
export const actionPermits = (pattern: string, tool: ToolName, part: Invocation): boolean =>
  matches(pattern, tool, [spelled(part, escapeArg)])

/** Does a pattern against something speak of the whole request? */
export const actionForbidsText = (pattern: string, tool: ToolName, text: string): boolean =>
  matches(pattern.toLowerCase(), tool, [text.toLowerCase()])

/** Does a pattern in favour speak of the whole request? Only when it is the request, letter by letter. */
export const actionPermitsText = (pattern: string, tool: ToolName, text: string): boolean => {
  const parts = splitAction(pattern)
  return parts !== null && globMatches(parts[0], tool) && parts[1] === text && !/[*?\\]/.test(text)
}
