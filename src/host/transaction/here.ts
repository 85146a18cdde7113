import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** What stands at the top of a project. */
const MARKS = ['.git', 'cordon.toml']

/**
 * Returns the workspace that a directory belongs to: of those known, the nearest at or above it within the same project, else the
 * directory itself. Directories without a project have none above them.
 */
export function workspaceAt(directory: string, known: ReadonlySet<string>): string {
  let nearest: string | null = null
  for (let at = directory; ; at = dirname(at)) {
    if (known.has(at)) nearest ??= at
    if (MARKS.some((mark) => existsSync(join(at, mark)))) return nearest ?? directory
    if (dirname(at) === at) return directory
  }
}
