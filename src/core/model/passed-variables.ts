import type { Profile } from './profile.js'

/** Passed on whatever the profile says; everything else must be named. */
const ALWAYS_PASSED: readonly string[] = ['PATH', 'USER', 'LOGNAME', 'LANG', 'LC_ALL']

function matches(name: string, pattern: string): boolean {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern
}

/** Is a variable of this name handed on from the engine's own environment? A trailing `*` in the profile's list is a prefix. */
export function isPassed(name: string, { pass, strip }: Profile['environment']): boolean {
  if (strip.some((prefix) => name.startsWith(prefix))) return false
  return ALWAYS_PASSED.includes(name) || pass.some((pattern) => matches(name, pattern))
}
