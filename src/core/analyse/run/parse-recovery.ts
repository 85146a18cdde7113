import { parseScript } from '../../shell/parse-script.js'
import type { Analysis } from '../analysis/analysis.js'
import type { State } from '../state/state.js'
import { runText } from './shell-text.js'

/** Analyses the parsable parts of an unparsable script, so that a denied command in it stays denied. */
export function recoverStatements(analysis: Analysis, state: State, text: string): void {
  analysis.calls.recover(() => {
    const pieces = new Set(text.split(/[;&|\n(){}`]+/).map((piece) => piece.trim()))
    for (const piece of pieces) analysis.certainty.maybe(() => runPiece(analysis, state, piece))
  })
}

function runPiece(analysis: Analysis, state: State, piece: string): void {
  if (piece === '') return
  analysis.budget.add(100 + 2 * piece.length)
  const bare = piece.replace(/["'\\]/g, '').replace(/^(?:then|else|do|elif|if|while|until|!|time|in)\s+/, '')
  const readable = [piece, bare].find((words) => parseScript(words).parseErrors.length === 0)
  if (readable !== undefined) runText(analysis, state.fork(), readable)
}
