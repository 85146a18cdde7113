import { parseScript } from '../shell/parse-script.js'
import type { Reading } from './reading.js'
import { runText } from './shell-text.js'
import type { State } from './state.js'

/**
 * Reads what it can of a script that cannot be read as a whole. It is hidden anyway; but what stands in it in plain words need not be,
 * or whoever finds a gap in the reader's grammar turns a refusal into a question.
 */
export function salvage(reading: Reading, state: State, text: string): void {
  if (reading.salvaged) return
  reading.salvaged = true
  reading.undecided++
  const pieces = new Set(text.split(/[;&|\n(){}`]+/).map((piece) => piece.trim()))
  for (const piece of pieces) runPiece(reading, state, piece)
  reading.undecided--
  reading.salvaged = false
}

function runPiece(reading: Reading, state: State, piece: string): void {
  if (piece === '') return
  reading.work.add(100 + 2 * piece.length)
  const bare = piece.replace(/["'\\]/g, '').replace(/^(?:then|else|do|elif|if|while|until|!|time|in)\s+/, '')
  const readable = [piece, bare].find((words) => parseScript(words).problems.length === 0)
  if (readable !== undefined) runText(reading, state.fork(), readable)
}
