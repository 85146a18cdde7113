import { isUtf8 } from 'node:buffer'
import { normalise, withoutUndoLine } from './normalise.js'
import type { Case, Expectation } from './read-cases.js'
import type { Ended } from './run-command.js'
import { type Tree, treeDifferences } from './tree.js'

/** All commands of a case, run in one place, and the tree they left. */
export interface Outcome {
  readonly steps: readonly Ended[]
  readonly tree: Tree
}

export interface Verdict {
  readonly kind: 'same' | 'refused' | 'different'
  /** Lines for a person: what differs, or why an expected refusal is not one. */
  readonly differences: readonly string[]
  /** A refusal or a difference whose stderr does not say how to allow the command. */
  readonly unexplained: boolean
}

/** The words by which a message of Cordon names the remedy. */
const REMEDY =
  /cordon (allow|approve|home) |ask a person |A person can |--approval|--profile|cordon\.toml|\bprofiles\.\w+|settings|`paths\.\w+` in the profile|paths\.\w+ of the profile/

/** Compares what a case did in plain bash with what it did in Cordon. */
export function compare(one: Case, plain: Outcome, cordon: Outcome, expected: Expectation | undefined): Verdict {
  const at = (expected?.step ?? 0) - 1
  const refused = expected && expected.outcome !== 'note'
  const steps = refused ? cordon.steps.slice(0, at) : cordon.steps
  const differences = steps.flatMap((step, index) => {
    const noted = expected?.outcome === 'note' && index === at ? expected.because : null
    return stepDifferences(one, index, plain.steps[index] as Ended, step, noted)
  })
  if (refused) differences.push(...refusalDifferences(cordon.steps[at], expected))
  else differences.push(...treeDifferences(plain.tree, cordon.tree).map((line) => `tree ${line}`))
  const stopped = refused
    ? cordon.steps[at]
    : cordon.steps.find(
        (_, index) =>
          stepDifferences(one, index, plain.steps[index] as Ended, cordon.steps[index] as Ended, null).length > 0,
      )
  return {
    kind: differences.length > 0 ? 'different' : refused ? 'refused' : 'same',
    differences,
    unexplained: stopped !== undefined && stopped.status !== 0 && !REMEDY.test(stopped.stderr.toString()),
  }
}

const STATUS = { held: 123, denied: 126, stopped: null } as const

function refusalDifferences(ended: Ended | undefined, { outcome, because }: Expectation): readonly string[] {
  if (!ended) return ['the case has no such command']
  const wanted = outcome === 'note' ? null : STATUS[outcome]
  const status = wanted === null ? ended.status !== 0 : ended.status === wanted
  const told = because.test(ended.stderr.toString()) || because.test(ended.stdout.toString())
  return [
    ...(status ? [] : [`expected it to be ${outcome}, but its status is ${ended.status}`]),
    ...(told ? [] : [`expected a message like ${because}, not: ${ended.stderr.toString().slice(0, 600)}`]),
  ]
}

/**
 * Lists how one command differs: exit status, stdout, stderr. `noted` is a line that Cordon may add to stderr, and
 * must.
 */
export function stepDifferences(
  one: Case,
  index: number,
  plain: Ended,
  cordon: Ended,
  noted: RegExp | null,
): readonly string[] {
  const label = one.steps.length > 1 ? `command ${index + 1}: ` : ''
  const differences: string[] = []
  if (plain.status !== cordon.status)
    differences.push(`${label}status ${plain.status} in bash, ${cordon.status} in Cordon`)
  differences.push(...textDifferences(`${label}stdout`, plain.stdout, cordon.stdout, one.ignore))
  const stderr = cordonStderr(cordon, noted)
  if (stderr === null) differences.push(`${label}stderr does not match ${noted}: ${cordon.stderr}`)
  else differences.push(...textDifferences(`${label}stderr`, plain.stderr, stderr, one.ignore))
  return differences
}

function cordonStderr({ status, stderr }: Ended, noted: RegExp | null): Buffer | null {
  const text = status === 0 ? stderr.toString() : withoutUndoLine(stderr.toString())
  if (noted === null) return isUtf8(stderr) ? Buffer.from(text) : stderr
  const lines = text.split('\n')
  const rest = lines.filter((line) => !noted.test(line))
  return rest.length < lines.length ? Buffer.from(rest.join('\n')) : null
}

function textDifferences(label: string, plain: Buffer, cordon: Buffer, ignore: readonly string[]): readonly string[] {
  if (plain.equals(cordon)) return []
  if (!isUtf8(plain) || !isUtf8(cordon))
    return [`${label}: ${plain.length} bytes in bash, ${cordon.length} other bytes in Cordon`]
  const [before, after] = [normalise(plain.toString(), ignore), normalise(cordon.toString(), ignore)]
  return before === after ? [] : [`${label}:`, ...lineDifferences(before, after)]
}

/** Lists the lines that only one text has, at most twelve: `- ` of the first, `+ ` of the second. */
export function lineDifferences(before: string, after: string): readonly string[] {
  const [first, second] = [before.split('\n'), after.split('\n')]
  const only = (lines: readonly string[], others: readonly string[]): readonly string[] => {
    const left = new Map<string, number>()
    for (const line of others) left.set(line, (left.get(line) ?? 0) + 1)
    return lines.filter((line) => {
      const count = left.get(line) ?? 0
      left.set(line, count - 1)
      return count <= 0
    })
  }
  const changes = [
    ...only(first, second).map((line) => `  - ${line}`),
    ...only(second, first).map((line) => `  + ${line}`),
  ]
  if (changes.length === 0) return ['  the same lines in another order']
  return [...changes.slice(0, 12), ...(changes.length > 12 ? [`  … ${changes.length - 12} lines more`] : [])]
}
