import { compareEscapes } from './escapes.js'
import { PEERS } from './peers.js'
import { PROFILES, readCases } from './read-cases.js'
import { difference, summary } from './report.js'
import { runCases } from './run-cases.js'

const USAGE = `usage: npm run parity [-- FAMILY…] [--profile NAME] [--peer NAME] [--case TEXT] [--plain]
  FAMILY           only these families: files of test/parity/cases/
  --profile NAME   only this profile: ${PROFILES.join(' or ')}
  --peer NAME      another sandbox instead of Cordon: ${PEERS.join(', ')}
  --escapes        attacks instead of cases: which of them plain bash, the peers and Cordon hold
  --case TEXT      only cases whose name contains TEXT
  --plain          run each case twice in plain bash and compare, to find cases that are not deterministic`

/** Returns the exit status: 0 without differences, 1 with some, 125 for a mistake in the arguments. */
export async function main(args: readonly string[]): Promise<number> {
  if (args.includes('--escapes')) return compareEscapes()
  const all = readCases()
  const value = (option: string): string | null =>
    args.includes(option) ? (args[args.indexOf(option) + 1] ?? '') : null
  const values = [value('--profile'), value('--case'), value('--peer')]
  const families = args.filter((arg) => !arg.startsWith('--') && !values.includes(arg))
  const profiles = PROFILES.filter((name) => name === (values[0] ?? name))
  const peer = PEERS.find((name) => name === values[2]) ?? null
  const known = new Set(all.map(({ family }) => family))
  if (profiles.length === 0 || (values[2] !== null && peer === null) || families.some((family) => !known.has(family))) {
    process.stderr.write(`${USAGE}\nfamilies: ${[...known].join(' ')}\n`)
    return 125
  }
  const cases = all.filter(
    (one) => (families.length === 0 || families.includes(one.family)) && one.name.includes(values[1] ?? ''),
  )
  const results = await runCases(cases, {
    profiles,
    peer,
    twicePlain: args.includes('--plain'),
    onResult: (result) => {
      if (result.verdict.kind === 'different') process.stdout.write(`${difference(result)}\n`)
    },
  })
  process.stdout.write(`${summary(results)}\n`)
  return results.some(({ verdict }) => verdict.kind === 'different' || verdict.unexplained) ? 1 : 0
}
