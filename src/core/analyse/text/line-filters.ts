import { type Filter, filter, isAscii, isOption, lines, operandsOf, unlines } from './filter.js'
import type { Work } from './work.js'

export const rev = filter((args) =>
  args.includes('-')
    ? null
    : {
        files: operandsOf(args),
        change: (text) =>
          isAscii(text)
            ? text
                .split('\n')
                .map((line) => [...line].reverse().join(''))
                .join('\n')
            : null,
      },
)

export const tac = filter((args) =>
  args.some(isOption) || args.length > 1
    ? null
    : {
        files: args,
        change: (text) =>
          text
            .split(/(?<=\n)/)
            .reverse()
            .join(''),
      },
)
export const sort = filter((args) => (args.every((arg) => !isOption(arg)) ? { files: args, change: sorted } : null))

/** Other characters than these are ordered by the language that is set. */
function sorted(text: string): string | null {
  const all = lines(text)
  return all.length < 2 || all.every((line) => /^[a-z0-9]*$/.test(line)) ? unlines(all.sort()) : null
}

function ranges(list: string, count: number, work: Work): readonly number[] | null {
  const picked = new Set<number>()
  for (const item of list.split(',')) {
    const match = /^(\d*)(-?)(\d*)$/.exec(item)
    if (!match || item === '') return null
    const from = match[1] ? Number(match[1]) : 1
    const to = match[2] ? (match[3] ? Number(match[3]) : count) : from
    work.add(2 + Math.max(0, Math.min(to, count) - from))
    for (let i = from; i <= Math.min(to, count); i++) picked.add(i)
  }
  return [...picked].sort((a, b) => a - b)
}

export const cut = filter((args) => {
  const joinedArgs = args.join('\0')
  const value = (letter: string): string | undefined =>
    new RegExp(`(?:^|\\0)-${letter}\\0?([^\\0]*)`).exec(joinedArgs)?.[1] ?? undefined
  const delimiter = value('d') ?? /--delimiter=([^\0]*)/.exec(joinedArgs)?.[1] ?? '\t'
  if ([...delimiter].length !== 1) return null
  const fields = value('f') ?? /--fields=([^\0]*)/.exec(joinedArgs)?.[1]
  const chars = value('c') ?? value('b') ?? /--(?:characters|bytes)=([^\0]*)/.exec(joinedArgs)?.[1]
  if (args.some((arg) => /^--(?!delimiter=|fields=|characters=|bytes=)|^-[a-z]*[szn]/.test(arg))) return null
  const files = args.filter((arg, i) => !isOption(arg) && !/^-[dfcb]$/.test(args[i - 1] ?? ''))
  return { files, change: (text, work) => cutLines(text, delimiter, fields, chars, work) }
})

function cutLines(
  text: string,
  delimiter: string,
  fields: string | undefined,
  chars: string | undefined,
  work: Work,
): string | null {
  // They are counted in bytes.
  if (chars !== undefined && !isAscii(text)) return null
  const out: string[] = []
  for (const line of lines(text)) {
    const pieces = chars !== undefined ? [...line] : line.split(delimiter)
    const picked = ranges(chars ?? fields ?? '', pieces.length, work)
    if (picked === null) return null
    if (chars === undefined && pieces.length === 1) out.push(line)
    else out.push(picked.map((i) => pieces[i - 1] ?? '').join(chars !== undefined ? '' : delimiter))
  }
  return unlines(out)
}

/** `head -n 3`, `head -3`, `head -c 5`, `tail -n +2`. */
export const ends = (which: 'head' | 'tail'): Filter =>
  filter((args) => {
    let unit = 'n'
    let count = '10'
    const files: string[] = []
    for (let i = 0; i < args.length; i++) {
      const arg = args[i] as string
      const match = /^(?:-([nc])|--(lines|bytes)=?)?(.*)$/.exec(arg)
      if (/^-\d+$/.test(arg)) count = arg.slice(1)
      else if (match && (match[1] || match[2])) {
        unit = match[1] === 'c' || match[2] === 'bytes' ? 'c' : 'n'
        count = match[3] || (args[++i] ?? '')
      } else if (isOption(arg)) {
        if (!/^-[qv]$/.test(arg)) return null
      } else files.push(arg)
    }
    return { files, change: (text) => endOf(text, which, unit, count) }
  })

function endOf(text: string, which: 'head' | 'tail', unit: string, count: string): string | null {
  const number = Number(count)
  if (!Number.isInteger(number) || (unit === 'c' && !isAscii(text))) return null
  const pieces: readonly string[] = unit === 'c' ? [...text] : text.split(/(?<=\n)/)
  const size = Math.abs(number)
  if (which === 'head') return pieces.slice(0, number < 0 ? -size : size).join('')
  return pieces.slice(count.startsWith('+') ? Math.max(0, size - 1) : size === 0 ? pieces.length : -size).join('')
}

export const uniq = filter((args) =>
  args.some(isOption) || args.length > 1
    ? null
    : { files: args, change: (text) => unlines(lines(text).filter((line, i, all) => line !== all[i - 1])) },
)

/** `paste -s` with at most one delimiter: `-s`, `-sd,`, `-sd ,`, `-s -d ,`, and at most one file behind them. */
export const paste = filter((args) => {
  const last = args.at(-1) ?? ''
  const named = args.length > 1 && !isOption(last) && !/^-s?d$/.test(args.at(-2) ?? '')
  const options = named ? args.slice(0, -1) : args
  const match = /^-s(?:\0-d\0?|d\0?)?(\\0|[^\0]?)$/.exec(options.join('\0'))
  if (!match || match[1] === '\\') return null
  const delimiter = options.join('') === '-s' ? '\t' : match[1] === '\\0' ? '' : (match[1] ?? '')
  return { files: named ? [last] : [], change: (text) => `${lines(text).join(delimiter)}\n` }
})
