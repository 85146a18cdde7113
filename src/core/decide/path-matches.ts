import type { RuleMatch, Verdict } from '../model/decision.js'
import type { PathFact } from '../model/facts.js'
import type { Profile } from '../model/profile.js'
import { indexPlaces, isAbove, isUnder, type Place, type PlaceIndex, placeOf, realPath, toPlace } from './places.js'
import { isQuiet, type QuietPaths, quietPaths } from './quiet-paths.js'
import { hiddenRoots, isUnderAny, rootsOf } from './roots.js'
import { type DecideInput, match } from './scene.js'

type Kind = 'read' | 'write' | 'delete'

/** The profile's places, taken apart once. */
export interface Places {
  readonly hidden: PlaceIndex
  readonly protected: PlaceIndex
  /** What none of them speaks of, by the surroundings. */
  readonly quiet: WeakMap<DecideInput['surroundings'], QuietPaths | null>
}

/** The name by which a profile without a wall removes the question about the places of the machine. */
export const MACHINE_PLACES = 'machine'

/** A secret is one wherever it lies: `.env` without a directory is taken by its name, at any depth. */
const anywhere = (pattern: string): string => (/[/~]/.test(pattern) ? pattern : `**/${pattern}`)

export const placesOf = ({ paths }: Profile): Places => ({
  hidden: indexPlaces(paths.hidden.map((pattern) => toPlace(anywhere(pattern)))),
  protected: indexPlaces(paths.protected.map(toPlace)),
  quiet: new WeakMap(),
})

export function quietAt(places: Places, { profile, surroundings }: DecideInput): QuietPaths | null {
  const known = places.quiet.get(surroundings)
  if (known !== undefined) return known
  const made = quietPaths(profile, surroundings, [places.hidden, places.protected])
  places.quiet.set(surroundings, made)
  return made
}

const DEVICES = new Set(['null', 'zero', 'full', 'random', 'urandom', 'tty', 'stdin', 'stdout', 'stderr', 'ptmx'])
const EVERYWHERE = ['/tmp', '/dev/fd', '/dev/pts', '/dev/shm', '/proc/self/fd', '/dev/tcp', '/dev/udp'] as const

const MAY_BE_SCRATCH = /^\/(?:tmp|dev|proc)/

/** Private to the command inside the wall, or nothing that could be kept: fine to read and to write. */
const isScratch = (path: string): boolean =>
  MAY_BE_SCRATCH.test(path) &&
  ((path.startsWith('/dev/') && DEVICES.has(path.slice(5))) || EVERYWHERE.some((root) => isUnder(path, root)))

const DOES: Record<Kind, string> = { read: 'reads', write: 'writes', delete: 'deletes' }
const who = (fact: PathFact): string => (fact.by === 'redirect' ? 'A redirect' : `\`${fact.by}\``)
const sentence = (fact: PathFact, kind: Kind, real: string): string =>
  `${who(fact)} ${DOES[kind]} ${fact.path || 'a file'}${real === fact.path ? '' : ` (really ${real})`}`

/** A link may stand at a place, or lead to it. */
function eitherAt(fact: PathFact, real: string, places: PlaceIndex, input: DecideInput): Place | null {
  const partial = fact.partial === true
  const written = placeOf(fact.path, partial, places, input)
  return written ?? (real === fact.path ? null : placeOf(real, partial, places, input))
}

function hiddenMatch(fact: PathFact, kind: Kind, real: string, places: Places, input: DecideInput): RuleMatch | null {
  const at = eitherAt(fact, real, places.hidden, input)
  const listed = isUnderAny(real, hiddenRoots(input.surroundings))
  if (at || listed) {
    const reason = `${sentence(fact, kind, real)}, a hidden place${at ? ` (${at.pattern.replace('**/', '')})` : ''} of the profile "${input.profile.name}".`
    return match('path/hidden', 'deny', fact.span, reason, {
      instead: 'Work without it, or remove the place from `paths.hidden` in the profile.',
    })
  }
  // Behind a wall the secrets below are simply not there; without one the command would take them along.
  if (input.profile.sandbox === 'required' || !fact.recursive) return null
  const below = places.hidden.all.find((place) => isAbove(real, place, input))
  return below
    ? match(
        'path/above-hidden',
        'ask',
        fact.span,
        `${sentence(fact, kind, real)} with everything below, ${below.pattern} included.`,
        {
          instead: 'Name the files that are needed.',
        },
      )
    : null
}

