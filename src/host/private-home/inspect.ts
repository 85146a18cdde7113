import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CordonError } from '../../core/model/basics/errors.js'
import { homeIn } from './directories.js'
import { removeTree } from './remove.js'
import { sizeOf } from './size.js'
import { lastUseOf, usersOf } from './uses.js'

/** Data of a private home for a person. */
export interface PrivateHomeInfo {
  readonly workspace: string
  readonly profile: string
  /** Its directory in Cordon's state. */
  readonly path: string
  /** Size on the disk, /tmp included. */
  readonly bytes: number
  readonly files: number
  readonly tmpBytes: number
  /** Time of the last command in it, as ISO 8601. */
  readonly lastUsed: string | null
  /** Pids of engines with a command in it. */
  readonly inUseBy: readonly number[]
  /** Entries of the home with their sizes, the largest first. */
  readonly entries: readonly { readonly name: string; readonly bytes: number }[]
}

interface About {
  readonly workspace: string
  readonly profile: string
}

function aboutOf(root: string): About | null {
  try {
    return JSON.parse(readFileSync(join(root, 'about.json'), 'utf8')) as About
  } catch {
    return null
  }
}

const namesIn = (path: string): readonly string[] =>
  lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(path) : []

/** Which homes: those of a workspace, or all; of a profile, or of every one. */
export interface WhichHomes {
  readonly workspace: string | null
  readonly profile: string | null
}

function rootsOf(directory: string, { workspace, profile }: WhichHomes): readonly (readonly [string, About])[] {
  return namesIn(directory).flatMap((name) => {
    const about = name.startsWith('.') ? null : aboutOf(join(directory, name))
    if (about === null || (workspace !== null && about.workspace !== workspace)) return []
    return profile !== null && about.profile !== profile ? [] : [[join(directory, name), about] as const]
  })
}

/** Measures private homes. Reads names and sizes only, and follows no symlink. */
export function inspectHomes(directory: string, which: WhichHomes): Promise<readonly PrivateHomeInfo[]> {
  return Promise.all(
    rootsOf(directory, which).map(async ([root, { workspace, profile }]) => {
      const home = homeIn(root)
      const entries = await Promise.all(
        namesIn(home).map(async (name) => ({ name, bytes: (await sizeOf(join(home, name))).bytes })),
      )
      const [all, tmp] = [await sizeOf(root), await sizeOf(join(root, 'tmp'))]
      const used = lastUseOf(root)
      const lastUsed = used === 0 ? null : new Date(used).toISOString()
      return {
        workspace,
        profile,
        path: root,
        bytes: all.bytes,
        files: all.files,
        tmpBytes: tmp.bytes,
        lastUsed,
        inUseBy: usersOf(root),
        entries: entries.toSorted((a, b) => b.bytes - a.bytes),
      }
    }),
  )
}

/**
 * Removes private homes with their /tmp and returns their paths. Throws TOO_BUSY and removes none if a command runs in
 * one.
 */
export function resetHomes(directory: string, which: WhichHomes): readonly string[] {
  const roots = rootsOf(directory, which).map(([root]) => root)
  const users = roots.flatMap(usersOf)
  if (users.length > 0)
    throw new CordonError(
      'TOO_BUSY',
      `A command is running in the private home (pid ${users.join(', ')}). Wait until it ends, or stop it, then try again.`,
    )
  for (const root of roots) removeTree(root)
  return roots
}
