import type { Invocation } from '../model/run/facts.js'

/** Programs that print nothing of their own and only run another one: its output is what is seen. */
const TRANSPARENT = new Set('timeout env nice nohup command exec stdbuf time setsid ionice'.split(' '))

/**
 * Returns the argument vectors of the programs whose output is seen. A program includes the programs it runs itself:
 * the output of `npx vitest` counts as one program's, though the facts name two.
 */
export const printingArgvs = (invocations: readonly Invocation[]): readonly (readonly string[])[] =>
  invocations
    .filter(({ via, implied }) => !implied && via.every((name) => TRANSPARENT.has(name)))
    .map(({ argv }) => argv.filter((word) => typeof word === 'string'))
