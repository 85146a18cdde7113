import { describe, expect, it } from 'vitest'
import { readCases } from './read-cases.js'
import { difference } from './report.js'
import { runCases } from './run-cases.js'

/** Each in one profile, in turn: half of the runs find nearly as much. */
const SUBSET = readCases()
  .filter(({ subset }) => subset)
  .map((one, index) => ({ ...one, profiles: one.profiles.slice(index % one.profiles.length).slice(0, 1) }))

describe('everyday commands', () => {
  it('do in the sandbox as they do in plain bash, or are refused with a remedy', { timeout: 600_000 }, async () => {
    const results = await runCases(SUBSET)
    const wrong = results.filter(({ verdict }) => verdict.kind === 'different' || verdict.unexplained)
    expect(wrong.map(difference)).toEqual([])
  })
})
