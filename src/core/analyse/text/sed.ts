import type { Work } from './work.js'

/** Longest line that is matched: expressions are data somebody else may have written. */
const LINE_CHARS = 16_384

/** What one command makes of a line, and what that costs at worst. */
interface LineChange {
  readonly apply: (line: string) => string | null
  readonly cost: (chars: number) => number
}

/** What one line may cost one expression. */
export const LINE_COST = 250_000

/** A repetition can begin and end anywhere: two of them in a row are tried at all pairs of places, and so on. */
export const costOf = (source: string, perChar: number) => {
  const repeats = source.match(/[*+}]/g)?.length ?? 0
  const free = repeats + (source.startsWith('^') ? 0 : 1)
  return (chars: number): number => {
    let tried = 1 / 25
    for (let i = 1; i <= free; i++) tried *= Math.max(1, chars / i)
    return 10 + Math.ceil(chars * perChar + tried)
  }
}

/**
 * Applies `s/a/b/flags` and `y/ab/cd/` of constant `sed` scripts; null where a script does more, or where its expressions mean
 * something else to `sed` than to us: text that is wrongly taken for known would hide what is run.
 */
export function substitute(text: string, scripts: readonly string[], extended: boolean, work: Work): string | null {
  const changes: LineChange[] = []
  for (const command of scripts.flatMap((script) => splitCommands(script))) {
    work.add(100 + 4 * command.length)
    const change = lineChange(command, extended)
    if (!change) return null
    changes.push(change)
  }
  const lines = text.split('\n')
  const ended = lines.at(-1) === ''
  if (ended) lines.pop()
  const out: string[] = []
  for (const line of lines) {
    let current: string | null = line
    for (const change of changes) {
      if (current.includes('\n') || current.length > LINE_CHARS) return null
      const cost = change.cost(current.length)
      if (cost > LINE_COST) return null
      work.add(cost)
      current = change.apply(current)
      if (current === null) return null
    }
    out.push(current)
  }
  return out.join('\n') + (ended && lines.length > 0 ? '\n' : '')
}

function splitCommands(script: string): readonly string[] {
  const out: string[] = []
  let rest = script.trim()
  while (rest !== '') {
    const delimiter = /^[sy](.)/s.exec(rest)?.[1]
    if (delimiter === undefined) return [...out, rest]
    let fields = 0
    let i = 2
    for (; i < rest.length && fields < 2; i++) {
      if (rest[i] === '\\') i++
      else if (rest[i] === delimiter) fields++
    }
    const end = /^[^;\n]*/.exec(rest.slice(i))?.[0].length ?? 0
    out.push(rest.slice(0, i + end))
    rest = rest.slice(i + end).replace(/^[;\s]+/, '')
  }
  return out
}

function fieldsOf(command: string): readonly [string, string, string] | null {
  const delimiter = command[1]
  if (delimiter === undefined || delimiter === '\\' || delimiter === '\n') return null
  const fields: string[] = ['']
  for (let i = 2; i < command.length; i++) {
    const c = command[i] as string
    if (c === '\\' && i + 1 < command.length && fields.length <= 2) {
      const next = command[++i] as string
      fields[fields.length - 1] += next === delimiter ? next : `\\${next}`
    } else if (c === delimiter && fields.length <= 2) fields.push('')
    else fields[fields.length - 1] += c
  }
  const [a, b, c] = fields
  return a === undefined || b === undefined || c === undefined ? null : [a, b, c]
}

function lineChange(command: string, extended: boolean): LineChange | null {
  const fields = /^[sy][^\w\s\\]/.test(command) ? fieldsOf(command) : null
  if (!fields) return null
  const [from, to, flags] = fields
  const delimiter = command[1] as string
  if (/[.*[\]^$+?(){}|&]/.test(delimiter) && command.includes(`\\${delimiter}`)) return null
  if (command.startsWith('y')) return transliteration(from, to, flags)
  if (!/^[gIi]*$/.test(flags.trim()) || from === '' || /\\[a-mo-su-zA-Z]|\\\n/.test(to)) return null
  const source = regexSource(from, extended)
  if (source === null) return null
  try {
    const regex = new RegExp(source, `${flags.includes('g') ? 'g' : ''}${/i/i.test(flags) ? 'i' : ''}su`)
    // Where nothing was matched, `sed` and we do not go on at the same place.
    if (flags.includes('g') && new RegExp(source, 'su').test('') && !/^\^/.test(source)) return null
    return {
      apply: (line) => line.replace(regex, (...match) => replacement(to, match as string[])),
      cost: costOf(source, flags.includes('g') ? 3 : 1 / 4),
    }
  } catch {
    return null
  }
}

function transliteration(from: string, to: string, flags: string): LineChange | null {
  if (/\\/.test(from + to) || [...from].length !== [...to].length || flags.trim() !== '') return null
  const targets = [...to]
  const table = new Map([...from].map((c, i) => [c, targets[i] ?? c]))
  return { apply: (line) => [...line].map((c) => table.get(c) ?? c).join(''), cost: (chars) => 10 + chars }
}

const replacement = (to: string, match: readonly string[]): string =>
  to.replace(/\\(\d)|\\([nt])|\\(.)|&/gs, (_, group?: string, control?: string, escaped?: string) => {
    if (group !== undefined) return typeof match[Number(group)] === 'string' ? (match[Number(group)] ?? '') : ''
    if (control !== undefined) return control === 'n' ? '\n' : '\t'
    return escaped ?? match[0] ?? ''
  })

/**
 * A POSIX expression as ours. Null where the two differ: classes, escapes, anchors in the middle, alternatives and repeated groups
 * (theirs take the longest match, ours the first), references.
 */
export function regexSource(from: string, extended: boolean): string | null {
  if (/\[\[[:.=]|\\[a-zA-Z0-9'`<>]|\[[^\]]*\\/.test(from) || /[^\x20-\x7e]/.test(from)) return null
  const group = extended ? /\)[*+?{]/ : /\\\)(?:\*|\\[+?{])/
  const alternative = extended ? /\||\(\?/ : /\\\|/
  if (alternative.test(from) || group.test(from)) return null
  if (extended) return from.replace(/[-/](?![^[]*\])/g, '\\$&').replaceAll('\\-', '-')
  let out = ''
  for (let i = 0; i < from.length; i++) {
    const c = from[i] as string
    if ((c === '^' && i > 0) || (c === '$' && i < from.length - 1)) return null
    if (c === '\\') {
      const next = from[++i] ?? ''
      out += /[(){}+?]/.test(next) ? next : /[.*[\]^$/\\]/.test(next) ? `\\${next}` : next
    } else if (c === '[') {
      const end = from.indexOf(']', from[i + 1] === '^' ? i + 3 : i + 2)
      if (end < 0) return null
      const inner = from.slice(i + 1, end).replace(/[[\]]/g, '\\$&')
      out += `[${inner}]`
      i = end
    } else out += /[(){}|+?]/.test(c) ? `\\${c}` : c
  }
  return out
}
