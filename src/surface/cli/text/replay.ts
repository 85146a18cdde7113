import type { Verdict } from '../../../core/model/policy/decision.js'
import type { Engine } from '../../../engine/api.js'
import type { Paint } from '../terminal/style.js'
import { cut, visible } from '../terminal/visible-text.js'

type Replay = ReturnType<Engine['profiles']['replay']>

type Change = Replay['changes'][number]

/** The rule to look at: what allows is mostly that no rule speaks any longer. */
const ruleOf = ({ to, fromRule, toRule }: Change): string => (to === 'allow' ? fromRule : toRule) ?? ''

/** Returns directory and agent if the same command occurs in several directories or for several agents. */
function placeOf({ cwd, agent }: Change, isOne: boolean): string {
  if (isOne) return ''
  return `${cwd === null ? '' : ` in ${cwd}`}${agent === null ? '' : ` for ${agent}`}`
}

/** Each command whose verdict would change, from what to what, by which rule. */
export function replayText({ commands, changes, skipped, newest }: Replay, paint: Paint, columns: number): string {
  const colour = (verdict: Verdict): string =>
    ({ allow: paint.green, ask: paint.yellow, deny: paint.red })[verdict](verdict.padEnd(5))
  const [seen, doubles] = [new Set<string>(), new Set<string>()]
  for (const { command } of changes) (seen.has(command) ? doubles : seen).add(command)
  const rows = changes.map((change) => {
    const { command, from, to, times } = change
    const isOne = !doubles.has(command)
    const shown = cut(command, Math.max(20, columns - 50))
    const note = `${ruleOf(change)}${times > 1 ? ` ×${times}` : ''}${placeOf(change, isOne)}`
    return `${colour(from)} → ${colour(to)} ${shown} ${paint.dim(visible(note))}`
  })
  const past = skipped > 0 ? `, ${skipped} could not be decided again` : ''
  const cutOff = newest === null ? '' : ` Only the newest ${newest} requests were looked at.`
  return `${[...rows, paint.dim(`${changes.length} of ${commands} commands change${past}.${cutOff}`)].join('\n')}\n`
}
