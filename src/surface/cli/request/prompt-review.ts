import type { FileDiff } from '../../../core/model/run/change.js'
import { type Cli, paintErr } from '../terminal/context.js'
import { visible } from '../terminal/visible-text.js'
import { askLine } from './prompt-approval.js'

/** Everything, nothing, or these paths. */
export type Review = 'all' | 'none' | readonly string[]

/** Asks the person at the terminal what to keep. Anything that is no clear yes keeps nothing. */
export async function reviewedBy(
  cli: Cli,
  diffs: readonly FileDiff[],
  options: { readonly color: boolean },
): Promise<Review> {
  const paint = paintErr(cli, options)
  // Ctrl-C answers this question and all that would follow.
  const stop = new AbortController()
  const ask = (question: string): Promise<string> => askLine(cli, paint.bold(question), stop.signal, () => stop.abort())
  const answer = (await ask('Keep these changes? [y]es, [N]o, [e]ach ')).trim()
  if (/^y(es)?$/i.test(answer)) return 'all'
  if (!/^e(ach)?$/i.test(answer)) return 'none'
  const kept: string[] = []
  for (const { change } of diffs) {
    if (change.type === 'directory' && change.kind === 'created') continue
    if (/^y(es)?$/i.test((await ask(`Keep ${change.kind} ${visible(change.path)}? [y/N] `)).trim()))
      kept.push(change.path)
  }
  return kept
}
