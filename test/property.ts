import fc from 'fast-check'

/**
 * The test run draws the same inputs every time: whether a change passes must not be a matter of luck.
 * `CORDON_SEED=random`, or a number from a failure's report, draws others.
 */
const seed = process.env.CORDON_SEED ?? '20260101'
if (seed !== 'random') fc.configureGlobal({ seed: Number(seed) })

export { fc }
