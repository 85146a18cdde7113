import { copies } from './copies.js'
import { addPath } from './path-facts.js'
import { type Arg, type Effect, MARK } from './programs/knowledge.js'
import type { Reading } from './reading.js'
import type { State } from './state.js'
import { lookUp } from './variables.js'

const KINDS = { read: 'reads', write: 'writes', delete: 'deletes' } as const

export function performPath(
  reading: Reading,
  state: State,
  effect: Extract<Effect, { does: 'read' | 'write' | 'delete' }>,
  by: string,
): void {
  const { path, cwd } = effect
  if (path.text === '-' || path.text === '/dev/null') return
  const base = effect.inHome
    ? homeOf(reading, state)
    : cwd === undefined
      ? state.cwd
      : cwd.text === null
        ? null
        : reading.absolute(state, cwd.text)
  addPath(reading, state, KINDS[effect.does], path, by, effect.recursive, base)
  if (effect.does === 'delete' && effect.recursive && isPrinted(path))
    reading.reportUnknown('a directory is deleted whose name a program prints', path.span)
  if (effect.does === 'delete' && path.text !== null && reading.memory.hasFiles && reading.dead === 0 && !MOVES.has(by))
    reading.files.get(reading.owned(state, path.text))?.mayVanish()
  if (effect.does === 'write' && reading.dead === 0 && !KEEPS_TEXT.has(by)) forgetFile(reading, state, path, by)
}

/** Is a path nothing but what a program prints? */
const isPrinted = ({ text, source, place, around }: Arg): boolean =>
  text === null && source === 'output' && place === undefined && (around === undefined || around === MARK)

function homeOf(reading: Reading, state: State): string {
  const { value } = lookUp(reading, state, 'HOME')
  return typeof value === 'string' ? value : reading.context.home
}

/** What they delete is followed to where it goes. */
const MOVES = new Set(['mv', 'gmv'])
/** Programs that make no link where there is a file, unless they are forced to. */
const LINKS = new Set(['ln', 'gln', 'link'])

/** Programs that write a file without changing its text, or whose text is followed. */
const KEEPS_TEXT = new Set('tee chmod chown chgrp touch setfacl chattr setfattr'.split(' '))

/** What a program writes is not known, and what was known of the file is no longer so. */
function forgetFile(reading: Reading, state: State, path: Arg, by: string): void {
  const absolute = path.text === null ? null : reading.owned(state, path.text)
  if (absolute === null) return
  if (reading.files.has(absolute) && (LINKS.has(by) || copies(by))) return
  reading.files.delete(absolute)
  reading.copies.delete(absolute)
  reading.written.set(absolute, by)
}
