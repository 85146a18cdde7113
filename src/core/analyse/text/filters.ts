import { decodeBase16, decodeBase32, decodeBase64, encodeBase64 } from './encodings.js'
import { gnuOptions } from './gnu-options.js'
import { LESSER_FILTERS } from './lesser-filters.js'
import { substitute } from './sed.js'
import { translate } from './tr.js'
import type { Work } from './work.js'

/** One call of a text filter: the files it reads, and what it makes of their text; null where that is not followed. */
export interface FilterCall {
  readonly files: readonly string[]
  readonly change: (text: string, work: Work) => string | null
  /** Prints exactly what it reads. */
  readonly identity?: boolean
}

export interface Filter {
  /** Reads its arguments, the program's name not among them. Null where they are not understood. */
  readonly read: (args: readonly string[]) => FilterCall | null
  /** False for programs that print without reading anything. */
  readonly usesInput: boolean
}

const filter = (read: Filter['read']): Filter => ({ read, usesInput: true })
const source = (print: (args: readonly string[]) => string | null): Filter => ({
  read: (args) => ({ files: [], change: () => print(args) }),
  usesInput: false,
})

const isAscii = (text: string): boolean => !/[^\0-\x7f]/.test(text)
const isOption = (arg: string): boolean => arg.length > 1 && arg.startsWith('-')
const operandsOf = (args: readonly string[]): readonly string[] => args.filter((arg) => !isOption(arg))
const lines = (text: string): string[] => {
  const all = text.split('\n')
  if (all.at(-1) === '') all.pop()
  return all
}
const unlines = (all: readonly string[]): string => all.map((line) => `${line}\n`).join('')

const rev = filter((args) =>
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
const cat = filter((args) => {
  const plain = args.every((arg) => !isOption(arg) || arg === '-u' || arg === '--')
  return plain ? { files: operandsOf(args), change: (text) => text, identity: true } : null
})
const tac = filter((args) =>
  args.some(isOption)
    ? null
    : { files: args, change: (text) => (text === '' || text.endsWith('\n') ? unlines(lines(text).reverse()) : null) },
)
const sort = filter((args) => (args.every((arg) => !isOption(arg)) ? { files: args, change: sorted } : null))

/** Other characters than these are ordered by the language that is set. */
function sorted(text: string): string | null {
  const all = lines(text)
  return all.length < 2 || all.every((line) => /^[a-z0-9]*$/.test(line)) ? unlines(all.sort()) : null
}

const BASED = 'd/decode i/ignore-garbage w/wrap='
const base64 = filter((args) => {
  const call = gnuOptions(args, BASED) ?? gnuOptions(args, 'D/decode i/ignore-garbage w/wrap=')
  if (!call) return null
  const { flags, values, operands } = call
  const wrap = values.get('w')
  return {
    files: operands,
    change: (text) =>
      flags.has('d') || flags.has('D')
        ? decodeBase64(text, flags.has('i'))
        : (wrap === undefined && text.length > 56) || (wrap ?? '0') !== '0'
          ? null
          : encodeBase64(text).replace(/\n$/, wrap === '0' ? '' : '\n'),
  }
})
const base32 = filter((args) => {
  const call = gnuOptions(args, BASED)
  return call?.flags.has('d')
    ? { files: call.operands, change: (text) => decodeBase32(text, call.flags.has('i')) }
    : null
})
const basenc = filter((args) => {
  const call = gnuOptions(args, `${BASED} /base64 /base64url /base32 /base16 /base32hex /base2msbf /base2lsbf /z85`)
  if (!call?.flags.has('d')) return null
  const ignores = call.flags.has('i')
  const codes = [...call.flags].filter((flag) => flag.length > 1)
  if (codes.length !== 1) return null
  const change = DECODERS[codes[0] ?? '']
  return change ? { files: call.operands, change: (text) => change(text, ignores) } : null
})
const DECODERS: Readonly<Record<string, (text: string, ignores: boolean) => string | null>> = {
  base64: decodeBase64,
  base64url: (text, ignores) =>
    /[+/]/.test(text) ? null : decodeBase64(text.replaceAll('-', '+').replaceAll('_', '/'), ignores),
  base32: decodeBase32,
  base16: (text, ignores) => (ignores || /[a-f \t]/.test(text) ? null : decodeBase16(text)),
}
const xxd = filter((args) => {
  const options = args.filter(isOption)
  const plain = options.some((arg) => /^-(p|ps|plain|postscript)$/.test(arg))
  const reverts = options.some((arg) => /^-(r|revert)$/.test(arg))
  const files = operandsOf(args)
  const isRead = options.every((arg) => /^-(p|ps|plain|postscript|r|revert)$/.test(arg))
  // A second file is written.
  return plain && reverts && isRead && files.length < 2 ? { files, change: decodeBase16 } : null
})
const openssl = filter((args) => {
  const based = args.includes('base64') || args.includes('-base64') || args.includes('-a')
  const understood = /^(base64|enc|-base64|-a|-A|-d|-in)$/
  const at = args.indexOf('-in')
  const isRead = args.every((arg, i) => understood.test(arg) || (at >= 0 && i === at + 1))
  return based && args.includes('-d') && isRead
    ? { files: at < 0 ? [] : [args[at + 1] ?? ''], change: (text) => decodeBase64(text.replace(/\r/g, ''), false) }
    : null
})

const tr = filter((args) => ({ files: [], change: (text, work) => translate(text, args, work) }))
const sed = filter((args) => {
  const scripts: string[] = []
  const files: string[] = []
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] as string
    if (arg === '-e' || arg === '--expression') scripts.push(args[++i] ?? '')
    else if (/^-[nzuErs]*i/.test(arg) || /^(-f|--file|-n|--quiet)/.test(arg)) return null
    else if (/^-[Er]$/.test(arg)) {
      if (!scripts.some((s) => s === 'extended')) scripts.unshift('extended')
    } else if (isOption(arg)) return null
    else if (!scripts.some((s) => s !== 'extended')) scripts.push(arg)
    else files.push(arg)
  }
  const extended = scripts.includes('extended')
  return {
    files,
    change: (text, work) =>
      substitute(
        text,
        scripts.filter((s) => s !== 'extended'),
        extended,
        work,
      ),
  }
})

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

