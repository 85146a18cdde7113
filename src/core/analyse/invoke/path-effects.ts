import type { Analysis } from '../analysis/analysis.js'
import { lookUp } from '../expand/variables.js'
import { copies } from '../files/copies-and-links.js'
import { addPath } from '../files/path-facts.js'
import { absolutePath, scriptPath } from '../files/physical-path.js'
import { type Arg, type Effect, MARK } from '../programs/grammar/roles.js'
import type { State } from '../state/state.js'

const KINDS = { read: 'reads', write: 'writes', delete: 'deletes' } as const

export function applyPathEffect(
  analysis: Analysis,
  state: State,
  effect: Extract<Effect, { does: 'read' | 'write' | 'delete' }>,
  by: string,
): void {
  const { path, cwd } = effect
  if (path.text === '-' || path.text === '/dev/null') return
  const base = effect.inHome
    ? homeOf(analysis, state)
    : cwd === undefined
      ? state.directory.cwd
      : cwd.text === null
        ? null
        : absolutePath(analysis, state, cwd.text)
  addPath(analysis, state, { kind: KINDS[effect.does], by, recursive: effect.recursive }, path, base)
  if (effect.does === 'delete' && effect.recursive && isPrinted(path))
    analysis.findings.reportUnknown('a program computes the name of a deleted directory', path.span)
  if (
    effect.does === 'delete' &&
    path.text !== null &&
    analysis.files.hasFiles &&
    !analysis.certainty.isUnreachable &&
    !MOVES.has(by)
  )
    analysis.files.texts.get(scriptPath(analysis, state, path.text))?.mayVanish()
  if (effect.does === 'write' && !analysis.certainty.isUnreachable && !KEEPS_TEXT.has(by))
    forgetFile(analysis, state, path, by)
}

/** Tells whether a path consists only of program output. */
const isPrinted = ({ text, origin, pathName, template }: Arg): boolean =>
  text === null && origin === 'output' && pathName === undefined && (template === undefined || template === MARK)

function homeOf(analysis: Analysis, state: State): string {
  const { value } = lookUp(analysis, state, 'HOME')
  return typeof value === 'string' ? value : analysis.input.home
}

/** Programs whose deleted paths are followed to a target. */
const MOVES = new Set(['mv', 'gmv'])
/** Programs that do not replace a file by a link, unless forced. */
const LINKS = new Set(['ln', 'gln', 'link'])

/** Programs that keep the text of a file, or whose text is followed. `strip` fails on text. */
const KEEPS_TEXT = new Set('tee chmod chown chgrp touch setfacl chattr setfattr strip gstrip'.split(' '))

/** Makes the text of a file unknown, because a program writes it. */
function forgetFile(analysis: Analysis, state: State, path: Arg, by: string): void {
  const absolute = path.text === null ? null : scriptPath(analysis, state, path.text)
  if (absolute === null) return
  if (analysis.files.texts.has(absolute) && (LINKS.has(by) || copies(by))) return
  analysis.files.texts.delete(absolute)
  analysis.files.copies.delete(absolute)
  analysis.files.writers.set(absolute, by)
}
