import { existsSync } from 'node:fs'
import type { TestContext } from 'vitest'

/** The directories in which sandboxes and tests look for programs. */
const PLACES = ['/usr/local/bin', '/usr/bin', '/bin']

export const hasTool = (name: string): boolean => PLACES.some((place) => existsSync(`${place}/${name}`))

/**
 * For tests about programs that a machine need not have: all others get along with Node, npm, git, bubblewrap and
 * what every Debian has (bash, coreutils, util-linux, perl-base). Skips the test where one is missing, and names it.
 */
export function needs({ skip }: TestContext, ...tools: readonly string[]): void {
  const missing = tools.filter((tool) => !hasTool(tool))
  if (missing.length > 0) skip(`${missing.join(' and ')} not installed`)
}
