import { base32, base64, basenc, openssl, xxd } from './decoding-filters.js'
import { type Filter, type FilterCall, filter, isOption, operandsOf, source, unlines } from './filter.js'
import { grep } from './grep.js'
import { LESSER_FILTERS } from './lesser-filters.js'
import { cut, ends, paste, rev, sort, tac, uniq } from './line-filters.js'
import { substitute } from './sed.js'
import { translate } from './tr.js'

const cat = filter((args) => {
  const plain = args.every((arg) => !isOption(arg) || arg === '-u' || arg === '--')
  return plain ? { files: operandsOf(args), change: (text) => text, identity: true } : null
})

const tr = filter((args) => ({ files: [], change: (text, work) => translate(text, args, work) }))
const PICKS = /^(?:(\d+|\$)(?:,(\d+|\$))?)?(!?)([pd])$/

/** `sed -n 2p`, `sed 1d`, `sed '$!d'`: lines by their numbers. Null for all else. */
function picked(args: readonly string[]): FilterCall | null {
  const isQuiet = args[0] === '-n'
  const [script = '', ...files] = isQuiet ? args.slice(1) : args
  const match = PICKS.exec(script)
  if (!match || files.some(isOption) || isQuiet !== (match[4] === 'p')) return null
  const [, from, to, not] = match
  return {
    files,
    change: (text, work) => {
      work.chars(text.length)
      const all = text.split('\n')
      const rest = all.at(-1) === '' ? all.pop() : undefined
      const numberOf = (place: string): number => (place === '$' ? all.length : Number(place))
      const first = from === undefined ? 1 : numberOf(from)
      const last = to === undefined ? (from === undefined ? all.length : first) : Math.max(first, numberOf(to))
      const keeps = isQuiet === (not === '')
      const kept = all.filter((_, i) => (i + 1 >= first && i + 1 <= last) === keeps)
      const isLast = kept.length > 0 && rest === undefined && kept.at(-1) === all.at(-1)
      return kept.length === 0 ? '' : `${kept.join('\n')}${isLast ? '' : '\n'}`
    },
  }
}

const sed = filter((args) => {
  const lines = picked(args)
  if (lines) return lines
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
  ['grep', grep('basic')],
  ['egrep', grep('extended')],
  ['fgrep', grep('fixed')],
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
