import type { Change, ChangeCounts, FileDiff } from '../../core/model/change.js'
import { isInside } from '../../core/model/path.js'
import type { Paint } from './paint.js'
import { visible } from './visible.js'

const SIGN = { created: '+', modified: '~', deleted: '-', 'mode-changed': '*' } as const
const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB']

/** `2 created, 1 deleted`; every count that is not zero. */
export function countsText({ created, modified, deleted, modeChanged }: ChangeCounts): string {
  const parts = [
    [created, 'created'],
    [modified, 'modified'],
    [deleted, 'deleted'],
    [modeChanged, 'with another mode'],
  ] as const
  const said = parts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`)
  return said.length === 0 ? 'nothing changed' : said.join(', ')
}

function sizeText(bytes: number): string {
  const unit = Math.min(UNITS.length - 1, bytes < 1_000 ? 0 : Math.floor(Math.log10(bytes) / 3))
  return unit === 0 ? `${bytes} bytes` : `${(bytes / 1_000 ** unit).toFixed(1)} ${UNITS[unit]}`
}

const near = (path: string, cwd: string): string =>
  path !== cwd && isInside(path, cwd) ? path.slice(cwd.length + 1) : path

const tintOf = (paint: Paint, kind: Change['kind']): ((text: string) => string) =>
  kind === 'created' ? paint.green : kind === 'deleted' ? paint.red : paint.yellow

/** What changed, one line each: the summary people read first. */
export function summaryText(diffs: readonly FileDiff[], cwd: string, paint: Paint): string {
  const lines = diffs.map(({ change, note }) => {
    const { kind, type, bytesBefore, bytesAfter } = change
    const sizes =
      kind === 'modified'
        ? `${sizeText(bytesBefore ?? 0)} → ${sizeText(bytesAfter ?? 0)}`
        : sizeText(bytesAfter ?? bytesBefore ?? 0)
    const detail =
      type === 'directory' ? 'directory' : kind === 'mode-changed' ? (note ?? '') : type === 'file' ? sizes : type
    return `${tintOf(paint, kind)(SIGN[kind])} ${visible(near(change.path, cwd))}  ${paint.dim(detail)}\n`
  })
  return lines.join('')
}

/** The diffs themselves. Whatever a file holds is shown, and none of it is obeyed by the terminal. */
export const diffsText = (diffs: readonly FileDiff[], cwd: string, paint: Paint): string =>
  diffs
    .flatMap(({ change, text, note }) => {
      if (text === null && (change.type === 'directory' || change.kind === 'mode-changed')) return []
      const head = paint.bold(`${change.kind} ${visible(near(change.path, cwd))}`)
      return [`${head}\n${text === null ? paint.dim(`${note ?? 'not shown'}\n`) : patchText(text, paint)}`]
    })
    .join('\n')

/** Without the lines that only repeat the name of the file. */
function patchText(text: string, paint: Paint): string {
  const lines = text.split('\n')
  const from = lines.findIndex((line) => line.startsWith('@@'))
  return lines
    .slice(Math.max(0, from), -1)
    .map((line) => `${tinted(line, paint)}\n`)
    .join('')
}

function tinted(line: string, paint: Paint): string {
  const safe = line.split('\t').map(visible).join('\t')
  if (line.startsWith('@@')) return paint.cyan(safe)
  if (line.startsWith('+')) return paint.green(safe)
  return line.startsWith('-') ? paint.red(safe) : safe
}
