import type { Parameter, Part } from '../../shell/tree.js'
import type { CostMeter } from '../text/cost-meter.js'

/** The maximum number of words that one word expands to. */
const MAX_WORDS = 1_024

type Unit = Part | '{' | '}' | ',' | { readonly kind: 'char'; readonly value: string }

/** Expands braces. Returns the words, or null if there are too many. */
export function expandBraces(parts: readonly Part[], meter: CostMeter): readonly (readonly Part[])[] | null {
  if (!parts.some((part) => part.kind === 'text' && !part.quoted && part.value.includes('{'))) return [parts]
  const units = toUnits(parts)
  const budget: Budget = { left: MAX_UNITS }
  const results = expandUnits(units, budget)
  meter.add(units.length + ((MAX_UNITS - Math.max(0, budget.left)) >> 1) + results.length * 4)
  return results.length > MAX_WORDS ? null : results.map(toParts)
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

/** Joins units to parts. bash expands braces first, so adjacent text joins: `$x{a,b}` is `$xa $xb`. */
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

/** Tells whether the following text belongs to a variable name that starts here. */
function isOpenBefore(part: Part, i: number, parts: readonly Part[]): boolean {
  const next = parts[i + 1]
  if (part.kind === 'text') return !part.quoted && /\$./s.test(part.value)
  return isBareName(part) && next?.kind === 'text' && !next.quoted && /^\w/.test(next.value)
}

/** Tells whether a part is `$x` without braces. */
const isBareName = (part: Part): part is Parameter =>
  part.kind === 'parameter' &&
  !part.quoted &&
  part.span[1] - part.span[0] === part.name.length + 1 &&
  /^[A-Za-z_]/.test(part.name)

/** Extends the name of a part by the text after it. */
function withName(part: Part, i: number, parts: readonly Part[]): readonly Part[] {
  const next = parts[i + 1]
  if (isBareName(part) && next?.kind === 'text' && !next.quoted)
    return [{ ...part, name: part.name + (/^\w*/.exec(next.value)?.[0] ?? '') }]
  if (part.kind !== 'text' || part.quoted) return [part]
  const before = parts[i - 1]
  const value = before && isBareName(before) ? part.value.replace(/^\w+/, '') : part.value
  return value === '' ? [] : named(value)
}

/** Parses text in which a dollar sign now precedes a name. */
function named(text: string): readonly Part[] {
  return text.split(/\$(?:([A-Za-z_]\w*|[\d@*#?$!-])|\{([A-Za-z_]\w*)\})/).flatMap((piece, i): readonly Part[] => {
    if (!piece) return []
    if (i % 3 === 0) return [{ kind: 'text', value: piece, quoted: false }]
    const name = piece
    return [{ kind: 'parameter', name, prefix: null, index: null, operation: null, quoted: false, span: [0, 0] }]
  })
}

/** The maximum number of units processed in one word. */
const MAX_UNITS = 500_000
interface Budget {
  left: number
}

interface Brace {
  readonly open: number
  readonly close: number
  readonly commas: readonly number[]
}

/** Finds the first brace pair that expands: it contains a comma at its own level, or a sequence. */
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
  if (count > MAX_WORDS) return Array.from({ length: MAX_WORDS + 1 }, () => '')
  const padded = [match[1], match[2]].some((text) => /^-?0\d/.test(text ?? ''))
  const width = padded ? Math.max(match[1]?.length ?? 0, match[2]?.length ?? 0) : 0
  return Array.from({ length: count }, (_, i) => {
    const value = from + (to < from ? -1 : 1) * i * step
    if (!numbers) return String.fromCharCode(value)
    return value < 0 ? `-${String(-value).padStart(width - 1, '0')}` : String(value).padStart(width, '0')
  })
}

/** Expands from left to right without recursion, so that the work is bounded by the number of resulting words. */
function expandUnits(units: readonly Unit[], budget: Budget): readonly (readonly Unit[])[] {
  const pending: { readonly done: readonly Unit[]; readonly rest: readonly Unit[] }[] = [{ done: [], rest: units }]
  const finished: (readonly Unit[])[] = []
  for (
    let steps = 0;
    pending.length > 0 && finished.length + pending.length <= MAX_WORDS && steps < MAX_WORDS * 4;
    steps++
  ) {
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
    if (budget.left <= 0) return Array.from({ length: MAX_WORDS + 1 }, () => [])
    for (const inner of all.toReversed()) pending.push({ done: before, rest: [...inner, ...after] })
  }
  return pending.length > 0 || budget.left <= 0 ? Array.from({ length: MAX_WORDS + 1 }, () => []) : finished
}

function alternatives(units: readonly Unit[], brace: Brace): readonly (readonly Unit[])[] {
  if (brace.commas.length === 0)
    return (sequence(units.slice(brace.open + 1, brace.close)) ?? []).map((value) => [{ kind: 'char', value }])
  const cuts = [brace.open, ...brace.commas, brace.close]
  return cuts.slice(0, -1).map((cut, i) => units.slice(cut + 1, cuts[i + 1]))
}
