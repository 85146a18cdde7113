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
  for (const repair of [closed(text), withoutAliases(text)]) {
    if (repair === null) continue
    reading.work.add(100 + 4 * repair.length)
    if (parseScript(repair).problems.length === 0) runText(reading, state.fork(), repair)
  }
  const pieces = new Set(text.split(/[;&|\n(){}`]+/).map((piece) => piece.trim()))
  for (const piece of pieces) runPiece(reading, state, piece)
  reading.undecided--
  reading.salvaged = false
}

/** bash takes the end of the script for the end of a here-document that is never closed. */
function closed(text: string): string | null {
  const ends = [...text.matchAll(/<<-?[ \t]*(?:'([^'\n]+)'|"([^"\n]+)"|\\?([\w.-]+))/g)].slice(0, 8)
  const words = ends.map(([, single, double, plain]) => single ?? double ?? plain ?? '')
  return words.length === 0 ? null : `${text.replace(/\n?$/, '\n')}${words.map((word) => `${word}\n`).join('')}`
}

const ALIAS = /\balias\s+([\w.+-]+)=(?:'([^']*)'|"([^"$`\\]*)"|([^\s;&|'"$`\\]+))[^\n]*\n/g

/** An alias may open what another line closes: the script with what they stand for put in where a command begins. */
function withoutAliases(text: string): string | null {
  let changed = text
  for (const [definition, name = '', single, double, plain] of [...text.matchAll(ALIAS)].slice(0, 8)) {
    const end = changed.indexOf(definition) + definition.length
    if (end < definition.length) continue
    const use = new RegExp(
      `(^|[\\n;&|({]|\\b(?:then|do|else|if|while|until|!)\\s)([ \\t]*)${name.replace(/[.+]/g, '\\$&')}(?=[\\s;&|)]|$)`,
      'g',
    )
    const value = single ?? double ?? plain ?? ''
    changed = changed.slice(0, end) + changed.slice(end).replace(use, (_, before: string) => `${before} ${value}`)
  }
  return changed === text ? null : changed
}

function runPiece(reading: Reading, state: State, piece: string): void {
  if (piece === '') return
  reading.work.add(100 + 2 * piece.length)
  const bare = piece.replace(/["'\\]/g, '').replace(/^(?:then|else|do|elif|if|while|until|!|time|in)\s+/, '')
  const readable = [piece, bare].find((words) => parseScript(words).problems.length === 0)
  if (readable !== undefined) runText(reading, state.fork(), readable)
}
