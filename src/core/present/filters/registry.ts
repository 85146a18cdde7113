import type { FilterReport } from '../../model/run/result.js'
import { builds } from './builds.js'
import type { Filter, Noise } from './filter.js'
import { git } from './git.js'
import { installers } from './installers.js'
import { mayDrop } from './law.js'
import { linters } from './linters.js'
import { listings } from './listings.js'
import { packages } from './packages.js'
import { testRuns } from './test-runs.js'

export const FILTERS: readonly Filter[] = [git, packages, testRuns, builds, linters, installers, listings]

/** Programs that print nothing of their own on success, or only run another one. */
const QUIET = new Set('cd export set true : mkdir timeout env nice nohup command exec stdbuf'.split(' '))

export interface Chosen {
  readonly filter: Filter
  readonly argv: readonly string[]
}

/**
 * Returns the filter for a command, or null unless exactly one program can have printed the output. The output of a
 * pipeline is that of its last part. Filters of one's own come before those of Cordon.
 */
export function chooseFilter(argvs: readonly (readonly string[])[], own: readonly Filter[] = []): Chosen | null {
  const loud = argvs.map(named).filter(([program]) => !QUIET.has(program ?? ''))
  const [argv] = loud
  if (argv === undefined || loud.length !== 1) return null
  const filter = [...own, ...FILTERS].find((candidate) => candidate.matches(argv))
  return filter === undefined ? null : { filter, argv }
}

const named = ([program = '', ...args]: readonly string[]): readonly string[] => [
  program.slice(program.lastIndexOf('/') + 1),
  ...args,
]

export interface Filtered {
  readonly text: string
  /** Which lines were kept. */
  readonly kept: readonly boolean[]
  readonly recognised: boolean
}

/**
 * Applies a filter under the law: order is kept, lines are kept or dropped and never changed, at most one line is
 * added that says what was dropped. When that would not make the text shorter, nothing is dropped.
 */
export function applyFilter({ filter, argv }: Chosen, text: string, ok: boolean): Filtered {
  const lines = text.split('\n')
  const proposed = filter.propose(lines, argv)
  const drops = lines.map((line, i) => (mayDrop(line, proposed[i] ?? null, ok) ? (proposed[i] ?? null) : null))
  const first = drops.findIndex((noise) => noise !== null)
  const recognised = filter.recognises(lines)
  const whole = { text, kept: lines.map(() => true), recognised }
  if (first === -1) return whole
  const shorter = lines.flatMap((line, i) => (i === first ? [note(drops)] : drops[i] === null ? [line] : [])).join('\n')
  if (shorter.length >= text.length) return whole
  return { text: shorter, kept: drops.map((noise) => noise === null), recognised }
}

function note(drops: readonly (Noise | null)[]): string {
  const dropped = drops.filter((noise) => noise !== null)
  const kinds = [...new Set(dropped.map((noise) => noise.what))]
  return `[… ${dropped.length} ${dropped.length === 1 ? 'line' : 'lines'} of ${kinds.join(', ')} omitted]`
}

/**
 * Statistics over all the filtered texts, their lines numbered through in the order given. A newline ends a line and
 * starts none.
 */
export function reportOn(
  { filter }: Chosen,
  parts: readonly { readonly raw: string; readonly filtered: Filtered }[],
  countChars: (text: string) => number,
): FilterReport {
  const kept = parts.flatMap(({ raw, filtered }) => (raw.endsWith('\n') ? filtered.kept.slice(0, -1) : filtered.kept))
  const keptLines = kept.filter(Boolean).length
  const dropped = keptLines < kept.length
  const recognised = parts.some(({ filtered }) => filtered.recognised)
  return {
    filter: filter.name,
    confidence: recognised ? 'full' : dropped ? 'partial' : 'fallback',
    rawChars: parts.reduce((sum, { raw }) => sum + countChars(raw), 0),
    keptChars: parts.reduce((sum, { filtered }) => sum + countChars(filtered.text), 0),
    rawLines: kept.length,
    keptLines,
    kept: ranges(kept),
  }
}

function ranges(kept: readonly boolean[]): (readonly [number, number])[] {
  const found: [number, number][] = []
  kept.forEach((isKept, i) => {
    const last = found.at(-1)
    if (isKept && last?.[1] === i) last[1] = i + 1
    else if (isKept) found.push([i + 1, i + 1])
  })
  return found
}
