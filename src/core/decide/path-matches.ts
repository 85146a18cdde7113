import { allowBeside } from '../model/allow-command.js'
import type { RuleMatch, Verdict } from '../model/decision.js'
import type { PathFact } from '../model/facts.js'
import type { Profile } from '../model/profile.js'
import type { Span } from '../model/span.js'
import { SHARED_HOME } from '../model/surroundings.js'
import { judgedSpans } from './git-settings.js'
import { type Bases, basesOf, isAbove, isUnder, isUnderAny, type Place, placeOf, realPath, toPlace } from './places.js'
import { type DecideInput, match } from './scene.js'

type Kind = 'read' | 'write' | 'delete'

/** One use of a path: what the command says, and where that really is. */
interface Access {
  readonly fact: PathFact
  readonly kind: Kind
  readonly real: string
}

/** What an access is judged by. */
interface Policy {
  readonly input: DecideInput
  readonly places: Places
  readonly bases: Bases
  /** Where the table of git's settings judges a change of `.git/config`. */
  readonly judged: readonly Span[]
}

/** The profile's places, taken apart once. */
export interface Places {
  readonly hidden: readonly Place[]
  readonly protected: readonly Place[]
}

/** The name by which a profile without a wall removes the question about the places of the machine. */
export const SYSTEM_PATHS = 'system-paths'

/** A secret is one wherever it lies: `.env` without a directory is taken by its name, at any depth. */
const anywhere = (pattern: string): string => (/[/~]/.test(pattern) ? pattern : `**/${pattern}`)

export const placesOf = ({ paths }: Profile): Places => ({
  hidden: paths.hidden.map((pattern) => toPlace(anywhere(pattern))),
  protected: paths.protected.map(toPlace),
})

const DEVICES = new Set(['null', 'zero', 'full', 'random', 'urandom', 'tty', 'stdin', 'stdout', 'stderr', 'ptmx'])
const EVERYWHERE = ['/tmp', '/dev/fd', '/dev/pts', '/dev/shm', '/proc/self/fd', '/dev/tcp', '/dev/udp'] as const

/** Private to the command inside the wall, or nothing that could be kept: fine to read and to write. */
const isScratch = (path: string): boolean =>
  (path.startsWith('/dev/') && DEVICES.has(path.slice(5))) || isUnderAny(path, EVERYWHERE)

/** What a process has open already, by number or by name. */
const OWN_STREAM = /^\/dev\/(?:fd\/\d+|std(?:in|out|err))$/

const DOES: Record<Kind, string> = { read: 'reads', write: 'writes', delete: 'deletes' }
const who = (fact: PathFact): string => (fact.by === 'redirect' ? 'A redirect' : `\`${fact.by}\``)
const sentence = ({ fact, kind, real }: Access): string =>
  `${who(fact)} ${DOES[kind]} ${fact.path || 'a file'}${real === fact.path ? '' : ` (really ${real})`}`

/** A link may stand at a place, or lead to it. */
function eitherAt({ fact, real }: Access, places: readonly Place[], bases: Bases): Place | null {
  const partial = fact.partial === true
  const written = placeOf(fact.path, partial, places, bases)
  return written ?? (real === fact.path ? null : placeOf(real, partial, places, bases))
}

const isThere = ({ path }: PathFact, { answers }: DecideInput): boolean =>
  (answers.paths.get(path)?.kind ?? 'missing') !== 'missing'

/** In the private home, and in nothing that is shared there or mounted on it: what is written stays in Cordon's own state. */
function isInPrivateHome(
  path: string,
  { home, privateDirectories, roots, writable }: DecideInput['surroundings'],
): boolean {
  const own = privateDirectories
  if (!own || own.home === null || !isUnder(path, home)) return false
  return !isUnderAny(path, [...own.shared.map(([, at]) => at), ...roots, ...writable])
}

/** Whether the path is in an entry of the real home that commands only read. */
const isShared = (path: string, { privateDirectories: own }: DecideInput['surroundings']): boolean =>
  own !== undefined && isUnderAny(path, [SHARED_HOME, ...own.shared.map(([, at]) => at)])

/** Programs that look at a name and what the file system says of it, and those that list what is in a directory. */
const NAMING = new Set('stat gstat readlink realpath greadlink grealpath pathchk namei test cd'.split(' '))
const LISTING = new Set('ls gls dir vdir eza exa lsd tree du gdu'.split(' '))