const cut = filter((args) => {
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
const ends = (which: 'head' | 'tail'): Filter =>
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

const uniq = filter((args) =>
  args.some(isOption) || args.length > 1
    ? null
    : { files: args, change: (text) => unlines(lines(text).filter((line, i, all) => line !== all[i - 1])) },
)

/** `paste -s` with at most one delimiter: `-s`, `-sd,`, `-sd ,`, `-s -d ,`, and at most one file behind them. */
const paste = filter((args) => {
  const last = args.at(-1) ?? ''
  const named = args.length > 1 && !isOption(last) && !/^-s?d$/.test(args.at(-2) ?? '')
  const options = named ? args.slice(0, -1) : args
  const match = /^-s(?:\0-d\0?|d\0?)?([^\0]?)$/.exec(options.join('\0'))
  if (!match || match[1] === '\\') return null
  const delimiter = options.join('') === '-s' ? '\t' : (match[1] ?? '')
  return { files: named ? [last] : [], change: (text) => `${lines(text).join(delimiter)}\n` }
})

const basename = source((args) => {
  const [path, suffix, third] = operandsOf(args)
  if (path === undefined || third !== undefined || /^\/*$/.test(path) || args.some(isOption)) return null
  const base = path.replace(/\/+$/, '').replace(/^.*\//s, '')
  return `${suffix !== undefined && base.endsWith(suffix) && base !== suffix ? base.slice(0, -suffix.length) : base}\n`
})
const dirname = source((args) => {
  const [path, another] = operandsOf(args)
  if (path === undefined || another !== undefined || path === '' || args.some(isOption)) return null
  const clean = path.replace(/(?<=.)\/+$/, '')
  const slash = clean.lastIndexOf('/')
  return `${slash < 0 ? '.' : clean.slice(0, slash).replace(/\/+$/, '') || '/'}\n`
})
const seq = source((args) => {
  if (args.some((arg) => !/^-?\d+$/.test(arg)) || args.length === 0) return null
  const [from, step, to] =
    args.length === 1
      ? [1, 1, Number(args[0])]
      : args.length === 2
        ? [Number(args[0]), 1, Number(args[1])]
        : [Number(args[0]), Number(args[1]), Number(args[2])]
  if (step === 0 || Math.abs((to - from) / step) > 4_096) return null
  const out: number[] = []
  for (let i = from; step > 0 ? i <= to : i >= to; i += step) out.push(i)
  return unlines(out.map(String))
})
const nothing = source(() => '')

/** Programs whose output is a plain function of their input. */
export const FILTERS: ReadonlyMap<string, Filter> = new Map([
  ...LESSER_FILTERS,
  ['cat', cat],
  ['rev', rev],
  ['tac', tac],
  ['sort', sort],
  ['uniq', uniq],
  ['base64', base64],
  ['base32', base32],
  ['basenc', basenc],
  ['xxd', xxd],
  ['openssl', openssl],
  ['tr', tr],
  ['sed', sed],
  ['gsed', sed],
  ['cut', cut],
  ['head', ends('head')],
  ['tail', ends('tail')],
  ['paste', paste],
  ['basename', basename],
  ['dirname', dirname],
  ['seq', seq],
  ['true', nothing],
  ['sleep', nothing],
  ['mkdir', nothing],
  ['touch', nothing],
  ['chmod', nothing],
  ['rm', nothing],
  ['cp', nothing],
  ['mv', nothing],
  ['ln', nothing],
])
