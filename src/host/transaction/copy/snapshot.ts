import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { type AttributeClient, Attributes } from '../attributes/attributes.js'
import { runProgram } from '../attributes/run-program.js'
import { Entry, isOpenToOwner } from '../paths/entry.js'
import { withOwnerAccess } from '../paths/owner-access.js'
import { below, bytes, isAtOrBelow, type RawPath, raw } from '../paths/raw-path.js'
import { placeOf, Tree } from '../paths/tree.js'

export type Manifest = ReadonlyMap<RawPath, Entry>

export interface SnapshotScope {
  readonly inScope: (path: RawPath) => boolean
  readonly ours: readonly RawPath[]
}

const YIELD_EVERY = 1024

/** Lists every directory, and every other entry in scope, without Cordon's own directories. */
export async function manifestOf(tree: Tree, { inScope, ours }: SnapshotScope): Promise<Manifest> {
  const found = new Map<RawPath, Entry>()
  const pending: RawPath[] = ['']
  let seen = 0
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    const entry = tree.entry(path)
    if (!entry || ours.some((place) => isAtOrBelow(path, place))) continue
    if (entry.type === 'directory') for (const name of tree.names(path)) pending.push(below(path, name))
    if (entry.type === 'directory' || inScope(path)) found.set(path, entry)
    if (++seen % YIELD_EVERY === 0) await new Promise(setImmediate)
  }
  return found
}

export const bytesOf = (manifest: Manifest): number => [...manifest.values()].reduce((sum, { size }) => sum + size, 0)

/** Extended attributes of the directories that have any; those of files are with their copies. */
export type DirectoryAttributes = ReadonlyMap<RawPath, Attributes>

export interface Snapshot {
  readonly entries: Manifest
  readonly attributes: DirectoryAttributes
}

const ASKED_AT_ONCE = 32

export async function directoryAttributes(
  tree: Tree,
  manifest: Manifest,
  attributeClient: AttributeClient,
): Promise<DirectoryAttributes> {
  const found = new Map<RawPath, Attributes>()
  const directories = directoriesOf(manifest)
  for (let at = 0; at < directories.length; at += ASKED_AT_ONCE) {
    const batch = directories.slice(at, at + ASKED_AT_ONCE)
    const ask = () => attributeClient.read(batch.map((path) => placeOf(tree, path, true)))
    const answers = await withOwnerAccess(tree, closedIn(manifest, batch), ask)
    for (const [index, path] of batch.entries()) {
      const own = answers[index]
      if (own && Object.keys(own).length > 0) found.set(path, own)
    }
  }
  return found
}

const Line = z.tuple([z.string(), Entry, Attributes.nullable()])

export function writeSnapshot(file: string, { entries, attributes }: Snapshot): void {
  const lines = [...entries].map(([path, entry]) => JSON.stringify([path, entry, attributes.get(path) ?? null]))
  writeFileSync(file, lines.map((line) => `${line}\n`).join(''), { mode: 0o600 })
}

export function readSnapshot(file: string): Snapshot {
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1)
  const parsed = lines.map((line) => Line.parse(JSON.parse(line)))
  return {
    entries: new Map(parsed.map(([path, entry]) => [path, entry])),
    attributes: new Map(parsed.flatMap(([path, , own]) => (own ? [[path, own] as const] : []))),
  }
}

/** Sorts names of one file together, so that one `cp` copies them as hard links. */
function inCopyOrder(manifest: Manifest): readonly RawPath[] {
  const files = [...manifest].filter(([, { type }]) => type !== 'directory')
  const linked = files
    .filter(([, { links }]) => links > 1)
    .sort(([, a], [, b]) => (a.ino < b.ino ? -1 : a.ino > b.ino ? 1 : 0))
  return [...linked, ...files.filter(([, { links }]) => links === 1)].map(([path]) => path)
}

/** Copies the files of a manifest, with all that `cp -a` keeps, into `job/image`. */
export async function copyImages(root: string, job: string, manifest: Manifest): Promise<void> {
  const image = join(job, 'image')
  mkdirSync(image, { recursive: true, mode: 0o700 })
  const names = inCopyOrder(manifest)
  if (names.length === 0) return
  writeFileSync(join(job, 'list'), Buffer.concat(names.map((path) => bytes(`${path}\0`))))
  const list = openSync(join(job, 'list'), 'r')
  try {
    await lookingInto(root, madeOpen(manifest, image), () => copy(root, image, list))
  } finally {
    closeSync(list)
  }
}

/** Returns the directories without owner access. */
const closedIn = (manifest: Manifest, directories: readonly RawPath[]): readonly RawPath[] =>
  directories.filter((path) => {
    const entry = manifest.get(path)
    return entry !== undefined && !isOpenToOwner(entry)
  })

const directoriesOf = (manifest: Manifest): readonly RawPath[] =>
  [...manifest].filter(([, { type }]) => type === 'directory').map(([path]) => path)

/**
 * Creates directories without owner access before the copy. `cp` sets the mode of a new directory after its first file,
 * and then fails.
 */
function madeOpen(manifest: Manifest, image: string): readonly RawPath[] {
  const directories = directoriesOf(manifest)
  const closed = closedIn(manifest, directories)
  if (closed.length === 0) return []
  for (const path of directories) mkdirSync(bytes(below(raw(image), path)), { recursive: true, mode: 0o700 })
  return closed
}

async function lookingInto(root: string, directories: readonly RawPath[], work: () => Promise<void>): Promise<void> {
  const tree = new Tree(raw(root))
  try {
    await withOwnerAccess(tree, directories, work)
  } finally {
    tree.close()
  }
}

async function copy(root: string, image: string, list: number): Promise<void> {
  const args = ['-0', '-s', '1000000', 'cp', '-a', '--parents', '--reflink=auto', '-t', image, '--']
  await runProgram('xargs', args, { cwd: root, stdin: list })
}