/** Names may be listed, tested and looked up; what the files hold is hidden. */
function isNameOnly({ fact, kind, real }: Access, place: Place, { answers }: DecideInput): boolean {
  if (kind !== 'read' || !isPlaceItself(fact, place)) return false
  if (NAMING.has(fact.by)) return true
  if (!LISTING.has(fact.by)) return false
  const there = answers.paths.get(real)?.kind ?? answers.paths.get(fact.path)?.kind
  return there === undefined ? place.at === 'anywhere' : there !== 'directory'
}

const isPlaceItself = ({ path, partial }: PathFact, { segments }: Place): boolean => {
  const last = path.slice(path.lastIndexOf('/') + 1)
  return last === segments.at(-1) || (partial === true && last.startsWith('.'))
}

/** A name such as `.env` that stands for no file yet: one that a command makes is its own. */
function isNew({ fact, kind, real }: Access, place: Place, input: DecideInput): boolean {
  if (kind === 'delete' || place.at !== 'anywhere' || fact.partial || isThere(fact, input) || real !== fact.path)
    return false
  return kind === 'write' || input.facts.writes.some(({ path }) => path === fact.path)
}

/** `source .env`: the shell takes settings from it, which a person may allow where writing outside is a question too. */
const isSourced = ({ fact, kind }: Access, place: Place | null, { profile }: DecideInput): boolean =>
  kind === 'read' && fact.by === 'bash' && place?.at === 'anywhere' && profile.paths.writeOutside === 'ask'

function hiddenMatch(access: Access, { input, places, bases }: Policy): RuleMatch | null {
  const { fact, real } = access
  if (input.surroundings.tracked?.includes(real)) return null
  const at = eitherAt(access, places.hidden, bases)
  if (at !== null && (isNameOnly(access, at, input) || isNew(access, at, input))) return null
  const listed = input.surroundings.hidden.some(([place]) => isUnder(real, place))
  if (at || listed) {
    const reason = `${sentence(access)}. The profile "${input.profile.name}" hides ${at?.pattern.replace('**/', '') ?? 'it'}.`
    return match('path/hidden', isSourced(access, at, input) ? 'ask' : 'deny', fact.span, reason, {
      instead: 'Work without it. A person can remove it from `paths.hidden` in the profile.',
      // Nothing can be mounted where nothing is, and nothing is hidden there.
      ...(isThere(fact, input) ? { lifts: { paths: [real] } } : {}),
    })
  }
  // Behind a wall the secrets below are simply not there; without one the command would take them along.
  if (input.profile.sandbox === 'required' || !fact.recursive) return null
  const below = places.hidden.find((place) => isAbove(real, place, input))
  return below
    ? match(
        'path/contains-hidden',
        'ask',
        fact.span,
        `${sentence(access)} with everything below, ${below.pattern} included.`,
        {
          instead: 'Name the files that are needed.',
        },
      )
    : null
}

/** Programs that put what they are given below the directory that they are told: `cp -r hooks .git/` writes the hooks. */
const PUTS = /^(?:cp|mv|rsync|install|ln|tar|bsdtar|unzip|7z|cpio|pax)$/

/** Behind a wall the hooks below are closed by themselves. */
const isPlanted = ({ fact, kind, real }: Access, { profile, surroundings }: DecideInput): boolean => {
  if (profile.sandbox !== 'off' || kind !== 'write' || !real.endsWith('/.git') || !PUTS.test(fact.by)) return false
  const tree = real.slice(0, -'/.git'.length)
  return tree === surroundings.workspace || surroundings.roots.includes(tree)
}

const isJudged = ({ fact, real }: Access, { judged }: Policy): boolean =>
  real.endsWith('/.git/config') && judged.some(([from, to]) => fact.span[0] >= from && fact.span[1] <= to)

function protectedMatch(access: Access, policy: Policy): RuleMatch | null {
  const { input, places, bases } = policy
  const { fact, kind, real } = access
  if (kind === 'read' || isJudged(access, policy) || isInPrivateHome(real, input.surroundings)) return null
  const at = eitherAt(access, places.protected, bases)
  if (!at && !isUnderAny(real, input.surroundings.protected) && !isPlanted(access, input)) return null
  const verdict = input.profile.paths.writeOutside === 'deny' ? 'deny' : 'ask'
  return match(
    'path/protected',
    verdict,
    fact.span,
    `${sentence(access)}, a protected place: what it holds is run or trusted later.`,
    {
      instead: 'Leave it as it is, or let a person change it.',
    },
  )
}

/** What a machine starts from and trusts. */
const MACHINE =
  '/boot /etc /bin /sbin /lib /lib64 /usr/bin /usr/sbin /usr/lib /usr/libexec /usr/local/bin /usr/local/sbin /proc/sys /proc/sysrq-trigger /sys /var/spool/cron /System /Library'.split(
    ' ',
  )

