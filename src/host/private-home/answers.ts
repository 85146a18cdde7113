import { isInside } from '../../core/model/basics/path.js'
import { type Answers, noAnswers, type Question } from '../../core/model/run/facts.js'
import { type HostContext, SHARED_HOME } from '../../core/model/run/surroundings.js'
import type { Observer } from '../../engine/ports/ports.js'
import { linkedEntry } from './links.js'

/** A path as commands see it, and where that is on the host. */
type View = readonly [at: string, from: string]

/** Returns directories that have another path in the sandbox, outermost first. */
function viewsOf({ privateDirectories: own, home, roots, writable, readable = [] }: HostContext): readonly View[] {
  if (own === undefined) return []
  const views: View[] = [
    ['/tmp', own.tmp],
    ...(own.home === null ? [] : [[home, own.home] as const, ...own.shared.map(([from, at]) => [at, from] as const)]),
    ...(own.sharesAll ? [[SHARED_HOME, home] as const] : []),
    ...[...roots, ...writable, ...readable].map((at) => [at, at] as const),
  ]
  return views.sort(([a], [b]) => a.length - b.length)
}

const moved = (path: string, [from, to]: readonly [string, string]): string => `${to}${path.slice(from.length)}`

const onHost = (path: string, views: readonly View[]): string => {
  const view = views.findLast(([at]) => isInside(path, at))
  return view === undefined ? path : moved(path, view)
}

const isPrivate = (at: string, from: string, own: NonNullable<HostContext['privateDirectories']>): boolean =>
  from === own.tmp || from === own.home || isInside(at, SHARED_HOME)

/** A path of the host as commands see it; a path in the private directories above all. */
function inSandbox(path: string, views: readonly View[], own: NonNullable<HostContext['privateDirectories']>): string {
  // The workspace and the private directories are mostly below the home themselves.
  const holding = views.filter(([, from]) => isInside(path, from)).sort(([, a], [, b]) => b.length - a.length)
  const [at, from] = holding[0] ?? [path, path]
  return isPrivate(at, from, own) ? moved(path, [from, at]) : path
}

const MAX_LINKS = 8

type Answer = NonNullable<ReturnType<Answers['paths']['get']>>

const missing = (path: string): Answer => ({ real: path, kind: 'missing' })

/** Returns the host path of a linked entry of the real home; null if the private home has its own entry. */
function linked(
  path: string,
  views: readonly View[],
  { home, privateDirectories: own, roots }: HostContext,
): string | null {
  if (!own?.sharesAll || own.home === null || !isInside(onHost(path, views), own.home)) return null
  const entry = linkedEntry(
    path.slice(home.length + 1),
    roots.flatMap((root) => (isInside(root, home) ? root.slice(home.length + 1) : [])),
    home,
  )
  return entry === null ? null : `${SHARED_HOME}${path.slice(home.length)}`
}

/** Answers path questions as the command sees them: with the private home and /tmp instead of those of the host. */
export function privateAnswers(
  observer: Observer,
  questions: readonly Question[],
  surroundings: HostContext | undefined,
): Answers {
  const own = surroundings?.privateDirectories
  const views = surroundings === undefined ? [] : viewsOf(surroundings)
  if (surroundings === undefined || own === undefined) return observer.answer(questions)
  const answers = noAnswers()
  const others: Question[] = []
  const find = (path: string): Answer => observer.answer([{ ask: 'path', path }]).paths.get(path) ?? missing(path)
  const look = (path: string, links = 0): Answer => {
    const found = find(onHost(path, views))
    const real = inSandbox(found.real, views, own)
    if (found.kind === 'missing') {
      // The link may not be made yet.
      const shared = linked(real, views, surroundings)
      const there = shared === null ? null : find(onHost(shared, views))
      if (shared !== null && there?.kind !== 'missing') return look(shared, links + 1)
    }
    // A symlink target is a path of the sandbox, which may be another path on the host.
    return onHost(real, views) === found.real || links > MAX_LINKS ? { ...found, real } : look(real, links + 1)
  }
  for (const question of questions) {
    if (question.ask === 'program' || question.ask === 'syntax' || !question.path.startsWith('/')) others.push(question)
    else if (question.ask === 'remotes') {
      const path = onHost(question.path, views)
      answers.remotes?.set(question.path, observer.answer([{ ask: 'remotes', path }]).remotes?.get(path) ?? [])
    } else if (question.ask === 'path') answers.paths.set(question.path, look(question.path))
    else {
      const path = onHost(look(question.path).real, views)
      answers.scripts.set(question.path, observer.answer([{ ask: 'script', path }]).scripts.get(path) ?? null)
    }
  }
  const rest = observer.answer(others)
  for (const [path, answer] of rest.paths) answers.paths.set(path, answer)
  for (const [name, answer] of rest.programs) answers.programs.set(name, answer)
  for (const [path, answer] of rest.scripts) answers.scripts.set(path, answer)
  for (const [text, answer] of rest.syntax ?? []) answers.syntax?.set(text, answer)
  return answers
}
