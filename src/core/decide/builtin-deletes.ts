import type { PathFact } from '../model/facts.js'
import { resolvePath } from '../model/path.js'
import { type Builtin, ENOUGH, knownArgs } from './builtin.js'
import { hasGlob, shellGlobMatches } from './glob.js'
import { homesOf, isAt, type Place, realPath, toPlace } from './places.js'
import type { DecideInput, Finding } from './scene.js'
import { isAnonymous } from './trusted-name.js'

const SYSTEM =
  '/bin /boot /dev /etc /home /lib /lib32 /lib64 /opt /proc /root /run /sbin /srv /sys /usr /var /Users'.split(' ')

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
  return /^[.*?]*[*?][.*?]*$/.test(last) ? [path, segments.slice(0, -1).join('/') || '/'] : [path]
}

type Judge = (path: string, partial: boolean, input: DecideInput) => boolean

const isSystem: Judge = (path, partial) => {
  if (path === '/' || SYSTEM.includes(path)) return true
  return (
    partial && hasGlob(path) && depth(path) === 1 && SYSTEM.some((one) => shellGlobMatches(path.slice(1), one.slice(1)))
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

/** The findings of a list, and no more than are of use: a hostile script holds thousands. */
function upTo<T>(count: number, list: readonly T[], look: (item: T) => readonly Finding[]): readonly Finding[] {
  const found: Finding[] = []
  for (const item of list) {
    if (found.length >= count) break
    found.push(...look(item))
  }
  return found
}

const deletesOf =
  (judge: Judge) =>
  (input: DecideInput): readonly Finding[] =>
    upTo(ENOUGH, input.facts.deletes, (fact) => {
      if (!fact.recursive) return []
      const partial = fact.partial === true
      // `rm -rf "$HOME/$x"` only begins there; the path rules speak of it.
      if (partial && !hasGlob(fact.path) && fact.path !== '/') return []
      const real = realPath(fact, 'delete', input)
      const written = emptied(fact.path, partial)
      const paths = real === fact.path ? written : [...written, ...emptied(real, partial)]
      const hit = paths.find((path) => judge(path, partial, input) && !isWork(fact, path, input))
      return hit === undefined
        ? []
        : [{ span: fact.span, program: fact.by, detail: `It deletes ${hit} and everything below.` }]
    })

const FORCED = /^-[A-Za-z]*(?:r[A-Za-z]*f|f[A-Za-z]*r)/i

/** `$(…) -rf /` and a copy of rm under another name: what is deleted like this is told by the arguments alone. */
const disguised =
  (judge: Judge) =>
  (input: DecideInput): readonly Finding[] =>
    upTo(ENOUGH, input.facts.invocations, (part) => {
      if (!isAnonymous(part)) return []
      const args = [
        ...knownArgs(part),
        ...part.argv.flatMap((arg) => (typeof arg === 'string' ? [] : (arg.glob ?? []))),
      ]
      if (!args.some((arg) => FORCED.test(arg))) return []
      const hit = args
        .filter((arg) => !arg.startsWith('-'))
        .flatMap((arg) => emptied(resolvePath(arg, input.cwd), hasGlob(arg)))
        .find((path) => judge(path, hasGlob(path), input))
      return hit === undefined ? [] : [{ span: part.span, detail: `It deletes ${hit} and everything below.` }]
    })

type Finder = (input: DecideInput) => readonly Finding[]

const both =
  (one: Finder, other: Finder): Finder =>
  (input) => [...one(input), ...other(input)]

const RECURSIVE = /^(?:-[A-Za-z]*[rR]|--r)/

/** Deletes that leave no machine, or no person's files, behind. */
export const DELETE_BUILTINS: readonly Builtin[] = [
  {
    name: 'delete-root',
    because: 'It deletes the system.',
    instead: 'Delete the files that are meant, by name.',
    programs: ['rm'],
    refuses: (part) => {
      const args = knownArgs(part)
      return (
        args.some((arg) => /^--no-p/.test(arg)) ||
        (args.some((arg) => RECURSIVE.test(arg)) && args.some((arg) => /^\/[/.]*$/.test(arg)))
      )
    },
    finds: both(deletesOf(isSystem), disguised(isSystem)),
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
    finds: both(deletesOf(isHome), disguised(isHome)),
    hits: [
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
