import { isUnder } from '../../model/basics/path.js'
import type { Span } from '../../model/basics/span.js'
import { allowBeside, allowRead, inSettings, OWN_RECORDS } from '../../model/policy/allow-command.js'
import type { Lifted, RuleMatch, Verdict } from '../../model/policy/decision.js'
import type { Profile } from '../../model/policy/profile.js'
import { allowsChanges, isOwnTree, isReviewedPattern } from '../../model/policy/tool-settings.js'
import type { PathFact } from '../../model/run/facts.js'
import { SHARED_HOME } from '../../model/run/surroundings.js'
import { judgedSpans } from '../match/git-settings.js'
import { type DecideInput, match } from '../match/input.js'
import {
  askable,
  type Bases,
  basesOf,
  isAbove,
  isUnderAny,
  type PathPattern,
  patternOf,
  realPath,
  toPathPattern,
} from './path-patterns.js'
import { takesSettings } from './uses-settings-file.js'

type Kind = 'read' | 'write' | 'delete'

/** One use of a path, with its real path. */
interface Access {
  readonly fact: PathFact
  readonly kind: Kind
  readonly real: string
}

/** Policy and lookup data for one decision. */
interface AccessPolicy {
  readonly input: DecideInput
  readonly patterns: PathPolicy
  readonly bases: Bases
  /** Spans in which the table of git settings judges a change of `.git/config`. */
  readonly judged: readonly Span[]
}

/** Hidden and protected paths of a profile, parsed once. */
export interface PathPolicy {
  readonly hidden: readonly PathPattern[]
  readonly protected: readonly PathPattern[]
}

/** The built-in name by which a profile without a sandbox removes the question about system paths. */
export const SYSTEM_PATHS = 'system-paths'

/** Makes a bare name such as `.env` match at any depth. */
const anywhere = (pattern: string): string => (/[/~]/.test(pattern) ? pattern : `**/${pattern}`)

export const pathPolicyOf = ({ paths }: Profile): PathPolicy => ({
  hidden: paths.hidden.map((pattern) => toPathPattern(anywhere(pattern))),
  protected: paths.protected.map(toPathPattern),
})

const DEVICES = new Set(['null', 'zero', 'full', 'random', 'urandom', 'tty', 'stdin', 'stdout', 'stderr', 'ptmx'])
const EVERYWHERE = ['/tmp', '/dev/fd', '/dev/pts', '/dev/shm', '/proc/self/fd', '/dev/tcp', '/dev/udp'] as const

/** Reports whether a path is private to the sandbox or stores no data. Reading and writing are allowed there. */
const isScratch = (path: string): boolean =>
  (path.startsWith('/dev/') && DEVICES.has(path.slice(5))) || isUnderAny(path, EVERYWHERE)

/** Streams that a process has open, by number or name. */
const OWN_STREAM = /^\/dev\/(?:fd\/\d+|std(?:in|out|err))$/

const DOES: Record<Kind, string> = { read: 'reads', write: 'writes', delete: 'deletes' }
const subjectOf = (fact: PathFact): string => (fact.by === 'redirect' ? 'A redirect' : `\`${fact.by}\``)
const sentence = ({ fact, kind, real }: Access): string =>
  `${subjectOf(fact)} ${DOES[kind]} ${fact.path || 'a file'}${real === fact.path ? '' : ` (really ${real})`}`

/** Matches the written path first, then the real path. */
function eitherAt({ fact, real }: Access, patterns: readonly PathPattern[], bases: Bases): PathPattern | null {
  const partial = fact.partial === true
  const written = patternOf(fact.path, partial, patterns, bases)
  return written ?? (real === fact.path ? null : patternOf(real, partial, patterns, bases))
}

const isThere = ({ path }: PathFact, { answers }: DecideInput): boolean =>
  (answers.paths.get(path)?.kind ?? 'missing') !== 'missing'

/** Reports whether a path is in the private home, but not in a shared or mounted part of it. */
function isInPrivateHome(
  path: string,
  { home, privateDirectories, roots, writable, readable = [] }: DecideInput['surroundings'],
): boolean {
  const own = privateDirectories
  if (!own || own.home === null || !isUnder(path, home)) return false
  return !isUnderAny(path, [...own.shared.map(([, at]) => at), ...roots, ...writable, ...readable])
}

/** Reports whether a path belongs to an entry of the real home that is shared read-only. */
const isShared = (path: string, { privateDirectories: own }: DecideInput['surroundings']): boolean =>
  own !== undefined && isUnderAny(path, [SHARED_HOME, ...own.shared.map(([, at]) => at)])

/** Programs that read only names and metadata, and programs that list directories. */
const NAMING = new Set('stat gstat readlink realpath greadlink grealpath pathchk namei test cd'.split(' '))
const LISTING = new Set('ls gls dir vdir eza exa lsd tree du gdu'.split(' '))

