import { existing, guardedPath } from './path-guard.js'

const WHAT = 'working directory'

/** Returns the working directory of a request, resolved and inside the roots. Each failure has its own error. */
export function resolveDirectory(cwd: string, workspace: string, roots: readonly string[]): string {
  return existing(cwd, guardedPath(cwd, { base: workspace, roots, what: WHAT }), WHAT)
}
