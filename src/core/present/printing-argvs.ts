import type { Invocation } from '../model/facts.js'

/** Programs that print nothing of their own and only run another one: its output is what is seen. */
const TRANSPARENT = new Set([
  'timeout',
  'env',
  'nice',
  'nohup',
  'command',
  'exec',
  'stdbuf',
  'time',
  'setsid',
  'ionice',
])

/**
 * The argument vectors of the programs whose output is seen. A program stands for whatever it runs itself: the output of
 * `npx vitest` or `./test.pl` is one program's, though two are named in the facts.
 */
export const printingArgvs = (invocations: readonly Invocation[]): readonly (readonly string[])[] =>
  invocations
    .filter(({ via, implied }) => !implied && via.every((name) => TRANSPARENT.has(name)))
    .map(({ argv }) => argv.filter((word) => typeof word === 'string'))
