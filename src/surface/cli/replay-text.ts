import type { Verdict } from '../../core/model/decision.js'
import type { Engine } from '../../engine/api.js'
import type { Paint } from './paint.js'
import { cut, visible } from './visible.js'

type Replay = ReturnType<Engine['profiles']['replay']>

/** Each command whose verdict would change, from what to what, by which rule. */
export function replayText({ commands, changes, skipped }: Replay, paint: Paint, columns: number): string {
  const colour = (verdict: Verdict): string =>
    ({ allow: paint.green, ask: paint.yellow, deny: paint.red })[verdict](verdict.padEnd(5))
  const rows = changes.map(
    ({ command, from, to, toRule, times }) =>
      `${colour(from)} → ${colour(to)} ${cut(command, Math.max(20, columns - 50))} ` +
      paint.dim(`${visible(toRule ?? '')} ${times > 1 ? `×${times}` : ''}`.trim()),
  )
  const past = skipped > 0 ? `, ${skipped} could not be decided again` : ''
  return `${[...rows, paint.dim(`${changes.length} of ${commands} commands change${past}.`)].join('\n')}\n`
}
