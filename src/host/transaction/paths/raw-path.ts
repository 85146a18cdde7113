/**
 * A path as bytes: one character per byte (latin1), so that names that are not UTF-8 compare, join and survive JSON.
 * `''` is the root of a tree.
 */
export type RawPath = string

/** Returns the bytes for system calls. */
export const bytes = (path: RawPath): Buffer => Buffer.from(path, 'latin1')

export const raw = (text: string): RawPath => Buffer.from(text, 'utf8').toString('latin1')

export const below = (parent: RawPath, name: RawPath): RawPath => (parent === '' ? name : `${parent}/${name}`)

export const parentOf = (path: RawPath): RawPath => path.slice(0, Math.max(0, path.lastIndexOf('/')))

/** Returns the directories from the root of the tree to a path, with the path itself. */
export const wayTo = (place: RawPath): readonly RawPath[] => (place === '' ? [''] : [...wayTo(parentOf(place)), place])

/** Returns all directories above paths. Visits each once: a command decides how many there are, and how deep. */
export function directoriesAbove(paths: readonly RawPath[]): ReadonlySet<RawPath> {
  const found = new Set<RawPath>()
  for (const path of paths)
    for (let at = path; at !== '' && !found.has(parentOf(at)); at = parentOf(at)) found.add(parentOf(at))
  return found
}

export const nameOf = (path: RawPath): RawPath => path.slice(path.lastIndexOf('/') + 1)

export const isAtOrBelow = (path: RawPath, place: RawPath): boolean =>
  place === '' || path === place || path.startsWith(`${place}/`)

/** For people: UTF-8 where it is, `\xNN` for every byte that is not. */
export function shown(path: RawPath): string {
  const buffer = bytes(path)
  const text = buffer.toString('utf8')
  if (!text.includes('�') || Buffer.from(text, 'utf8').equals(buffer)) return text
  let out = ''
  for (const part of path.split(/([\x80-\xff]+)/)) out += shownPart(part)
  return out
}

function shownPart(part: RawPath): string {
  const buffer = bytes(part)
  const text = buffer.toString('utf8')
  if (Buffer.from(text, 'utf8').equals(buffer)) return text
  return [...buffer].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')
}
