import { expect, it } from 'vitest'
import { fc } from '../property.js'
import { TARGETS } from './targets.js'

/** The long form: `npm run fuzz -- TARGET --minutes N` sets these. */
const { CORDON_FUZZ_TARGET: only, CORDON_FUZZ_MINUTES: minutes } = process.env
const RUNS = 150
/** Far more than any of these inputs takes on a busy machine. */
const SLOW_CPU_MS = 500

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

const timeLimitMs = minutes === undefined ? null : Number(minutes) * 60_000

it.each(Object.keys(TARGETS).filter((name) => only === undefined || only === 'all' || name === only))(
  'no bytes make the parser throw or take long: %s',
  async (name) => {
    const { inputs, parse } = TARGETS[name] ?? expect.fail('no such target')
    const property = fc.asyncProperty(inputs, async (bytes) => {
      const begun = cpuMs()
      await parse(Buffer.from(bytes))
      expect(cpuMs() - begun).toBeLessThan(SLOW_CPU_MS)
    })
    const long = { numRuns: Number.MAX_SAFE_INTEGER, interruptAfterTimeLimit: timeLimitMs ?? 0 }
    await fc.assert(property, timeLimitMs === null ? { numRuns: RUNS } : long)
  },
  (timeLimitMs ?? 0) + 60_000,
)
