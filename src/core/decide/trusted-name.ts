import type { Facts, Invocation } from '../model/facts.js'

const PROGRAM_DIRECTORIES = new Set([
  '/bin',
  '/sbin',
  '/usr/bin',
  '/usr/sbin',
  '/usr/local/bin',
  '/usr/local/sbin',
  '/opt/homebrew/bin',
])

/** Is the program called by its bare name, or from where programs are installed? `./ls` is not `ls` to a rule in favour. */
export function isTrustedName({ argv }: Pick<Invocation, 'argv'>): boolean {
  const name = argv[0]
  if (typeof name !== 'string') return false
  if (!name.includes('/')) return true
  return name.startsWith('/') && PROGRAM_DIRECTORIES.has(name.slice(0, name.lastIndexOf('/')))
}

/** Are bare names looked up where programs are installed? A script that sets PATH may have put its own in front. */
export const trustsPath = ({ environment }: Facts): boolean => !environment.some(({ name }) => name === 'PATH')

/** A program nobody can name, or one from a place anybody could have put it: what it does can only be told from its arguments. */
export const isAnonymous = (part: Invocation): boolean =>
  part.program === null || (part.argv[0] !== part.program && !isTrustedName(part))
