import { resolvePath } from '../../model/basics/path.js'
import type { Invocation, PathFact } from '../../model/run/facts.js'
import { alternatives, hasGlob, shellGlobMatches } from '../match/glob.js'
import type { DecideInput, Finding } from '../match/input.js'
import { basesOf, homesOf, patternOf, realPath, toPathPattern } from '../paths/path-patterns.js'
import { type Builtin, knownArgs, MAX_MATCHES } from './denial.js'

const SYSTEM = new Set(
  '/bin /boot /dev /etc /home /lib /lib32 /lib64 /opt /proc /root /run /sbin /srv /sys /usr /var /Users'.split(' '),
)

/** `/home/me/*` reaches everything in `/home/me`; what only begins there (`/home/me/$x`) does not have to. */
function emptied(path: string, partial: boolean): readonly string[] {
  if (!partial) return [path]
  const segments = path.split('/')
  const last = segments.at(-1) ?? ''
  const isAll = alternatives(last).some((one) => /^[.*?]*[*?][.*?]*$/.test(one))
  return isAll ? [path, segments.slice(0, -1).join('/') || '/'] : [path]
}

type Judge = (path: string, partial: boolean, input: DecideInput) => boolean

const isSystem: Judge = (path, partial) => {
  if (path === '/' || SYSTEM.has(path)) return true
  return (
    partial &&
    hasGlob(path) &&
    path.lastIndexOf('/') === 0 &&
    [...SYSTEM].some((one) => shellGlobMatches(path.slice(1), one.slice(1)))
  )
}

const isHome: Judge = (path, partial, input) => {
  const depth = path.split('/').filter((name) => name !== '').length
  const homes = homesOf(input).map(toPathPattern)
  return (
    patternOf(
      path,
      partial,
      homes.filter(({ segments }) => segments.length === depth),
      basesOf(input),
    ) !== null
  )
}

/**
 * Reports whether deleting in the workspace is ordinary work although the workspace is a home. `find . -name '*.log'
 * -delete` and `git clean` are, and Cordon can undo them. Emptying a workspace that is the home only of this command
 * is, too. Removing the directory itself is not.
 */
function isWork(fact: PathFact, path: string, { surroundings }: DecideInput): boolean {
  if (path !== surroundings.workspace) return false
  return fact.by !== 'rm' || (hasGlob(fact.path) && path !== surroundings.home)
}

const deletesOf =
  (judge: Judge) =>
  (input: DecideInput): readonly Finding[] => {
    const found: Finding[] = []
    for (const fact of input.facts.deletes) {
      // A hostile script can contain thousands of deletes.
      if (found.length >= MAX_MATCHES) break
      const hit = fact.recursive ? deletedBy(fact, judge, input) : undefined
      if (hit !== undefined) found.push({ span: fact.span, program: fact.by, detail: `It deletes ${hit} recursively.` })
    }
    return found
  }

function deletedBy(fact: PathFact, judge: Judge, input: DecideInput): string | undefined {
  const partial = fact.partial === true
  // `rm -rf "$HOME/$x"` has an unknown end. The path rules judge it.
  if (partial && !hasGlob(fact.path) && fact.path !== '/') return undefined
  const real = realPath(fact, 'delete', input)
  const isHit = (path: string): boolean => judge(path, partial, input) && !isWork(fact, path, input)
  return (
    emptied(fact.path, partial).find(isHit) ?? (real === fact.path ? undefined : emptied(real, partial).find(isHit))
  )
}

const FORCED = /^-[A-Za-z]*(?:r[A-Za-z]*f|f[A-Za-z]*r)/i

/** Finds a delete by its arguments only, for `$(…) -rf /` and for a copy of rm under another name. */
const unknownDelete =
  (judge: Judge) =>
  (part: Invocation, input: DecideInput): Finding | null => {
    if (!part.argv.some((arg) => FORCED.test(typeof arg === 'string' ? arg : (arg.glob ?? '')))) return null
    const args = [...knownArgs(part), ...part.argv.flatMap((arg) => (typeof arg === 'string' ? [] : (arg.glob ?? [])))]
    const hit = args
      .filter((arg) => !arg.startsWith('-'))
      .flatMap((arg) => emptied(resolvePath(arg, input.cwd), hasGlob(arg)))
      .find((path) => judge(path, hasGlob(path), input))
    return hit === undefined ? null : { span: part.span, detail: `It deletes ${hit} recursively.` }
  }

const RECURSIVE = /^(?:-[A-Za-z]*[rR]|--r)/

/** Denials of deletes that remove the system or a home directory. */
export const DELETE_BUILTINS: readonly Builtin[] = [
  {
    name: 'delete-root',
    because: 'It deletes the system.',
    instead: 'Delete the files you mean by name.',
    programs: ['rm'],
    refuses: (part) => {
      const args = knownArgs(part)
      if (args.some((arg) => arg.startsWith('--no-p'))) return true
      return args.some((arg) => RECURSIVE.test(arg)) && args.some((arg) => /^\/[/.]*$/.test(arg))
    },
    judgesUnknown: unknownDelete(isSystem),
    finds: deletesOf(isSystem),
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
    instead: 'Delete the files you mean by name.',
    judgesUnknown: unknownDelete(isHome),
    finds: deletesOf(isHome),
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
