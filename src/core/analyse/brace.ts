import type { Parameter, Part } from '../shell/tree.js'
import type { Work } from './text/work.js'

/** More words than this from one word are not followed. */
const WORDS = 1_024

type Unit = Part | '{' | '}' | ',' | { readonly kind: 'char'; readonly value: string }

/** Brace expansion: the words one word becomes, or null when there are too many. */
export function expandBraces(parts: readonly Part[], work: Work): readonly (readonly Part[])[] | null {
  if (!parts.some((part) => part.kind === 'text' && !part.quoted && part.value.includes('{'))) return [parts]
  const units = toUnits(parts)
  const budget: Budget = { left: UNITS }
  const results = expandUnits(units, budget)
  work.add(units.length + ((UNITS - Math.max(0, budget.left)) >> 1) + results.length * 4)
  return results.length > WORDS ? null : results.map(toParts)
}

function toUnits(parts: readonly Part[]): Unit[] {
  return parts.flatMap((part): Unit[] => {
    if (part.kind !== 'text' || part.quoted) return [part]
    return part.value.split(/([{},])/).flatMap((piece): Unit[] => {
      if (piece === '') return []
      if (piece === '{' || piece === '}' || piece === ',') return [piece]
      return [{ kind: 'char', value: piece }]
    })
  })
}

/** Braces are text before anything is expanded, and what stands beside it then belongs to it: `$x{a,b}` is `$xa $xb`, `{~,y}/z` is `~/z y/z`. */
function toParts(units: readonly Unit[]): readonly Part[] {
  const parts: Part[] = []
  for (const unit of units) {
    const part: Part =
      typeof unit === 'string'
        ? { kind: 'text', value: unit, quoted: false }
        : unit.kind === 'char'
          ? { kind: 'text', value: unit.value, quoted: false }
          : unit
    const last = parts.at(-1)
    const isText = part.kind === 'text' && !part.quoted
    if (isText && last?.kind === 'text' && !last.quoted)
      parts[parts.length - 1] = { ...last, value: last.value + part.value }
    else parts.push(part)
  }
  return parts.some(isOpenBefore) ? parts.flatMap(withName) : parts
}

/** Does what follows belong to a name that begins here? */
function isOpenBefore(part: Part, i: number, parts: readonly Part[]): boolean {
  const next = parts[i + 1]
  if (part.kind === 'text') return !part.quoted && /\$./s.test(part.value)
  return isBareName(part) && next?.kind === 'text' && !next.quoted && /^\w/.test(next.value)
}

/** `$x`, without braces around the name. */
const isBareName = (part: Part): part is Parameter =>
  part.kind === 'parameter' &&
  !part.quoted &&
  part.span[1] - part.span[0] === part.name.length + 1 &&
  /^[A-Za-z_]/.test(part.name)

/** A part, with the name that it and what stands behind it make. */
function withName(part: Part, i: number, parts: readonly Part[]): readonly Part[] {
  const next = parts[i + 1]
  if (isBareName(part) && next?.kind === 'text' && !next.quoted)
    return [{ ...part, name: part.name + (/^\w*/.exec(next.value)?.[0] ?? '') }]
  if (part.kind !== 'text' || part.quoted) return [part]
  const before = parts[i - 1]
  const value = before && isBareName(before) ? part.value.replace(/^\w+/, '') : part.value
  return value === '' ? [] : named(value)
}

