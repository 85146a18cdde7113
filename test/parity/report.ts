import type { Result } from './run-cases.js'

const COLUMNS = ['family', 'profile', 'cases', 'same', 'refused', 'different', 'skipped'] as const

/** Returns a table by family and profile, the skipped cases and the commands stopped without a remedy. */
export function summary(results: readonly Result[]): string {
  const keys = [...new Set(results.map((result) => `${result.case.family} ${result.profile}`))].sort()
  const rows = keys.map((key) =>
    row(
      key.split(' '),
      results.filter((result) => `${result.case.family} ${result.profile}` === key),
    ),
  )
  const profiles = [...new Set(results.map(({ profile }) => profile))].sort()
  const totals = profiles.map((profile) =>
    row(
      ['all', profile],
      results.filter((result) => result.profile === profile),
    ),
  )
  const table = [[...COLUMNS], ...rows, ...totals]
  const widths = COLUMNS.map((_, column) => Math.max(...table.map((cells) => (cells[column] as string).length)))
  const lines = table.map((cells) =>
    cells
      .map((cell, at) => (at < 2 ? cell.padEnd(widths[at] as number) : cell.padStart(widths[at] as number)))
      .join('  '),
  )
  const unexplained = results.filter(({ verdict }) => verdict.unexplained).map((result) => `    ${title(result)}`)
  const silent = `Stopped without saying how to allow it: ${unexplained.length}`
  return [...skipped(results), ...lines, '', silent, ...unexplained].join('\n')
}

/** Returns the differences of one case in one profile, for a person. */
export const difference = (result: Result): string =>
  [title(result), ...result.verdict.differences.map((line) => `    ${line}`), ''].join('\n')

const title = ({ case: one, profile }: Result): string => `${one.family}: ${one.name} [${profile}] ${one.place}`

function row(names: readonly string[], results: readonly Result[]): readonly string[] {
  const count = (kind: Result['verdict']['kind']): string =>
    `${results.filter(({ verdict }) => verdict.kind === kind).length}`
  return [...names, `${results.length}`, count('same'), count('refused'), count('different'), count('skipped')]
}

function skipped(results: readonly Result[]): readonly string[] {
  const lines = new Set(
    results
      .filter(({ verdict }) => verdict.kind === 'skipped')
      .map(({ case: one, verdict }) => `skipped ${one.family}: ${one.name} (${verdict.differences.join(', ')})`),
  )
  return lines.size === 0 ? [] : [...lines, '']
}
