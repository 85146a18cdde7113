/** Matches the start of a control string: OSC, DCS, SOS, PM, APC or a window title, as `ESC x` or one C1 character. */
const INTRODUCER = /\x1b[\]PX^_k]|[\x90\x98\x9d\x9e\x9f]/g
/** Matches the end of a control string. Any other escape, or a cancel, means that it was not finished. */
const END_OF_OSC = /\x07|\x1b\\|\x9c|[\x18\x1a\x1b\x80-\x9b\x9d-\x9f]/g
const END_OF_STRING = /\x1b\\|\x9c|[\x18\x1a\x1b\x80-\x9b\x9d-\x9f]/g
const TERMINATORS = new Set(['\x07', '\x1b\\', '\x9c'])
/** tmux wraps sequences for the outer terminal: every escape inside is doubled. */
const TMUX = 'tmux;'

/**
 * Removes control strings with their payload. One that is never finished loses only its introducer: a terminal would
 * swallow everything after it, and so could a program that wants to hide what follows.
 */
export function dropControlStrings(text: string): string {
  const parts: string[] = []
  const lastTerminator = text.lastIndexOf('\x1b\\')
  let at = 0
  const introducer = new RegExp(INTRODUCER)
  for (let hit = introducer.exec(text); hit !== null; hit = introducer.exec(text)) {
    parts.push(text.slice(at, hit.index))
    at = endOf(text, hit[0], introducer.lastIndex, lastTerminator)
    introducer.lastIndex = at
  }
  parts.push(text.slice(at))
  return parts.join('')
}

/** Returns the index after the terminator, or after the introducer if there is none. */
function endOf(text: string, introducer: string, from: number, lastTerminator: number): number {
  // Looking for an end that cannot be there, once per introducer, would make the whole scan quadratic.
  if (lastTerminator > from && text.startsWith(TMUX, from)) {
    const end = endOfTmux(text, from + TMUX.length)
    if (end !== -1) return end
  }
  const end = new RegExp(introducer === '\x1b]' || introducer === '\x9d' ? END_OF_OSC : END_OF_STRING)
  end.lastIndex = from
  const hit = end.exec(text)
  return hit !== null && TERMINATORS.has(hit[0]) ? end.lastIndex : from
}

/** Escapes inside come in pairs; the first that stands alone must end the string. */
function endOfTmux(text: string, from: number): number {
  for (let at = text.indexOf('\x1b', from); at !== -1; at = text.indexOf('\x1b', at + 2)) {
    if (text[at + 1] !== '\x1b') return text[at + 1] === '\\' ? at + 2 : -1
  }
  return -1
}
