import { isInside } from '../../../core/model/basics/path.js'
import type { Change, ChangeCounts, FileDiff } from '../../../core/model/run/change.js'
import type { Paint } from '../terminal/style.js'
import { pad, visible } from '../terminal/visible-text.js'

const SIGN = { created: '+', modified: '~', deleted: '-', 'mode-changed': '*' } as const
const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB']

const AS_MADE = { created: 'created', modified: 'changed', deleted: 'deleted' } as const
const AS_UNDONE = { created: 'restored', modified: 'put back', deleted: 'removed' } as const

/**
 * `2 files created, 1 file deleted`; every count of files that is not zero. Directories only where nothing else
 * changed.
 */
export const countsText = (counts: ChangeCounts): string => wordedCounts(counts, AS_MADE)

/** Describes an undo: `3 files restored`. */
export const undoneText = (counts: ChangeCounts): string => wordedCounts(counts, AS_UNDONE)

function wordedCounts(
  { created, modified, deleted, modeChanged, directories }: ChangeCounts,
  words: typeof AS_MADE | typeof AS_UNDONE,
): string {
  const parts = [
    [created, words.created],
    [modified, words.modified],
    [deleted, words.deleted],
    [modeChanged, 'given another mode'],
  ] as const
  const counted = parts.flatMap(([count, what]) => (count > 0 ? [`${numbered(count, 'file', 'files')} ${what}`] : []))
  if (counted.length > 0) return counted.join(', ')
  return directories > 0 ? `${numbered(directories, 'directory', 'directories')} changed` : 'nothing changed'
}

export const numbered = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`

/** Describes changes in a column: `+2 ~1 -1 *1`, with the signs of the summary. */
export function countsInShort({ created, modified, deleted, modeChanged, directories }: ChangeCounts): string {
  if (created + modified + deleted + modeChanged === 0 && directories > 0) return `${directories} dir`
  const parts = [
    [SIGN.created, created],
    [SIGN.modified, modified],
    [SIGN.deleted, deleted],
    [SIGN['mode-changed'], modeChanged],
  ] as const
  return parts
    .filter(([, count]) => count > 0)
    .map(([sign, count]) => `${sign}${count}`)
    .join(' ')
}

function countsOf(diffs: readonly FileDiff[]): ChangeCounts {
  const counts = { created: 0, modified: 0, deleted: 0, modeChanged: 0, directories: 0, bytes: 0 }
  for (const { change } of diffs) {
    if (change.type === 'directory') counts.directories += 1
    else counts[change.kind === 'mode-changed' ? 'modeChanged' : change.kind] += 1
  }
  return counts
}

/** `1.5 MB`. */
export function sizeText(bytes: number): string {
  const unit = Math.min(UNITS.length - 1, bytes < 1_000 ? 0 : Math.floor(Math.log10(bytes) / 3))
  return unit === 0 ? `${bytes} bytes` : `${(bytes / 1_000 ** unit).toFixed(1)} ${UNITS[unit]}`
}

const near = (path: string, cwd: string): string =>
  path !== cwd && isInside(path, cwd) ? path.slice(cwd.length + 1) : path

const tintOf = (paint: Paint, kind: Change['kind']): ((text: string) => string) =>
  kind === 'created' ? paint.green : kind === 'deleted' ? paint.red : paint.yellow

/** Names are lined up to here; what stands after a longer one stands where it may. */
const NAME_COLUMNS = 48

/** Summarises changes: the counts, then one line for each. Empty without changes. */
export function summaryText(diffs: readonly FileDiff[], cwd: string, paint: Paint): string {
  if (diffs.length === 0) return ''
  const names = diffs.map(({ change }) => visible(near(change.path, cwd)))
  const columns = Math.min(NAME_COLUMNS, Math.max(...names.map((name) => name.length)))
  const lines = diffs.map(({ change, note }, index) => {
    const { kind, type, bytesBefore, bytesAfter } = change
    const sizes =
      kind === 'modified'
        ? `${sizeText(bytesBefore ?? 0)} → ${sizeText(bytesAfter ?? 0)}`
        : sizeText(bytesAfter ?? bytesBefore ?? 0)
    const detail =
      type === 'directory' ? 'directory' : kind === 'mode-changed' ? (note ?? '') : type === 'file' ? sizes : type
    const name = pad(names[index] ?? '', columns)
    return `  ${tintOf(paint, kind)(SIGN[kind])} ${name}  ${paint.dim(detail)}\n`
  })
  return `${paint.bold(capital(countsText(countsOf(diffs))))}\n${lines.join('')}`
}

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

/** Returns the diffs for a terminal, with the control characters of the files escaped. */
export const diffsText = (diffs: readonly FileDiff[], cwd: string, paint: Paint): string =>
  diffs
    .flatMap(({ change, text, note }) => {
      if (text === null && note === null && change.type === 'directory') return []
      if (change.kind === 'mode-changed') return []
      const head = paint.bold(`${change.kind} ${visible(near(change.path, cwd))}`)
      const reason = note ?? (text === null ? 'not shown' : '')
      const remark = reason === '' ? '' : `${paint.dim(visible(reason))}\n`
      return [`${head}\n${remark}${text === null ? '' : patchText(text, paint)}`]
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