/** Text in which a dollar sign came to stand before a name. */
function named(text: string): readonly Part[] {
  return text.split(/\$(?:([A-Za-z_]\w*|[\d@*#?$!-])|\{([A-Za-z_]\w*)\})/).flatMap((piece, i): readonly Part[] => {
    if (!piece) return []
    if (i % 3 === 0) return [{ kind: 'text', value: piece, quoted: false }]
    const name = piece
    return [{ kind: 'parameter', name, prefix: null, index: null, operation: null, quoted: false, span: [0, 0] }]
  })
}

/** Pieces looked at and copied in one word: past it there are too many words anyway, or it is no honest one. */
const UNITS = 500_000
interface Budget {
  left: number
}

interface Brace {
  readonly open: number
  readonly close: number
  readonly commas: readonly number[]
}

/** The first brace pair that expands: it holds a comma at its own level, or a sequence. */
function firstBrace(units: readonly Unit[], budget: Budget): Brace | null {
  for (let open = 0; open < units.length; open++) {
    if (units[open] !== '{') continue
    const brace = budget.left > 0 ? closeOf(units, open) : null
    budget.left -= (brace?.close ?? units.length) - open
    if (brace && (brace.commas.length > 0 || sequence(units.slice(open + 1, brace.close)))) return brace
  }
  return null
}

function closeOf(units: readonly Unit[], open: number): Brace | null {
  let depth = 0
  const commas: number[] = []
  for (let i = open; i < units.length; i++) {
    if (units[i] === '{') depth++
    else if (units[i] === ',' && depth === 1) commas.push(i)
    else if (units[i] === '}' && --depth === 0) return { open, close: i, commas }
  }
  return null
}

function sequence(units: readonly Unit[]): readonly string[] | null {
  const [only] = units
  if (units.length !== 1 || typeof only !== 'object' || only.kind !== 'char') return null
  const numbers = /^(-?\d+)\.\.(-?\d+)(?:\.\.(-?\d+))?$/.exec(only.value)
  const letters = /^([a-zA-Z])\.\.([a-zA-Z])(?:\.\.(-?\d+))?$/.exec(only.value)
  const match = numbers ?? letters
  if (!match) return null
  const [from, to] = numbers
    ? [Number(match[1]), Number(match[2])]
    : [match[1]?.charCodeAt(0) ?? 0, match[2]?.charCodeAt(0) ?? 0]
  const step = Math.max(1, Math.abs(Number(match[3] ?? 1)))
  const count = Math.floor(Math.abs(to - from) / step) + 1
  if (count > WORDS) return Array.from({ length: WORDS + 1 }, () => '')
  const padded = [match[1], match[2]].some((text) => /^-?0\d/.test(text ?? ''))
  const width = padded ? Math.max(match[1]?.length ?? 0, match[2]?.length ?? 0) : 0
  return Array.from({ length: count }, (_, i) => {
    const value = from + (to < from ? -1 : 1) * i * step
    if (!numbers) return String.fromCharCode(value)
    return value < 0 ? `-${String(-value).padStart(width - 1, '0')}` : String(value).padStart(width, '0')
  })
}

/** Left to right, without recursion into what was already expanded: the work is bounded by the words that come out. */
function expandUnits(units: readonly Unit[], budget: Budget): readonly (readonly Unit[])[] {
  const pending: { readonly done: readonly Unit[]; readonly rest: readonly Unit[] }[] = [{ done: [], rest: units }]
  const finished: (readonly Unit[])[] = []
  for (let work = 0; pending.length > 0 && finished.length + pending.length <= WORDS && work < WORDS * 4; work++) {
    const first = pending.pop()
    if (!first) break
    const brace = firstBrace(first.rest, budget)
    if (!brace) {
      finished.push([...first.done, ...first.rest])
      continue
    }
    const before = [...first.done, ...first.rest.slice(0, brace.open)]
    const after = first.rest.slice(brace.close + 1)
    const all = alternatives(first.rest, brace)
    budget.left -= before.length + all.length * (after.length + 1)
    if (budget.left <= 0) return Array.from({ length: WORDS + 1 }, () => [])
    for (const inner of all.toReversed()) pending.push({ done: before, rest: [...inner, ...after] })
  }
  return pending.length > 0 || budget.left <= 0 ? Array.from({ length: WORDS + 1 }, () => []) : finished
}

function alternatives(units: readonly Unit[], brace: Brace): readonly (readonly Unit[])[] {
  if (brace.commas.length === 0)
    return (sequence(units.slice(brace.open + 1, brace.close)) ?? []).map((value) => [{ kind: 'char', value }])
  const cuts = [brace.open, ...brace.commas, brace.close]
  return cuts.slice(0, -1).map((cut, i) => units.slice(cut + 1, cuts[i + 1]))
}