/** Reports whether an access reads only the name of a hidden file. Only its content is hidden. */
function isNameOnly({ fact, kind, real }: Access, pattern: PathPattern, { answers }: DecideInput): boolean {
  if (kind !== 'read' || !isPatternItself(fact, pattern)) return false
  if (NAMING.has(fact.by)) return true
  if (!LISTING.has(fact.by)) return false
  const there = answers.paths.get(real)?.kind ?? answers.paths.get(fact.path)?.kind
  return there === undefined ? pattern.base === 'anywhere' : there !== 'directory'
}

const isPatternItself = ({ path, partial }: PathFact, { segments }: PathPattern): boolean => {
  const last = path.slice(path.lastIndexOf('/') + 1)
  return last === segments.at(-1) || (partial === true && last.startsWith('.'))
}

/** Reports whether a name such as `.env` does not exist yet. A command may use the file it creates itself. */
function isNew({ fact, kind, real }: Access, pattern: PathPattern, input: DecideInput): boolean {
  if (kind === 'delete' || pattern.base !== 'anywhere' || fact.partial || isThere(fact, input) || real !== fact.path)
    return false
  return kind === 'write' || input.facts.writes.some(({ path }) => path === fact.path)
}

/**
 * Reports whether an access to a file such as `.env` asks instead of being denied: a change, or loading settings from
 * it. Neither shows the content.
 */
const isQuestion = (
  { fact, kind }: Access,
  pattern: PathPattern | null,
  { profile, text, facts }: DecideInput,
): boolean =>
  pattern?.base === 'anywhere' &&
  profile.paths.writeOutside === 'ask' &&
  (kind !== 'read' || takesSettings(text, fact, facts.writes))

/** Programs that remove or move whole directories. */
const WHOLE = new Set(['rm', 'grm', 'mv', 'gmv'])

/** Returns a hidden path in a directory of a root that the command removes or moves. The sandbox prevents both. */
function keptBelow(
  { fact, kind, real }: Access,
  { profile, surroundings: { hidden, roots } }: DecideInput,
): string | null {
  if (kind !== 'delete' || fact.path === '' || !WHOLE.has(fact.by) || profile.sandbox !== 'required') return null
  const isInRoot = (path: string): boolean => roots.some((root) => root !== '/' && isUnder(path, root))
  return hidden.find(([path]) => path !== real && isUnder(path, real) && isInRoot(path))?.[0] ?? null
}

/** Says what shows a hidden path. */
export const showing = (
  path: string,
  pattern: string | undefined,
  { surroundings, profile }: Pick<DecideInput, 'surroundings' | 'profile'>,
): string =>
  surroundings.state !== undefined && isUnder(path, surroundings.state)
    ? OWN_RECORDS
    : (allowRead(path, profile.name) ??
      inSettings(`leave ${JSON.stringify(pattern ?? path)} out of \`paths.hidden\``, profile.name))

function keptMatch(access: Access, path: string, { input, patterns, bases }: Omit<AccessPolicy, 'judged'>): RuleMatch {
  const at = patternOf(path, false, patterns.hidden, bases)
  const verdict = isQuestion(access, at, input) ? 'ask' : 'deny'
  const reason = `${sentence(access)} with ${path}, which the profile "${input.profile.name}" hides.`
  return match('path/hidden', verdict, access.fact.span, reason, {
    instead: 'Leave the directory, and remove or move what else is in it.',
    remedy: showing(path, at?.pattern, input),
    lifts: { paths: [access.real] },
  })
}

function hiddenMatch(access: Access, { input, patterns, bases }: AccessPolicy): RuleMatch | null {
  const { fact, real, kind } = access
  if (input.surroundings.tracked?.includes(real)) return null
  const { shown = [], home } = input.surroundings
  const ofPerson = isUnder(real, SHARED_HOME) ? home + real.slice(SHARED_HOME.length) : real
  const isShown = isUnderAny(ofPerson, shown)
  if (isShown && kind === 'read' && fact.partial !== true) return null
  const at = eitherAt(access, patterns.hidden, bases)
  if (at !== null && (isNameOnly(access, at, input) || isNew(access, at, input))) return null
  const listed = input.surroundings.hidden.some(([one]) => isUnder(real, one))
  if (at || listed) {
    const reason = `${sentence(access)}. Profile "${input.profile.name}" hides ${at?.pattern.replace('**/', '') ?? 'it'}.`
    return match('path/hidden', isQuestion(access, at, input) ? 'ask' : 'deny', fact.span, reason, {
      instead: 'Continue without this path.',
      remedy: showing(isShown ? '/' : ofPerson, at?.pattern ?? real, input),
      // Only an existing file is hidden by a mount that an approval can lift.
      ...(isThere(fact, input) ? { lifts: { paths: [real] } } : {}),
    })
  }
  const kept = keptBelow(access, input)
  if (kept !== null) return keptMatch(access, kept, { input, patterns, bases })
  // In a sandbox the secrets below are not visible. Without one, the command would read them too.
  if (input.profile.sandbox === 'required' || !fact.recursive) return null
  const below = patterns.hidden.find((pattern) => isAbove(real, pattern, input))
  return below
    ? match('path/contains-hidden', 'ask', fact.span, `${sentence(access)} recursively, including ${below.pattern}.`, {
        instead: 'Name only the files you need.',
      })
    : null
}

