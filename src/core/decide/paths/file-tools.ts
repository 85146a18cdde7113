import { isUnder, resolvePath } from '../../model/basics/path.js'
import type { Span } from '../../model/basics/span.js'
import { inSettings } from '../../model/policy/allow-command.js'
import type { RuleMatch } from '../../model/policy/decision.js'
import { allowsChanges, isOwnTree, isReviewedPattern } from '../../model/policy/tool-settings.js'
import { type DecideInput, match } from '../match/input.js'
import { pathPolicyOf, showing } from './path-matches.js'
import { type Bases, basesOf, isUnderAny, type PathPattern, patternOf } from './path-patterns.js'

/** One path that a tool itself reads or writes, without a command. */
export interface FileAccess {
  /** Absolute. */
  readonly path: string
  readonly kind: 'read' | 'write'
  /** Name of the tool, as the reason shows it. */
  readonly tool: string
  /** Span of the path in the text shown to a person. */
  readonly span: Span
}

type FileInput = Pick<DecideInput, 'answers' | 'profile' | 'surroundings'>

/** Directories where agents keep plans and notes. No file there is run or read as settings. */
const NOTES = ['.claude/plans', '.claude/projects', '.gemini/tmp', '.qwen/tmp', '.copilot/session-state'] as const

/**
 * Judges paths that file tools use outside the sandbox, without mounts and without a transaction. Denies hidden paths,
 * and writes to protected paths. Other paths have no match.
 */
export function fileMatches(accesses: readonly FileAccess[], input: FileInput): readonly RuleMatch[] {
  const { hidden, protected: closed } = pathPolicyOf(input.profile)
  const rules: FileRules = { input, hidden, closed, anywhere: closed.flatMap(asAnywhere), bases: basesOf(input) }
  return accesses.flatMap((access) => accessMatch(access, rules) ?? [])
}

interface FileRules {
  readonly input: FileInput
  readonly hidden: readonly PathPattern[]
  readonly closed: readonly PathPattern[]
  /** Protected paths of a workspace, matched in every directory. */
  readonly anywhere: readonly PathPattern[]
  readonly bases: Bases
}

const asAnywhere = ({ pattern, base: at, segments }: PathPattern): readonly PathPattern[] =>
  at === 'root' ? [{ pattern, base: 'anywhere', segments: ['**', ...segments] }] : []

function accessMatch(access: FileAccess, rules: FileRules): RuleMatch | null {
  const { input } = rules
  const path = resolvePath(access.path, '/')
  const real = input.answers.paths.get(access.path)?.real ?? path
  if (isNote(real, input)) return null
  return hiddenMatch(access, [path, real], rules) ?? protectedMatch(access, [path, real], rules)
}

const isNote = (real: string, { surroundings: { home } }: FileInput): boolean =>
  isUnderAny(
    real,
    NOTES.map((notes) => `${home}/${notes}`),
  )

const firstAt = (paths: readonly string[], patterns: readonly PathPattern[], bases: Bases): PathPattern | null =>
  paths.map((path) => patternOf(path, false, patterns, bases)).find((pattern) => pattern !== null) ?? null

const sentence = ({ tool, kind, path }: FileAccess, real: string): string =>
  `\`${tool}\` ${kind}s ${path}${real === path ? '' : ` (really ${real})`}`

type Paths = readonly [path: string, real: string]

function hiddenMatch(access: FileAccess, paths: Paths, { input, hidden, bases }: FileRules): RuleMatch | null {
  const { profile, surroundings } = input
  const [, real] = paths
  if (surroundings.tracked?.includes(real)) return null
  if (access.kind === 'read' && isUnderAny(real, surroundings.shown ?? [])) return null
  const at = firstAt(paths, hidden, bases)
  if (at === null && !surroundings.hidden.some(([one]) => isUnder(real, one))) return null
  const name = at?.pattern.replace('**/', '') ?? 'it'
  const reason = `${sentence(access, real)}. Profile "${profile.name}" hides ${name}.`
  return match('path/hidden', 'deny', access.span, reason, {
    instead: 'Continue without this path.',
    remedy: showing(real, at?.pattern, input),
  })
}

function protectedMatch(access: FileAccess, paths: Paths, rules: FileRules): RuleMatch | null {
  const { closed, anywhere, bases } = rules
  const { profile, surroundings } = rules.input
  const [, real] = paths
  if (access.kind === 'read') return null
  const held = surroundings.protected.filter((one) => isUnder(real, one))
  if (held.some((one) => isOwnTree(real, one))) return null
  const isInside = isUnderAny(real, [surroundings.workspace, ...surroundings.roots])
  // Nested repositories of a workspace are protected too; a nested `.vscode` of a package is its own.
  const elsewhere = isInside ? anywhere.filter(({ pattern }) => pattern.startsWith('.git/')) : anywhere
  const at = firstAt(paths, closed, bases) ?? firstAt(paths, elsewhere, bases)
  if (at === null && held.length === 0 && !surroundings.hardLinks?.includes(real)) return null
  const reason = `${sentence(access, real)}, a protected path: files there are run or trusted later.`
  return match('path/protected', 'deny', access.span, reason, {
    instead: 'Leave it unchanged, or ask a person to change it.',
    ...(at !== null && isReviewedPattern(at.pattern)
      ? { remedy: inSettings(allowsChanges(at.pattern), profile.name) }
      : {}),
  })
}
