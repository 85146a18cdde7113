import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Names at the top of a project. */
const MARKS = ['.git', 'cordon.toml']

/**
 * Returns the workspace of a directory: the nearest known one at or above it in the same project, else the directory
 * itself. Without a project, only the directory itself.
 */
export function workspaceAt(directory: string, known: ReadonlySet<string>): string {
  let nearest: string | null = null
  for (let at = directory; ; at = dirname(at)) {
    if (known.has(at)) nearest ??= at
    if (MARKS.some((mark) => existsSync(join(at, mark)))) return nearest ?? directory
    if (dirname(at) === at) return directory
  }
}