/** Programs that write into the directory they are given: `cp -r hooks .git/` writes the hooks. */
const PUTS = /^(?:cp|mv|rsync|install|ln|tar|bsdtar|unzip|7z|cpio|pax)$/

/** Reports whether a copy into `.git` of a root can write hooks. A sandbox protects them by mounts. */
const isHookCopy = ({ fact, kind, real }: Access, { profile, surroundings }: DecideInput): boolean => {
  if (profile.sandbox !== 'off' || kind !== 'write' || !real.endsWith('/.git') || !PUTS.test(fact.by)) return false
  const tree = real.slice(0, -'/.git'.length)
  return tree === surroundings.workspace || surroundings.roots.includes(tree)
}

const isJudged = ({ fact, real }: Access, { judged }: AccessPolicy): boolean =>
  real.endsWith('/.git/config') && judged.some(([from, to]) => fact.span[0] >= from && fact.span[1] <= to)

function protectedMatch(access: Access, policy: AccessPolicy): RuleMatch | null {
  const { input, patterns, bases } = policy
  const { fact, kind, real } = access
  if (kind === 'read' || isJudged(access, policy) || isInPrivateHome(real, input.surroundings)) return null
  const at = eitherAt(access, patterns.protected, bases)
  const held = input.surroundings.protected.filter((one) => isUnder(real, one))
  if (!at && held.length === 0 && !isHookCopy(access, input)) return null
  if (held.some((one) => isOwnTree(real, one))) return null
  const verdict = input.profile.paths.writeOutside === 'deny' ? 'deny' : 'ask'
  return match(
    'path/protected',
    verdict,
    fact.span,
    `${sentence(access)}, a protected path: files there are run or trusted later.`,
    {
      instead: 'Leave it unchanged, or ask a person to change it.',
      ...(at !== null && isReviewedPattern(at.pattern)
        ? { remedy: inSettings(allowsChanges(at.pattern), input.profile.name) }
        : {}),
      ...liftsSettings(verdict, access, held, input),
    },
  )
}

/** Lets an approval lift the named settings file of a tool, if a transaction reviews it. */
function liftsSettings(
  verdict: Verdict,
  { fact, real }: Access,
  held: readonly string[],
  { surroundings }: DecideInput,
) {
  const isReviewed = held.length > 0 && held.every((one) => surroundings.reviewedSettings?.includes(one))
  return verdict === 'ask' && fact.partial !== true && isReviewed ? { lifts: { settings: [real] } } : {}
}

/** System paths that a host boots from or trusts. */
const SYSTEM_DIRECTORIES =
  '/boot /etc /bin /sbin /lib /lib64 /usr/bin /usr/sbin /usr/lib /usr/libexec /usr/local/bin /usr/local/sbin /proc/sys /proc/sysrq-trigger /sys /var/spool/cron /System /Library'.split(
    ' ',
  )

/** An approval opens the path that a question names, if it is one path. Without a sandbox there is nothing to open. */
const liftsWrite = (verdict: Verdict, { fact, kind, real }: Access, { sandbox }: Profile) =>
  verdict === 'ask' && kind !== 'read' && fact.partial !== true && sandbox === 'required'
    ? { lifts: { writes: [real] } }
    : {}

/** Asks before a write to a system path if the profile has no sandbox. */
function systemPathMatch(access: Access, { input: { profile, surroundings } }: AccessPolicy): RuleMatch | null {
  const { fact, kind, real } = access
  if (profile.sandbox !== 'off' || kind === 'read' || profile.builtins.removed.includes(SYSTEM_PATHS)) return null
  if (isUnder(real, surroundings.workspace) || !isUnderAny(real, SYSTEM_DIRECTORIES)) return null
  // If the profile denies writes outside, do not weaken that to a question.
  if (profile.paths.writeOutside === 'deny' && !isUnderAny(real, [...surroundings.roots, ...surroundings.writable]))
    return null
  return match(
    `path/${SYSTEM_PATHS}`,
    'ask',
    fact.span,
    `${sentence(access)}, a system path. The profile has no sandbox.`,
    { instead: 'Leave it unchanged, or ask a person to change it.' },
  )
}

