import type { Facts, Invocation } from '../../model/run/facts.js'

const PROGRAM_DIRECTORIES = new Set(
  '/bin /sbin /usr/bin /usr/sbin /usr/local/bin /usr/local/sbin /opt/homebrew/bin'.split(' '),
)

/**
 * Reports whether a program is called by its bare name or from a system program directory. `./ls` does not match an
 * allow rule for `ls`.
 */
export function isTrustedName({ argv }: Pick<Invocation, 'argv'>): boolean {
  const name = argv[0]
  if (typeof name !== 'string') return false
  if (!name.includes('/')) return true
  return name.startsWith('/') && PROGRAM_DIRECTORIES.has(name.slice(0, name.lastIndexOf('/')))
}

/** Reports whether bare names come from system program directories. False if the script sets PATH. */
export const trustsPath = ({ environment }: Facts): boolean => !environment.some(({ name }) => name === 'PATH')

/** Reports whether a program has no known or trusted name, so that only its arguments show its effect. */
export const isAnonymous = (part: Invocation): boolean =>
  part.program === null || (part.argv[0] !== part.program && !isTrustedName(part))
