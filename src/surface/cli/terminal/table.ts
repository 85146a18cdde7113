import type { Paint } from './style.js'
import { cut, glyphs, pad, widthOf } from './visible-text.js'

export interface Column<Row> {
  readonly heading: string
  /** Text with control characters made visible. */
  readonly text: (row: Row) => string
  readonly tint?: (row: Row, paint: Paint) => (text: string) => string
  /** At most this wide. */
  readonly max?: number
  /** Left out where lines are too short for all: the lowest first. */
  readonly optional?: number
}

const GAP = '  '
/** The last column has at least this much room before others are left out. */
const LEAST_ROOM = 24

/** Rows as lines of at most `width` columns. The last column takes what the others leave, and is cut to it. */
export function table<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  { paint, width }: { readonly paint: Paint; readonly width: number },
): string {
  const laid = columns.map((column) => {
    const cells = rows.map((row) => cut(column.text(row), column.max ?? Number.POSITIVE_INFINITY))
    return { column, cells, width: Math.max(...[column.heading, ...cells].map((text) => widthOf(glyphs(text)))) }
  })
  const shown = fitting(laid, width)
  const room = Math.max(1, width - taken(shown))
  const line = (cell: (at: number) => string, style: (at: number, text: string) => string): string =>
    shown
      .map((_, at) => style(at, at < shown.length - 1 ? pad(cell(at), shown[at]?.width ?? 0) : cut(cell(at), room)))
      .join(GAP)
      .trimEnd()
  const head = line(
    (at) => shown[at]?.column.heading ?? '',
    (_, text) => paint.dim(text),
  )
  const body = rows.map((row, index) =>
    line(
      (at) => shown[at]?.cells[index] ?? '',
      (at, text) => shown[at]?.column.tint?.(row, paint)(text) ?? text,
    ),
  )
  return `${[head, ...body].join('\n')}\n`
}

interface Laid<Row> {
  readonly column: Column<Row>
  readonly cells: readonly string[]
  readonly width: number
}

/** Returns the width of all columns but the last, with the gap after each. */
const taken = <Row>(columns: readonly Laid<Row>[]): number =>
  columns.slice(0, -1).reduce((sum, { width }) => sum + width + GAP.length, 0)

function fitting<Row>(columns: readonly Laid<Row>[], width: number): readonly Laid<Row>[] {
  const least = Math.min(LEAST_ROOM, columns.at(-1)?.width ?? 0)
  if (taken(columns) + least <= width) return columns
  const ranks = columns.flatMap(({ column }) => column.optional ?? [])
  if (ranks.length === 0) return columns
  const lowest = Math.min(...ranks)
  return fitting(
    columns.filter(({ column }) => column.optional !== lowest),
    width,
  )
}
