import { type FileAccess, fileMatches } from '../core/decide/paths/file-tools.js'
import { CordonError } from '../core/model/basics/errors.js'
import { strictest } from '../core/model/policy/decision.js'
import type { FileAuthorization, FileOptions } from './api.js'
import { denial } from './errors/denial-error.js'
import type { DecidingPorts } from './ports/ports.js'
import { askedRequest } from './stages/asked-request.js'
import { auditRefusal } from './stages/audit.js'
import type { KnownRequest } from './stages/nouns.js'
import { ignore } from './tasks/caller-events.js'

/**
 * Judges paths that a tool reads or writes itself, outside the sandbox. Denies hidden and protected paths, and
 * records the denial. Any other path is no concern: `verdict` is null.
 */
export function authorizeFiles(
  paths: readonly string[],
  options: FileOptions,
  ports: DecidingPorts,
): FileAuthorization {
  const { tool = 'file tool', access: kind = 'write', cwd } = options
  checkPaths(paths)
  const asked = {
    ...askedRequest({ input: `${tool} ${paths.join(' ')}`, options }, { id: ports.newId(), at: ports.now() }),
    isFileTool: true,
  }
  let known: KnownRequest = asked
  try {
    const profile = ports.profiles.profileFor(options.agent ?? null, options.profile ?? null)
    known = { ...asked, profile }
    const surroundings = ports.observer.surroundings(profile, [], options.agent)
    const accesses = accessesOf(paths, { tool, kind, cwd: cwd ?? surroundings.workspace })
    const answers = ports.observer.answer(accesses.map(({ path }) => ({ ask: 'path', path })))
    const because = fileMatches(accesses, { profile, surroundings, answers })
    if (because.length === 0) return { verdict: null, because }
    const decision = strictest(because)
    known = { ...known, decision }
    auditRefusal(denial(decision), known, ports, ignore)
    return { verdict: 'deny', because }
  } catch (thrown) {
    throw auditRefusal(thrown, known, ports, ignore)
  }
}

function checkPaths(paths: readonly string[]): void {
  if (paths.length > 0 && paths.every((path) => typeof path === 'string' && path !== '' && !path.includes('\0'))) return
  throw new CordonError(
    'INVALID_ARGUMENTS',
    'A file tool needs at least one path, and each must be a text without NUL.',
  )
}

/**
 * Returns the span of each path in the text `<tool> <path> <path>…`. A relative path keeps its `..`, which a symlink
 * redirects.
 */
function accessesOf(
  paths: readonly string[],
  { tool, kind, cwd }: Pick<FileAccess, 'tool' | 'kind'> & { readonly cwd: string },
): readonly FileAccess[] {
  let from = tool.length
  return paths.map((path) => {
    from += 1
    const span = [from, from + path.length] as const
    from = span[1]
    return { path: path.startsWith('/') ? path : `${cwd}/${path}`, kind, tool, span: [...span] }
  })
}
