import { resolvePath } from '../../core/model/basics/path.js'
import type { Evidence } from '../../core/model/run/evidence.js'
import type { Facts } from '../../core/model/run/facts.js'

/** More paths than this are not looked at. */
const MOST = 50
const MOST_CHARS = 4_096
/**
 * An absolute path in an error message, between quotes or blanks:
 * `fatal: '/tmp/remote.git' does not appear to be a git repository`.
 */
const IN_MESSAGE = /(?<=^|[\s'"`(=])\/[^\s'"`:;,()]+/gm

/** The view in which a path is looked for. */
type View = 'host' | 'sandbox'

export interface Named {
  readonly facts: Facts
  readonly cwd: string
  /** The end of what the command wrote to stderr. */
  readonly errors: string
}

/** Paths that a command reads, has among its arguments, or complains of. */
function pathsNamed({ facts, cwd, errors }: Named): readonly string[] {
  const words = facts.invocations.flatMap(({ argv }) => argv.slice(1)).filter((word) => typeof word === 'string')
  const paths = [
    ...facts.reads.flatMap(({ path, partial }) => (partial === true ? [] : path)),
    ...words.filter((word) => /^(?:\.\.)?\//.test(word)).map((word) => resolvePath(word, cwd)),
    ...(errors.match(IN_MESSAGE) ?? []),
  ]
  return [...new Set(paths)].filter((path) => path.startsWith('/') && path.length < MOST_CHARS).slice(0, MOST)
}

/**
 * Returns the paths that a failed command names, that are on the host, and that commands do not see: other entries of
 * the home and of /tmp than the private ones.
 */
export const unsharedPaths = (named: Named, isThere: (path: string, view: View) => boolean): readonly Evidence[] =>
  pathsNamed(named)
    .filter((path) => !isThere(path, 'sandbox') && isThere(path, 'host'))
    .map((path) => ({ kind: 'unshared', path }))
