import type { Rule } from '../../model/policy/profile.js'

type Effect = Pick<Rule, 'because' | 'hits' | 'misses'> &
  Partial<Pick<Rule, 'args' | 'instead'>> & { readonly name: string; readonly program: readonly string[] }

const PREFIX = 'effect/'

/** Splits a list of words at its blanks. */
export const words = (text: string): readonly string[] => text.split(/\s+/)

/** A built-in question. Its id is `effect/<name>`. */
export const ask = ({ name, args = [], instead = null, ...effect }: Effect): Rule => ({
  ...effect,
  id: `${PREFIX}${name}`,
  args,
  action: null,
  verdict: 'ask',
  instead,
})

/** The name by which a profile removes a built-in question. */
export const effectName = ({ id }: Rule): string => id.slice(PREFIX.length)
