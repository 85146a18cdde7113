import type { Attributes } from './attributes.js'
import { below, bytes, type RawPath } from './raw-path.js'
import type { Tree } from './tree.js'
import type { Found, Scanned } from './upper-scan.js'

/** Extended attributes of what could be asked about: of the real entries, and of the same ones as the command left them. */
export interface Compared {
  readonly real: ReadonlyMap<RawPath, Attributes>
  readonly seen: ReadonlyMap<RawPath, Attributes>
}

/** Below half of what one question may hold. */
const BATCH = 16

type Asking = Pick<Scanned, 'tree' | 'view' | 'desk'>

/** The root as the command left it, and the real one: what is always asked about, so it can be while the rest is looked at. */
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
  for (let at = 0; at < asked.length; at += BATCH) {
    const batch = asked.slice(at, at + BATCH)
    const still = batch.filter(({ act }) => act === 'meta')
    const answers = await desk.read([
      ...batch.map(({ path }) => bytes(below(view, path))),
      ...still.map(({ path, before }) => placeOf(tree, path, before?.type === 'directory')),
    ])
    for (const [index, { path }] of batch.entries()) note(seen, path, answers[index])
    for (const [index, { path }] of still.entries()) note(real, path, answers[batch.length + index])
  }
  return { real, seen }
}

const note = (map: Map<RawPath, Attributes>, path: RawPath, found: Attributes | null | undefined): void => {
  if (found) map.set(path, found)
}

/** Named so that no link is followed, not even the one that a descriptor is. */
export const placeOf = (tree: Tree, path: RawPath, isDirectory: boolean): Buffer =>
  isDirectory ? Buffer.from(`${tree.inside(path)}/.`) : tree.at(path)
