import { type Filter, filter, lines, unlines } from './filter.js'
import { costOf, LINE_COST, regexSource } from './sed.js'
import type { Work } from './work.js'

/** How patterns are read. */
type Dialect = 'basic' | 'extended' | 'fixed'

const DIALECTS: Readonly<Record<string, Dialect>> = { E: 'extended', F: 'fixed', G: 'basic' }

interface Search {
  readonly pattern: string
  readonly dialect: Dialect
  readonly letters: string
}

/** `grep` with the options that pick lines, or what was matched of them. */
export const grep = (dialect: Dialect): Filter =>
  filter((args) => {
    let pattern: string | undefined
    let letters = ''
    const files: string[] = []
    for (const [i, arg] of args.entries()) {
      if (i > 0 && args[i - 1] === '-e') {
        if (pattern !== undefined) return null
        pattern = arg
      } else if (arg.startsWith('-') && arg !== '-') {
        if (!/^-(?:[vixhosEFG]+|e)$/.test(arg)) return null
        if (arg !== '-e') letters += arg.slice(1)
      } else if (pattern === undefined && !args.includes('-e')) pattern = arg
      else files.push(arg)
    }
    if (pattern === undefined || pattern.includes('\n')) return null
    const named = /[EFG](?=[^EFG]*$)/.exec(letters)?.[0]
    const search = { pattern, letters, dialect: named === undefined ? dialect : (DIALECTS[named] ?? dialect) }
    return { files, change: (text, work) => found(text, search, work) }
  })

/** The lines that are picked; null where an expression may mean something else to `grep` than to us. */
function found(text: string, { pattern, dialect, letters }: Search, work: Work): string | null {
  const source =
    dialect === 'fixed'
      ? pattern.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&').replaceAll('\\-', '-')
      : regexSource(pattern, dialect === 'extended')
  if (source === null) return null
  work.add(100 + 4 * pattern.length)
  const regex = expression(letters.includes('x') ? `^(?:${source})$` : source, letters.includes('i'))
  if (regex === null) return null
  const cost = costOf(source, 1 / 4)
  const [isOnly, isInverse] = [letters.includes('o'), letters.includes('v')]
  if (isOnly && isInverse) return null
  const out: string[] = []
  for (const line of lines(text)) {
    const units = cost(line.length)
    if (units > LINE_COST) return null
    work.add(units)
    const all = [...line.matchAll(regex)]
    if (isOnly) out.push(...all.map(([match]) => match).filter((match) => match !== ''))
    else if (all.length > 0 !== isInverse) out.push(line)
  }
  return unlines(out)
}

function expression(source: string, ignoresCase: boolean): RegExp | null {
  try {
    return new RegExp(source, ignoresCase ? 'giu' : 'gu')
  } catch {
    return null
  }
}
