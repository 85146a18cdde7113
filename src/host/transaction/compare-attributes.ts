import { chmodSync } from 'node:fs'
import type { Attributes } from './attributes.js'
import { type Entry, isOpenToOwner } from './entry.js'
import { lending } from './lend.js'
import { below, bytes, type RawPath, wayTo } from './raw-path.js'
import type { Tree } from './tree.js'
import type { Found, Scanned } from './upper-scan.js'

/** Extended attributes of what could be asked about: of the real entries, and of the same ones as the command left them. */
export interface Compared {
  readonly real: ReadonlyMap<RawPath, Attributes>
  readonly seen: ReadonlyMap<RawPath, Attributes>
}

const READ = 0o400
/** Not to be read by its owner; by root anyway. */
const isClosedFile = (entry: Entry | null): boolean =>
  entry?.type === 'file' && (entry.mode & READ) === 0 && process.geteuid?.() !== 0
const isClosedDirectory = (entry: Entry | null): boolean => entry?.type === 'directory' && !isOpenToOwner(entry)

/** Below half of what one question may hold. */
const BATCH = 16

type Asking = Pick<Scanned, 'tree' | 'view' | 'desk'>

/** The root as the command left it, and the real one: what is always asked about, so it can be while the rest is looked at. A closed one says nothing. */
export const askAboutRoot = ({ tree, view, desk }: Asking): Promise<readonly (Attributes | null)[]> =>
  desk.read([bytes(view), placeOf(tree, '', true)])

/** Asks about directories, and about files that look unchanged: all others are put in place as a whole. */
export async function compareAttributes(
  found: readonly Found[],
  { tree, view, desk }: Asking,
  ofRoot: Promise<readonly (Attributes | null)[]>,
): Promise<Compared> {
  const isAsked = ({ act, after, path }: Found): boolean =>
    path !== '' && (act === 'mkdir' || act === 'meta') && after?.type !== 'symlink'
  const asked = found.filter(isAsked)
  const real = new Map<RawPath, Attributes>()
  const seen = new Map<RawPath, Attributes>()
  const [rootNow, rootBefore] = await ofRoot
  note(seen, '', rootNow)
  note(real, '', rootBefore)
  const closed = new Set(found.filter(({ before }) => isClosedDirectory(before)).map(({ path }) => path))
  for (let at = 0; at < asked.length; at += BATCH) {
    const batch = asked.slice(at, at + BATCH)
    const still = batch.filter(({ act }) => act === 'meta')
    const ask = () =>
      desk.read([
        ...batch.map(({ path }) => bytes(below(view, path))),
        ...still.map(({ path, before }) => placeOf(tree, path, before?.type === 'directory')),
      ])
    const ways = closed.size === 0 ? [] : still.flatMap(({ path }) => wayTo(path))
    const lent = new Set(ways.filter((path) => closed.has(path)))
    const answers = await lendingFiles(view, batch, () => lending(tree, lent, ask))
    for (const [index, { path }] of batch.entries()) note(seen, path, answers[index])
    for (const [index, { path, before }] of still.entries()) {
      // A file closed to its owner does not say what it has. As it is left counts, if it has any.
      note(real, path, answers[batch.length + index] ?? (isClosedFile(before) ? {} : null))
    }
  }
  return { real, seen }
}

/** Files as the command left them, closed to their owner, are opened meanwhile; directories have been. */
async function lendingFiles<T>(view: RawPath, among: readonly Found[], ask: () => Promise<T>): Promise<T> {
  const closed = among.flatMap(({ path, after }) =>
    after && isClosedFile(after) ? [{ place: bytes(below(view, path)), mode: after.mode }] : [],
  )
  for (const { place, mode } of closed) chmodSync(place, mode | READ)
  try {
    return await ask()
  } finally {
    for (const { place, mode } of closed) chmodSync(place, mode)
  }
}

const note = (map: Map<RawPath, Attributes>, path: RawPath, found: Attributes | null | undefined): void => {
  if (found) map.set(path, found)
}

/** Named so that no link is followed, not even the one that a descriptor is. */
export const placeOf = (tree: Tree, path: RawPath, isDirectory: boolean): Buffer =>
  isDirectory ? Buffer.from(`${tree.inside(path)}/.`) : tree.at(path)