/** Programs that put what they are given below the directory that they are told: `cp -r hooks .git/` writes the hooks. */
const PUTS = /^(?:cp|mv|rsync|install|ln|tar|bsdtar|unzip|7z|cpio|pax)$/

/** Behind a wall the hooks below are closed by themselves. */
const isPlanted = ({ by }: PathFact, kind: Kind, real: string, { profile, surroundings }: DecideInput): boolean => {
  if (profile.sandbox !== 'off' || kind !== 'write' || !real.endsWith('/.git') || !PUTS.test(by)) return false
  const tree = real.slice(0, -'/.git'.length)
  return tree === surroundings.workspace || surroundings.roots.includes(tree)
}

function protectedMatch(
  fact: PathFact,
  kind: Kind,
  real: string,
  places: Places,
  input: DecideInput,
): RuleMatch | null {
  if (kind === 'read') return null
  const at = eitherAt(fact, real, places.protected, input)
  if (!at && !isUnderAny(real, rootsOf(input.surroundings.protected)) && !isPlanted(fact, kind, real, input))
    return null
  const verdict = input.profile.paths.writeOutside === 'deny' ? 'deny' : 'ask'
  return match(
    'path/protected',
    verdict,
    fact.span,
    `${sentence(fact, kind, real)}, a protected place: what it holds is run or trusted later.`,
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

/** Without a wall nothing but a question is between a command and the machine it runs on. */
function machineMatch(fact: PathFact, kind: Kind, real: string, input: DecideInput): RuleMatch | null {
  const { profile, surroundings } = input
  if (profile.sandbox !== 'off' || kind === 'read' || profile.builtins.removed.includes(MACHINE_PLACES)) return null
  if (isUnder(real, surroundings.workspace) || !MACHINE.some((place) => isUnder(real, place))) return null
  return match(
    `path/${MACHINE_PLACES}`,
    'ask',
    fact.span,
    `${sentence(fact, kind, real)}, a system path, and there is no sandbox.`,
    { instead: 'Leave it as it is, or let a person change it.' },
  )
}

function outsideMatch(fact: PathFact, kind: Kind, real: string, input: DecideInput): RuleMatch | null {
  const { profile, surroundings } = input
  const verdict: Verdict = kind === 'read' ? profile.paths.readOutside : profile.paths.writeOutside
  if (verdict === 'allow' || isScratch(real)) return null
  if (!real.startsWith('/')) {
    // The directory is not known. A wall holds wherever that is; without one a person has to look.
    return profile.sandbox === 'required'
      ? null
      : match(
          'path/unknown',
          'ask',
          fact.span,
          `${sentence(fact, kind, real)}, and in which directory that is cannot be known.`,
          {
            instead: 'Give the absolute path.',
          },
        )
  }
  if (isUnderAny(real, rootsOf(surroundings.roots)) || isUnderAny(real, rootsOf(surroundings.writable))) return null
  if (kind === 'read' && isUnder(real, surroundings.workspace)) return null
  return match(
    `path/outside-${kind}`,
    verdict,
    fact.span,
    `${sentence(fact, kind, real)}, outside the allowed roots (${surroundings.roots.join(', ')}).`,
    {
      instead: `Work inside ${surroundings.workspace} or /tmp, or add the directory to \`paths.roots\` in the profile.`,
    },
  )
}

/** A workspace below /tmp is a workspace: the private /tmp is around it. */
const inRoots = (path: string, { roots }: DecideInput['surroundings']): boolean =>
  roots.some((root) => root !== '/' && isUnder(path, root))

function readOnlyMatch(fact: PathFact, kind: Kind, real: string, input: DecideInput): RuleMatch | null {
  const { profile, surroundings } = input
  if (
    profile.paths.write ||
    kind === 'read' ||
    (isScratch(real) && !inRoots(real, surroundings)) ||
    (profile.sandbox === 'required' && !real.startsWith('/')) ||
    isUnderAny(real, rootsOf(surroundings.writable))
  ) {
    return null
  }
  return match(
    'path/read-only',
    'deny',
    fact.span,
    `${sentence(fact, kind, real)}, and the profile "${profile.name}" lets nothing be written but /tmp.`,
    {
      instead: 'Write below /tmp, or use a profile that writes.',
    },
  )
}

/** Is it where it says, and does no place speak of it? */
const isQuietFact = (fact: PathFact, kind: Kind, quiet: QuietPaths, input: DecideInput): boolean =>
  isQuiet(quiet, fact.path, fact.partial === true) &&
  (input.answers.paths.size === 0 || realPath(fact, kind, input) === fact.path)

function oneFact(fact: PathFact, kind: Kind, places: Places, input: DecideInput): RuleMatch | null {
  const real = realPath(fact, kind, input)
  return (
    hiddenMatch(fact, kind, real, places, input) ??
    readOnlyMatch(fact, kind, real, input) ??
    protectedMatch(fact, kind, real, places, input) ??
    machineMatch(fact, kind, real, input) ??
    outsideMatch(fact, kind, real, input)
  )
}

const NO_MATCHES: readonly RuleMatch[] = []
/** So many facts are looked at faster than they are remembered. */
const FEW = 8

/** Does no place speak of any path that is read, written or deleted? */
export function isAllQuiet(input: DecideInput, quiet: QuietPaths | null): boolean {
  const { reads, writes, deletes } = input.facts
  if (quiet === null) return reads.length + writes.length + deletes.length === 0
  return (
    areQuiet(reads, 'read', quiet, input) &&
    areQuiet(writes, 'write', quiet, input) &&
    areQuiet(deletes, 'delete', quiet, input)
  )
}

/** What the profile's places have to say of every path that is read, written or deleted. */
export function pathMatches(input: DecideInput, places: Places, quiet: QuietPaths | null): readonly RuleMatch[] {
  const { reads, writes, deletes } = input.facts
  const count = reads.length + writes.length + deletes.length
  const found = new Found(input, places, quiet, count >= FEW)
  found.add(reads, 'read')
  found.add(writes, 'write')
  found.add(deletes, 'delete')
  return found.matches
}

function areQuiet(facts: readonly PathFact[], kind: Kind, quiet: QuietPaths, input: DecideInput): boolean {
  for (let i = 0; i < facts.length; i++) if (!isQuietFact(facts[i] as PathFact, kind, quiet, input)) return false
  return true
}

/** What was found so far. */
class Found {
  #matches: RuleMatch[] | null = null
  readonly #input: DecideInput
  readonly #places: Places
  readonly #quiet: QuietPaths | null
  /** The same path a thousand times over is looked up once: patterns are compared with every place there is. */
  readonly #known: Map<string, RuleMatch | null> | null

  constructor(input: DecideInput, places: Places, quiet: QuietPaths | null, remembers: boolean) {
    this.#input = input
    this.#places = places
    this.#quiet = quiet
    this.#known = remembers ? new Map() : null
  }

  add(facts: readonly PathFact[], kind: Kind): void {
    for (const fact of facts) {
      if (this.#quiet !== null && isQuietFact(fact, kind, this.#quiet, this.#input)) continue
      const found = this.#of(fact, kind)
      if (!found) continue
      this.#matches ??= []
      this.#matches.push(found.span === fact.span ? found : { ...found, span: fact.span })
    }
  }

  get matches(): readonly RuleMatch[] {
    return this.#matches ?? NO_MATCHES
  }

  #of(fact: PathFact, kind: Kind): RuleMatch | null {
    if (this.#known === null) return oneFact(fact, kind, this.#places, this.#input)
    const key = `${kind} ${fact.by} ${fact.recursive} ${fact.partial} ${fact.path}`
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const found = oneFact(fact, kind, this.#places, this.#input)
    this.#known.set(key, found)
    return found
  }
}
