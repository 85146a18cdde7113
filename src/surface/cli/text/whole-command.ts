import type { Approval } from '../../../core/model/policy/approval.js'
import { glyphs, visible, widthOf } from '../terminal/visible-text.js'

/** The most lines of a command that are shown. A longer one is shown from both ends with the number left out. */
const MAX_CHARACTERS = 20_000

/**
 * Every character of a command that a person is to answer for, where its excerpts may leave some of them out: they
 * show the lines a rule points at, cut to the width of the terminal. Nothing for a command that is seen whole in
 * them.
 */
export function wholeCommand(text: string, columns: number): readonly string[] {
  if (!text.includes('\n') && widthOf(glyphs(text)) + 4 <= columns) return []
  return ['  The whole command:', ...bothEnds(text), '']
}

/** The text of every script that is approved together with the command. */
export const approvedScripts = (scripts: Approval['scripts']): readonly string[] =>
  scripts.flatMap(([path, text]) => [`  The script ${visible(path)}:`, ...bothEnds(text.replace(/\n$/, '')), ''])

function bothEnds(text: string): readonly string[] {
  const characters = [...text]
  const half = MAX_CHARACTERS / 2
  const missing = characters.length - MAX_CHARACTERS
  const shown =
    missing <= 0
      ? [text]
      : [
          characters.slice(0, half).join(''),
          `… ${missing} characters are not shown …`,
          characters.slice(characters.length - half).join(''),
        ]
  return shown.flatMap((one) => one.split('\n')).map((line) => `  ${visible(line)}`)
}