/** An approval opens the path that a question names, if it is one path. Without a sandbox there is nothing to open. */
const liftsWrite = (verdict: Verdict, { fact, kind, real }: Access, { sandbox }: Profile) =>
  verdict === 'ask' && kind !== 'read' && fact.partial !== true && sandbox === 'required'
    ? { lifts: { writes: [real] } }
    : {}

/** Without a wall nothing but a question is between a command and the machine it runs on. */
function machineMatch(access: Access, { input: { profile, surroundings } }: Policy): RuleMatch | null {
  const { fact, kind, real } = access
  if (profile.sandbox !== 'off' || kind === 'read' || profile.builtins.removed.includes(SYSTEM_PATHS)) return null
  if (isUnder(real, surroundings.workspace) || !isUnderAny(real, MACHINE)) return null
  return match(
    `path/${SYSTEM_PATHS}`,
    'ask',
    fact.span,
    `${sentence(access)}, a system path, and there is no sandbox.`,
    { instead: 'Leave it as it is, or let a person change it.' },
  )
}

function outsideMatch(access: Access, { input: { profile, surroundings } }: Policy): RuleMatch | null {
  const { fact, kind, real } = access
  const verdict: Verdict = kind === 'read' ? profile.paths.readOutside : profile.paths.writeOutside
  if (verdict === 'allow') return null
  if (kind !== 'read' && isShared(real, surroundings) && !isUnderAny(real, surroundings.roots)) {
    return match(
      `path/outside-${kind}`,
      verdict,
      fact.span,
      `${sentence(access)}, which your home shares read-only with commands.`,
      {
        instead: 'Write elsewhere below ~ or in the workspace, or add the path to `paths.writable` in the profile.',
        ...liftsWrite(verdict, access, profile),
      },
    )
  }
  if (isScratch(real) || (kind !== 'delete' && OWN_STREAM.test(fact.path))) return null
  if (!real.startsWith('/')) {
    // The directory is not known. A wall holds wherever that is; without one a person has to look.
    return profile.sandbox === 'required'
      ? null
      : match(
          'path/unknown',
          'ask',
          fact.span,
          `${sentence(access)}, and in which directory that is cannot be known.`,
          {
            instead: 'Give the absolute path.',
          },
        )
  }
  if (isUnderAny(real, [...surroundings.roots, ...surroundings.writable]) || isInPrivateHome(real, surroundings))
    return null
  if (kind === 'read' && isUnder(real, surroundings.workspace)) return null
  const command = kind === 'read' ? null : allowBeside(real, profile.name)
  const fix =
    command === null ? 'or add the directory to `paths.roots` in the profile.' : `or let a person run \`${command}\`.`
  return match(
    `path/outside-${kind}`,
    verdict,
    fact.span,
    `${sentence(access)}, outside the allowed roots (${surroundings.roots.join(', ')}).`,
    {
      instead: `Work inside ${surroundings.workspace} or /tmp, ${fix}`,
      ...liftsWrite(verdict, access, profile),
    },
  )
}

/** A workspace below /tmp is a workspace: the private /tmp is around it. */
const inRoots = (path: string, { roots }: DecideInput['surroundings']): boolean =>
  roots.some((root) => root !== '/' && isUnder(path, root))

function readOnlyMatch(access: Access, { input: { profile, surroundings } }: Policy): RuleMatch | null {
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
    `${sentence(access)}, and the profile "${profile.name}" lets nothing be written but /tmp and the private home.`,
    {
      instead: 'Write below /tmp, or use a profile that writes.',
    },
  )
}

function accessMatch(fact: PathFact, kind: Kind, policy: Policy): RuleMatch | null {
  const access = { fact, kind, real: realPath(fact, kind, policy.input) }
  return (
    hiddenMatch(access, policy) ??
    readOnlyMatch(access, policy) ??
    protectedMatch(access, policy) ??
    machineMatch(access, policy) ??
    outsideMatch(access, policy)
  )
}

/** What the profile's places have to say of every path that is read, written or deleted. */
export function pathMatches(input: DecideInput, places: Places): readonly RuleMatch[] {
  const policy = { input, places, bases: basesOf(input), judged: judgedSpans(input) }
  const { reads, writes, deletes } = input.facts
  const matchesOf = (facts: readonly PathFact[], kind: Kind): readonly RuleMatch[] =>
    facts.flatMap((fact) => accessMatch(fact, kind, policy) ?? [])
  return [...matchesOf(reads, 'read'), ...matchesOf(writes, 'write'), ...matchesOf(deletes, 'delete')]
}
