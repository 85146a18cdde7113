import { compare, stepDifferences, type Verdict } from './compare.js'
import type { Peer } from './peers.js'
import { type Case, PROFILES, type ProfileName } from './read-cases.js'
import { treeDifferences } from './tree.js'
import { Workbench } from './workbench.js'

export interface Result {
  readonly case: Case
  /** `plain` compares two runs in plain bash with each other. */
  readonly profile: ProfileName | Peer | 'plain'
  readonly verdict:
    | Verdict
    | { readonly kind: 'skipped'; readonly differences: readonly string[]; readonly unexplained: false }
}

export interface Options {
  readonly profiles?: readonly ProfileName[]
  /** Runs every case twice in plain bash instead, to find cases that are not deterministic. */
  readonly twicePlain?: boolean
  /** Runs the cases that expect no refusal in another sandbox, to compare it with Cordon. */
  readonly peer?: Peer | null
  readonly abreast?: number
  readonly onResult?: (result: Result) => void
}

/** Runs cases in plain bash and in Cordon and compares. Leaves nothing behind. */
export async function runCases(cases: readonly Case[], options: Options = {}): Promise<readonly Result[]> {
  const workbench = new Workbench()
  const results: Result[] = []
  const tell = (result: Result): void => {
    results.push(result)
    options.onResult?.(result)
  }
  try {
    const missing = missingNeeds(cases, workbench)
    const queue = cases.filter((one) => !one.needs.some((need) => missing.has(need)))
    for (const one of cases) {
      const lacks = one.needs.filter((need) => missing.has(need))
      if (lacks.length === 0) continue
      const verdict = {
        kind: 'skipped',
        differences: [`${lacks.join(', ')} not installed`],
        unexplained: false,
      } as const
      for (const profile of one.profiles) tell({ case: one, profile, verdict })
    }
    for (const { project } of queue) workbench.makeProject(project)
    const worker = async (bench: number): Promise<void> => {
      for (let one = queue.shift(); one; one = queue.shift())
        for (const result of await runCase(one, bench, workbench, options)) tell(result)
    }
    await Promise.all(Array.from({ length: options.abreast ?? 2 }, (_, bench) => worker(bench)))
  } finally {
    workbench.remove()
  }
  return results
}

function missingNeeds(cases: readonly Case[], workbench: Workbench): ReadonlySet<string> {
  const needs = new Set(cases.flatMap((one) => one.needs))
  return new Set([...needs].filter((need) => !workbench.has(need)))
}

async function runInPeer(one: Case, bench: number, workbench: Workbench, peer: Peer): Promise<readonly Result[]> {
  if (one.expect.size > 0) return []
  const plain = await workbench.run(one, bench, 'plain')
  return [{ case: one, profile: peer, verdict: compare(one, plain, await workbench.run(one, bench, peer), undefined) }]
}

async function runCase(one: Case, bench: number, workbench: Workbench, options: Options): Promise<readonly Result[]> {
  if (options.peer) return runInPeer(one, bench, workbench, options.peer)
  const compared = comparedCommands(one, options)
  if (options.twicePlain && compared === 0) return []
  const plain = await workbench.run({ ...one, steps: one.steps.slice(0, compared) }, bench, 'plain')
  if (options.twicePlain) {
    const again = await workbench.run({ ...one, steps: one.steps.slice(0, compared) }, bench, 'plain')
    const steps = again.steps.flatMap((step, index) =>
      stepDifferences(one, index, plain.steps[index] ?? step, step, null),
    )
    const differences = [...steps, ...treeDifferences(plain.tree, again.tree)]
    return [
      {
        case: one,
        profile: 'plain',
        verdict: { kind: differences.length === 0 ? 'same' : 'different', differences, unexplained: false },
      },
    ]
  }
  const results: Result[] = []
  for (const profile of options.profiles ?? PROFILES) {
    if (!one.profiles.includes(profile)) continue
    const verdict = compare(one, plain, await workbench.run(one, bench, profile), one.expect.get(profile))
    results.push({ case: one, profile, verdict })
  }
  return results
}

/**
 * Counts the commands of a case that some profile must run as bash does. A refused command is not compared, nor are
 * those after it.
 */
function comparedCommands(one: Case, { profiles = PROFILES }: Options): number {
  const counts = profiles.map((profile) => {
    const expected = one.expect.get(profile)
    return expected && expected.outcome !== 'note' ? expected.step - 1 : one.steps.length
  })
  return Math.max(...counts)
}
