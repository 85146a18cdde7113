import type { Span } from '../../../core/model/basics/span.js'
import { type Glyph, glyphs, widthOf } from '../terminal/visible-text.js'

export interface ExcerptStyle {
  readonly columns: number
  readonly dim: (text: string) => string
  readonly mark: (text: string) => string
}

interface Line {
  readonly number: number
  readonly from: number
  readonly text: string
}

/** A span over more lines than this is shown by its beginning. */
const MAX_LINES = 3

/**
 * The lines of a script a span touches, each with the span underlined beneath; numbered when the script has several.
 */
export function excerpt(text: string, span: Span, style: ExcerptStyle): readonly string[] {
  const lines = linesOf(text)
  const [from, to] = [Math.min(span[0], text.length), Math.min(Math.max(span[1], span[0] + 1), text.length + 1)]
  const touched = lines.filter((line) => line.from < to && line.from + line.text.length >= from)
  const gutterWidth = String(touched.at(-1)?.number ?? 1).length
  const rows = touched.slice(0, MAX_LINES).flatMap((line) => {
    const gutters = lines.length > 1 ? gutter(line.number, gutterWidth) : (['  ', '  '] as const)
    const room = Math.max(20, style.columns - widthOf(glyphs(gutters[0])) - 1)
    const [shown, underline] = underlined(line, from, to, room)
    return [style.dim(gutters[0]) + shown, style.dim(gutters[1]) + style.mark(underline)]
  })
  const more = touched.length - MAX_LINES
  return more > 0 ? [...rows, style.dim(`  … ${more} more ${more === 1 ? 'line' : 'lines'}`)] : rows
}

/** Line and column, both from 1, the column in characters. */
export function place(text: string, offset: number): string {
  const before = text.slice(0, offset)
  const start = before.lastIndexOf('\n') + 1
  return `${before.split('\n').length}:${[...before.slice(start)].length + 1}`
}

function linesOf(text: string): readonly Line[] {
  let from = 0
  return text.split('\n').map((line, i) => {
    const here = { number: i + 1, from, text: line }
    from += line.length + 1
    return here
  })
}

const gutter = (number: number, width: number): readonly [string, string] => [
  `  ${String(number).padStart(width)} │ `,
  `  ${' '.repeat(width)} │ `,
]

function underlined(line: Line, from: number, to: number, room: number): readonly [string, string] {
  const all = glyphs(line.text)
  const isMarked = (glyph: Glyph): boolean => line.from + glyph.at >= from && line.from + glyph.at < to
  const first = all.findIndex(isMarked)
  const start = windowStart(all, first < 0 ? all.length : first, room)
  const head = start > 0 ? '…' : ''
  let used = head.length
  const kept = all.slice(start).filter((glyph) => {
    used += glyph.columns
    return used < room
  })
  const tail = start + kept.length < all.length ? '…' : ''
  const before = kept.findIndex(isMarked)
  const indent = head.length + widthOf(before < 0 ? kept : kept.slice(0, before))
  const carets = Math.max(1, widthOf(kept.filter(isMarked)))
  return [head + kept.map(({ shown }) => shown).join('') + tail, ' '.repeat(indent) + '^'.repeat(carets)]
}

/** Returns the first shown column of a long line, with a third of the width before the marked span. */
function windowStart(all: readonly Glyph[], marked: number, room: number): number {
  if (widthOf(all) < room) return 0
  let start = marked
  let used = 0
  while (start > 0 && used < room / 3) {
    start -= 1
    used += all[start]?.columns ?? 0
  }
  return start
}
