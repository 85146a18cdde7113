import { type Filter, type FilterCall, filter, isOption, unlines } from './filter.js'

const isPlain = (text: string): boolean => !/[^\n\x20-\x7e]/.test(text)
const lines = (text: string): string[] => text.replace(/\n$/, '').split('\n')

/** `fold -w 8`, `fold -8`, `fold file`: lines of so many characters. */
const fold = filter((args) => {
  const match = /^(?:(?:-w\0?|--width=|-)(\d{1,4})(?:\0|$))?([^\0-][^\0]*)?$/.exec(args.join('\0'))
  const width = match ? Number(match[1] ?? 80) : 0
  if (width === 0) return null
  const cut = (line: string): string => line.replace(new RegExp(`.{${width}}(?=.)`, 'g'), '$&\n')
  return {
    files: match?.[2] === undefined ? [] : [match[2]],
    change: (text) => (isPlain(text) ? text.split('\n').map(cut).join('\n') : null),
  }
})

/** Numbers lines that are not empty. */
const nl = filter((args) =>
  args.length > 0
    ? null
    : {
        files: [],
        change: (text) =>
          /^\\|^\n|\n\n|^$/m.test(text.replace(/\n$/, ''))
            ? null
            : unlines(lines(text).map((line, i) => `${String(i + 1).padStart(6)}\t${line}`)),
      },
)

/** Without tabs there is nothing to change. */
const expand = filter((args) =>
  args.some(isOption) ? null : { files: args, change: (text) => (text.includes('\t') ? null : text) },
)

/** `expr substr x 2 3`, `expr length x`, `expr index x y`: what is a number is not computed, and not needed. */
const expr: Filter = {
  usesInput: false,
  read: (args) => ({
    files: [],
    change: () => {
      const [what, text = '', from, count] = args
      if (what !== 'substr' || args.length !== 4 || !/^\d{1,9}$/.test(from ?? '') || !/^\d{1,9}$/.test(count ?? ''))
        return null
      const start = Number(from)
      return isPlain(text) ? `${start === 0 ? '' : text.slice(start - 1, start - 1 + Number(count))}\n` : null
    },
  }),
}

/** What one `print` of `awk` prints: fields and strings, with a blank between them where there is a comma. */
type Piece = { readonly field: number | 'last' } | { readonly text: string } | { readonly comma: true }

function piecesOf(list: string): readonly Piece[] | null {
  if (list.trim() === '') return [{ field: 0 }]
  const pieces: Piece[] = []
  let rest = list.trim()
  while (rest !== '') {
    const match = /^(?:\$(\d{1,3}|NF)|"([^"\\]*)"|(,))\s*/.exec(rest)
    if (!match) return null
    const [all, field, text, comma] = match
    if (comma) pieces.push({ comma: true })
    else pieces.push(field === undefined ? { text: text ?? '' } : { field: field === 'NF' ? 'last' : Number(field) })
    rest = rest.slice(all.length)
  }
  return pieces
}

const AWK = /^\s*(BEGIN)?\s*\{\s*print\b([^;{}|<>]*);?\s*\}\s*$/

/** `awk 1`, `awk NR==2`, `awk 'NR>1'`: lines by their numbers. Null for all else. */
function numbered(args: readonly string[]): FilterCall | null {
  const [program = '', file, more] = args
  const [, always, operator, text] = /^\s*(?:(1)|NR\s*(==|>=?|<=?|!=)\s*(\d{1,6}))\s*$/.exec(program) ?? []
  if ((always ?? operator) === undefined || more !== undefined || (file !== undefined && /^-|=/.test(file))) return null
  const number = Number(text)
  const isPicked = (at: number): boolean =>
    always !== undefined ||
    (operator?.includes('=') && operator !== '!=' && at === number) ||
    isBeyond(operator, at, number)
  return {
    files: file === undefined ? [] : [file],
    change: (input) => (input === '' ? '' : unlines(lines(input).filter((_, i) => isPicked(i + 1)))),
  }
}

const isBeyond = (operator: string | undefined, at: number, number: number): boolean =>
  operator === '!='
    ? at !== number
    : operator?.startsWith('>')
      ? at > number
      : operator?.startsWith('<') === true && at < number

/** `awk '{print $2}'`, `awk -F: '{print $1, $NF}'`, `awk 'BEGIN{print "x"}'`. */
const awk = filter((args) => {
  const byNumber = numbered(args)
  if (byNumber) return byNumber
  const separated = /^-F\0?(\\?.)(?=\0)/s.exec(args.join('\0'))
  const rest = separated ? args.slice(args[0] === '-F' ? 2 : 1) : args
  const [program, file, more] = rest
  const match = program === undefined || more !== undefined || isOption(program) ? null : AWK.exec(program)
  const pieces = match ? piecesOf(match[2] ?? '') : null
  const separator = separated?.[1] ?? ' '
  if (!match || pieces === null || !/^[ :;,=|/.@_#%-]$/.test(separator)) return null
  if (match[1]) return file === undefined ? { files: [], change: () => `${spoken(pieces, '', [])}\n` } : null
  if (file !== undefined && (file.includes('=') || isOption(file))) return null
  const fieldsOf = (line: string): string[] =>
    separator === ' ' ? line.split(/[ \t]+/).filter((field) => field !== '') : line === '' ? [] : line.split(separator)
  return {
    files: file === undefined ? [] : [file],
    change: (text) => {
      if (!isPlain(text.replaceAll('\t', ' '))) return null
      return text === '' ? '' : unlines(lines(text).map((line) => spoken(pieces, line, fieldsOf(line))))
    },
  }
})

const spoken = (pieces: readonly Piece[], line: string, fields: readonly string[]): string =>
  pieces
    .map((piece) => {
      if ('comma' in piece) return ' '
      if ('text' in piece) return piece.text
      if (piece.field === 0) return line
      return (piece.field === 'last' ? fields.at(-1) : fields[piece.field - 1]) ?? ''
    })
    .join('')

/** Filters that are seldom used to make words, and where they are, to hide them. */
export const LESSER_FILTERS: readonly (readonly [string, Filter])[] = [
  ['fold', fold],
  ['nl', nl],
  ['expand', expand],
  ['unexpand', expand],
  ['expr', expr],
  ['awk', awk],
  ['gawk', awk],
  ['mawk', awk],
]
