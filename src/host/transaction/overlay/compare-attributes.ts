import { chmodSync } from 'node:fs'
import type { Attributes } from '../attributes/attributes.js'
import { type Entry, isOpenToOwner } from '../paths/entry.js'
import { withOwnerAccess } from '../paths/owner-access.js'
import { below, bytes, type RawPath, wayTo } from '../paths/raw-path.js'
import { placeOf } from '../paths/tree.js'
import type { Found, Scanned } from './upper-scan.js'

/** Extended attributes of the real entries and of the same entries after the command. */
export interface Compared {
  readonly real: ReadonlyMap<RawPath, Attributes>
  readonly seen: ReadonlyMap<RawPath, Attributes>
}

const READ = 0o400
/** Reports whether the owner cannot read a file. Root can. */
const isClosedFile = (entry: Entry | null): boolean =>
  entry?.type === 'file' && (entry.mode & READ) === 0 && process.geteuid?.() !== 0
const isClosedDirectory = (entry: Entry | null): boolean => entry?.type === 'directory' && !isOpenToOwner(entry)

/** Less than half of the entries that one request may contain. */
const BATCH = 16

type Asking = Pick<Scanned, 'tree' | 'view' | 'attributeClient'>

/**
 * Asks for the attributes of the root before and after the command. They are always needed, so this runs in parallel
 * with the scan. A root without owner access returns none.
 */
export const askAboutRoot = ({ tree, view, attributeClient }: Asking): Promise<readonly (Attributes | null)[]> =>
  attributeClient.read([bytes(view), placeOf(tree, '', true)])

/** Compares the attributes of directories and of files that look unchanged. Other files are replaced as a whole. */
export async function compareAttributes(
  found: readonly Found[],
  { tree, view, attributeClient }: Asking,
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
      attributeClient.read([
        ...batch.map(({ path }) => bytes(below(view, path))),
        ...still.map(({ path, before }) => placeOf(tree, path, before?.type === 'directory')),
      ])
    const parents = closed.size === 0 ? [] : still.flatMap(({ path }) => wayTo(path))
    const closedParents = new Set(parents.filter((path) => closed.has(path)))
    const answers = await withReadableFiles(view, batch, () => withOwnerAccess(tree, closedParents, ask))
    for (const [index, { path }] of batch.entries()) note(seen, path, answers[index])
    for (const [index, { path, before }] of still.entries()) {
      // A file without owner access does not show its attributes. Its state after the command counts, if it has any.
      note(real, path, answers[batch.length + index] ?? (isClosedFile(before) ? {} : null))
    }
  }
  return { real, seen }
}

/** Files as the command left them, closed to their owner, are opened meanwhile; directories have been. */
async function withReadableFiles<T>(view: RawPath, among: readonly Found[], ask: () => Promise<T>): Promise<T> {
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
