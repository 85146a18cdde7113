import type { Profile } from './profile.js'

/** Variables that every profile passes on. All others must be listed. */
const ALWAYS_PASSED: readonly string[] = ['PATH', 'USER', 'LOGNAME', 'LANG', 'LC_ALL']

function matches(name: string, pattern: string): boolean {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern
}

/**
 * Reports whether a variable is passed on from the environment of the engine. A trailing `*` in the list matches a
 * prefix.
 */
export function isPassed(name: string, { pass, strip }: Profile['environment']): boolean {
  if (strip.some((prefix) => name.startsWith(prefix))) return false
  return ALWAYS_PASSED.includes(name) || pass.some((pattern) => matches(name, pattern))
}
