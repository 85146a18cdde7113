import { isUnder } from '../basics/path.js'

/** Paths that neither commands nor git may change, because Cordon or git runs them. */
const NEVER = /^(?:\.git(?:\/|$)|cordon\.toml$|\.cordon(?:\/|$)|[~/])/

/** Reports whether a transaction reviews changes of a protected path instead of a read-only mount. */
export const isReviewedPattern = (pattern: string): boolean => !NEVER.test(pattern)

/**
 * Reports whether a path is in a working tree that an agent keeps in its settings directory; such a tree is a project.
 */
export const isOwnTree = (path: string, place: string): boolean =>
  place.endsWith('/.claude') && isUnder(path, `${place}/worktrees`)

/** Returns the settings change that lets commands change a protected path; see `inSettings`. */
export const allowsChanges = (pattern: string): string =>
  `set \`paths.protected = ["...", ${JSON.stringify(`!${pattern}`)}]\``
