import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

export const PROFILES = ['workspace', 'developer'] as const
export type ProfileName = (typeof PROFILES)[number]

/**
 * Intended differences of Cordon: `held` and `denied` run nothing, `stopped` fails at run time, `note` adds
 * a line to stderr.
 */
export interface Expectation {
  readonly outcome: 'held' | 'denied' | 'stopped' | 'note'
  /** The number of the command that differs, from 1. */
  readonly step: number
  /** Cordon's stderr must match it. */
  readonly because: RegExp
}

export interface Case {
  readonly family: string
  readonly name: string
  /** `cases/git.sh:12`, for reports. */
  readonly place: string
  readonly project: string
  readonly needs: readonly string[]
  readonly profiles: readonly ProfileName[]
  /** Normalisers by name, see normalise.ts. */
  readonly ignore: readonly string[]
  readonly stdin: string | null
  /** Scripts that run one after the other, each in a `cordon run` of its own. */
  readonly steps: readonly string[]
  readonly expect: ReadonlyMap<ProfileName, Expectation>
  /** True if the tests run it too. */
  readonly subset: boolean
}

const CASES = join(import.meta.dirname, 'cases')
const HEADER = /^# (project|needs|profiles|ignore|stdin|expect|subset): (.*)$/
const NEXT_COMMAND = '# -- next command'

/**
 * Reads every case below `cases/`, in the order of the files' names. Throws on a header that it does not understand.
 */
export function readCases(): readonly Case[] {
  const files = readdirSync(CASES, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.sh'))
  return files.sort().flatMap((file) => casesOf(file, readFileSync(join(CASES, file), 'utf8')))
}

/** Splits one file into its cases. Headers before the first `####` hold for all of them. */
export function casesOf(file: string, text: string): readonly Case[] {
  const lines = text.split('\n')
  const starts = lines.flatMap((line, index) => (line.startsWith('#### ') ? [index] : []))
  const shared = lines.slice(0, starts[0]).filter((line) => HEADER.test(line))
  const cases = starts.map((start, nth) => oneCase(file, start, lines.slice(start, starts[nth + 1]), shared))
  const twice = cases.find(({ name }, index) => cases.findIndex((other) => other.name === name) !== index)
  if (twice) throw new Error(`${twice.place}: another case has the name "${twice.name}"`)
  return cases
}

function oneCase(file: string, start: number, lines: readonly string[], shared: readonly string[]): Case {
  const place = `cases/${file}:${start + 1}`
  const end = lines.findIndex((line, index) => index > 0 && !HEADER.test(line))
  const own = lines.slice(1, end)
  const body = lines.slice(end).join('\n')
  const steps = body.split(`${NEXT_COMMAND}\n`).map((step) => step.trimEnd())
  if (steps.some((step) => step.trim() === '')) throw new Error(`${place}: a command is empty`)
  const header = (key: string): string | null => headerIn(own, key) ?? headerIn(shared, key)
  return {
    family: basename(file, '.sh'),
    name: (lines[0] as string).slice('#### '.length),
    place,
    project: header('project') ?? 'files',
    needs: words(header('needs')),
    profiles: PROFILES.filter((profile) => (header('profiles') ?? profile).includes(profile)),
    ignore: [...words(headerIn(shared, 'ignore')), ...words(headerIn(own, 'ignore'))],
    stdin: header('stdin')?.replaceAll('\\n', '\n') ?? null,
    steps,
    expect: expectations(own, place),
    subset: header('subset') === 'yes',
  }
}

function headerIn(headers: readonly string[], key: string): string | null {
  const line = headers.find((text) => HEADER.exec(text)?.[1] === key)
  return line === undefined ? null : (HEADER.exec(line)?.[2] ?? null)
}

const words = (text: string | null): readonly string[] => text?.split(/[ ,]+/).filter((word) => word !== '') ?? []

/** `# expect: workspace held /a person/`, `# expect: both stopped in 2 /cordon allow/` */
function expectations(headers: readonly string[], place: string): ReadonlyMap<ProfileName, Expectation> {
  const found = new Map<ProfileName, Expectation>()
  for (const line of headers) {
    if (HEADER.exec(line)?.[1] !== 'expect') continue
    const parts = /^(both|workspace|developer) (held|denied|stopped|note)(?: in (\d+))? \/(.+)\/$/.exec(line.slice(10))
    if (!parts) throw new Error(`${place}: cannot read "${line}"`)
    const [, who, outcome, step, because] = parts
    const names = who === 'both' ? PROFILES : [who as ProfileName]
    for (const name of names) {
      found.set(name, {
        outcome: outcome as Expectation['outcome'],
        step: Number(step ?? 1),
        because: new RegExp(because as string, 's'),
      })
    }
  }
  return found
}
