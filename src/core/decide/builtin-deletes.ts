import type { Invocation, PathFact } from '../model/facts.js'
import { resolvePath } from '../model/path.js'
import { type Builtin, ENOUGH, knownArgs } from './builtin.js'
import { alternatives, hasGlob, shellGlobMatches } from './glob.js'
import { homesOf, isAt, type Place, realPath, toPlace } from './places.js'
import type { DecideInput, Finding } from './scene.js'

const SYSTEM = new Set(
  '/bin /boot /dev /etc /home /lib /lib32 /lib64 /opt /proc /root /run /sbin /srv /sys /usr /var /Users'.split(' '),
)

/** How many names a path has. */
function depth(path: string): number {
  let names = 0
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1))
    if (at + 1 < path.length && path[at + 1] !== '/') names++
  return path.startsWith('/') || path === '' ? names : names + 1
}

/** `/home/me/*` reaches everything in `/home/me`; what only begins there (`/home/me/$x`) does not have to. */
function emptied(path: string, partial: boolean): readonly string[] {
  if (!partial) return [path]
  const segments = path.split('/')
  const last = segments.at(-1) ?? ''
  const isAll = alternatives(last).some((one) => /^[.*?]*[*?][.*?]*$/.test(one))
  return isAll ? [path, segments.slice(0, -1).join('/') || '/'] : [path]
}

const NONE: readonly Finding[] = []

type Judge = (path: string, partial: boolean, input: DecideInput) => boolean

const isSystem: Judge = (path, partial) => {
  if (path === '/' || SYSTEM.has(path)) return true
  return (
    partial &&
    hasGlob(path) &&
    depth(path) === 1 &&
    [...SYSTEM].some((one) => shellGlobMatches(path.slice(1), one.slice(1)))
  )
}

const HOMES = {
  workspace: new WeakMap<DecideInput['surroundings'], readonly Place[]>(),
  real: new WeakMap<DecideInput['surroundings'], readonly Place[]>(),
} as const

function homePlaces(input: DecideInput): readonly Place[] {
  const cache = HOMES[input.profile.environment.home]
  const known = cache.get(input.surroundings)
  if (known) return known
  const places = homesOf(input).map(toPlace)
  cache.set(input.surroundings, places)
  return places
}

const isHome: Judge = (path, partial, input) => {
  const here = depth(path)
  return homePlaces(input).some((home) => home.segments.length === here && isAt(path, partial, home, input))
}

/**
 * Where the home is the workspace, `find . -name '*.log' -delete` and `git clean` are work, and can be taken back; so is emptying a
 * workspace that is a home only for this command. Removing it outright is not.
 */
function isWork(fact: PathFact, path: string, { surroundings }: DecideInput): boolean {
  if (path !== surroundings.workspace) return false
  return fact.by !== 'rm' || (hasGlob(fact.path) && path !== surroundings.home)
}

const deletesOf =
  (judge: Judge) =>
  (input: DecideInput): readonly Finding[] => {
    let found: Finding[] | null = null
    for (const fact of input.facts.deletes) {
      // A hostile script holds thousands, and no more than these are of use.
      if (found !== null && found.length >= ENOUGH) break
      const hit = fact.recursive ? deletedBy(fact, judge, input) : undefined
      if (hit === undefined) continue
      found ??= []
      found.push({ span: fact.span, program: fact.by, detail: `It deletes ${hit} and everything below.` })
    }
    return found ?? NONE
  }

function deletedBy(fact: PathFact, judge: Judge, input: DecideInput): string | undefined {
  const partial = fact.partial === true
  // `rm -rf "$HOME/$x"` only begins there; the path rules speak of it.
  if (partial && !hasGlob(fact.path) && fact.path !== '/') return undefined
  const real = realPath(fact, 'delete', input)
  const isHit = (path: string): boolean => judge(path, partial, input) && !isWork(fact, path, input)
  if (!partial && real === fact.path) return isHit(real) ? real : undefined
  return (
    emptied(fact.path, partial).find(isHit) ?? (real === fact.path ? undefined : emptied(real, partial).find(isHit))
  )
}

const FORCED = /^-[A-Za-z]*(?:r[A-Za-z]*f|f[A-Za-z]*r)/i

/** `$(…) -rf /` and a copy of rm under another name: what is deleted like this is told by the arguments alone. */
const disguised =
  (judge: Judge) =>
  (part: Invocation, input: DecideInput): Finding | null => {
    if (!part.argv.some((arg) => FORCED.test(typeof arg === 'string' ? arg : (arg.glob ?? '')))) return null
    const args = [...knownArgs(part), ...part.argv.flatMap((arg) => (typeof arg === 'string' ? [] : (arg.glob ?? [])))]
    const hit = args
      .filter((arg) => !arg.startsWith('-'))
      .flatMap((arg) => emptied(resolvePath(arg, input.cwd), hasGlob(arg)))
      .find((path) => judge(path, hasGlob(path), input))
    return hit === undefined ? null : { span: part.span, detail: `It deletes ${hit} and everything below.` }
  }

const RECURSIVE = /^(?:-[A-Za-z]*[rR]|--r)/

/** Deletes that leave no machine, or no person's files, behind. */
export const DELETE_BUILTINS: readonly Builtin[] = [
  {
    name: 'delete-root',
    because: 'It deletes the system.',
    instead: 'Delete the files that are meant, by name.',
    programs: ['rm'],
    refuses: ({ argv }) => {
      let recursive = false
      let root = false
      for (let i = 1; i < argv.length; i++) {
        const arg = argv[i]
        if (typeof arg !== 'string') continue
        if (arg.startsWith('--no-p')) return true
        if (arg.startsWith('-')) recursive ||= RECURSIVE.test(arg)
        else if (arg.startsWith('/')) root ||= /^\/[/.]*$/.test(arg)
      }
      return recursive && root
    },
    unmasks: disguised(isSystem),
    finds: deletesOf(isSystem),
    among: ['deletes'],
    hits: [
      'rm -rf /',
      'rm -rf /*',
      'rm -rf /*/*',
      'cd / && rm -rf *',
      'rm -r --no-preserve-root x',
      'find / -delete',
      '"$(cat x)" -rf /',
      './x -rf /etc',
      'rm -fr /etc',
      'rm -rf //',
    ],
    misses: [
      'rm -rf build/',
      'rm -rf ./node_modules',
      'rm file',
      './deploy.sh -rf build',
      'rm -rf *',
      'git commit -m "rm -rf /"',
      'find . -name "*.o" -delete',
    ],
  },
  {
    name: 'delete-home',
    because: "It deletes a person's home directory.",
    instead: 'Delete the files that are meant, by name.',
    unmasks: disguised(isHome),
    finds: deletesOf(isHome),
    among: ['deletes'],
    hits: [
      'rm -rf ~somebody',
      'rm -rf ~',
      'rm -rf "$HOME"',
      'rm -rf /root',
      'rm -rf /home/somebody',
      'rm -rf /home/somebody/*',
      'find /root -delete',
      '"$(cat x)" -fr /home/somebody',
    ],
    misses: ['rm -rf build', 'rm ~/notes.txt', 'echo "rm -rf ~"'],
  },
]