/** Paths that a sandbox replaces by its own. Cordon never shows those of the host. */
const OWN_OF_SANDBOX = /^\/(?:(?:proc|dev|sys|run)(?:\/|$)|$)/

/** An approval shows the path that a question names; where that is a pattern, the directory in which it begins. */
function liftsRead(verdict: Verdict, { fact, kind, real }: Access, input: DecideInput): { lifts?: Partial<Lifted> } {
  const [path, rest] = askable(fact)
  const shown = rest === '' ? real : input.answers.paths.get(path)?.real
  if (verdict !== 'ask' || kind !== 'read' || input.profile.sandbox !== 'required') return {}
  if (shown === undefined || OWN_OF_SANDBOX.test(shown) || !isThere({ ...fact, path }, input)) return {}
  return { lifts: { reads: [shown] } }
}

function outsideMatch(access: Access, { input }: AccessPolicy): RuleMatch | null {
  const { profile, surroundings } = input
  const { fact, kind, real } = access
  const verdict: Verdict = kind === 'read' ? profile.paths.readOutside : profile.paths.writeOutside
  if (verdict === 'allow') return null
  if (isShared(real, surroundings) && !isUnderAny(real, surroundings.roots)) {
    if (kind === 'read') return null
    return match(
      `path/outside-${kind}`,
      verdict,
      fact.span,
      `${sentence(access)}. This part of the home is shared read-only with commands.`,
      {
        instead: 'Write to another path below ~ or in the workspace.',
        remedy: allowBeside(real, profile.name),
        ...liftsWrite(verdict, access, profile),
      },
    )
  }
  if (isScratch(real) || (kind !== 'delete' && OWN_STREAM.test(fact.path))) return null
  if (!real.startsWith('/')) {
    // The directory is unknown. A sandbox enforces the rules anyway; without one, a person must decide.
    return profile.sandbox === 'required'
      ? null
      : match('path/unknown', 'ask', fact.span, `${sentence(access)}. Cordon cannot tell in which directory.`, {
          instead: 'Use the absolute path.',
        })
  }
  if (isUnderAny(real, [...surroundings.roots, ...surroundings.writable]) || isInPrivateHome(real, surroundings))
    return null
  if (kind === 'read' && isUnderAny(real, [surroundings.workspace, ...(surroundings.readable ?? [])])) return null
  const command = (kind === 'read' ? allowRead : allowBeside)(real, profile.name)
  return match(
    `path/outside-${kind}`,
    verdict,
    fact.span,
    `${sentence(access)}, outside the allowed roots (${surroundings.roots.join(', ')}).`,
    {
      instead: `Use a path inside ${surroundings.workspace} or /tmp.`,
      remedy: command,
      ...liftsWrite(verdict, access, profile),
      ...liftsRead(verdict, access, input),
    },
  )
}

/** A workspace below /tmp is a workspace: the private /tmp is around it. */
const inRoots = (path: string, { roots }: DecideInput['surroundings']): boolean =>
  roots.some((root) => root !== '/' && isUnder(path, root))

function readOnlyMatch(access: Access, { input: { profile, surroundings } }: AccessPolicy): RuleMatch | null {
  const { fact, kind, real } = access
  if (
    profile.paths.write ||
    kind === 'read' ||
    (isScratch(real) && !inRoots(real, surroundings)) ||
    (profile.sandbox === 'required' && !real.startsWith('/')) ||
    isUnderAny(real, surroundings.writable) ||
    isInPrivateHome(real, surroundings)
  ) {
    return null
  }
  return match(
    'path/read-only',
    'deny',
    fact.span,
    `${sentence(access)}. Profile "${profile.name}" allows writes only to /tmp and the private home.`,
    {
      instead: 'Write to a path below /tmp.',
    },
  )
}

function accessMatch(fact: PathFact, kind: Kind, policy: AccessPolicy): RuleMatch | null {
  const access = { fact, kind, real: realPath(fact, kind, policy.input) }
  return (
    hiddenMatch(access, policy) ??
    readOnlyMatch(access, policy) ??
    protectedMatch(access, policy) ??
    systemPathMatch(access, policy) ??
    outsideMatch(access, policy)
  )
}

/** Returns the path rule matches for every read, write and delete. */
export function pathMatches(input: DecideInput, patterns: PathPolicy): readonly RuleMatch[] {
  const policy = { input, patterns, bases: basesOf(input), judged: judgedSpans(input) }
  const { reads, writes, deletes } = input.facts
  const matchesOf = (facts: readonly PathFact[], kind: Kind): readonly RuleMatch[] =>
    facts.flatMap((fact) => accessMatch(fact, kind, policy) ?? [])
  return [...matchesOf(reads, 'read'), ...matchesOf(writes, 'write'), ...matchesOf(deletes, 'delete')]
}
