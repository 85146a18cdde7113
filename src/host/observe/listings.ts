import { accessSync, constants } from 'node:fs'
import { entriesIn } from '../untrusted-files/entries-of.js'
import { stampOf } from './directory-stamp.js'

/** Number of lookups in one directory from which on its names are listed. */
const LISTED_AFTER = 8
/** A directory with more names is not listed. */
const MAX_NAMES = 2_000
const MAX_DIRECTORIES = 64

type Names = ReadonlySet<string>

/** Names of directories, valid while the stamp stays the same. */
const KNOWN = new Map<string, { readonly stamp: string; readonly names: Names }>()

/** Answers most lookups of missing names from listings of directories. An object is for one moment. */
export class Listings {
  readonly #asked = new Map<string, number>()
  /** Null: not listed. */
  readonly #names = new Map<string, Names | null>()

  /** Tells if the directory has no such name. False also means that it is not listed. */
  lacks(directory: string, name: string): boolean {
    const names = this.#namesOf(directory)
    return names !== null && !names.has(name)
  }

  #namesOf(directory: string): Names | null {
    const listed = this.#names.get(directory)
    if (listed !== undefined) return listed
    const times = (this.#asked.get(directory) ?? 0) + 1
    this.#asked.set(directory, times)
    if (times < LISTED_AFTER && !KNOWN.has(directory)) return null
    const names = namesIn(directory)
    this.#names.set(directory, names)
    return names
  }
}

function isReadable(directory: string): boolean {
  try {
    accessSync(directory, constants.R_OK)
    return true
  } catch {
    return false
  }
}

function namesIn(directory: string): Names | null {
  const stamp = stampOf(directory)
  const known = KNOWN.get(directory)
  if (known !== undefined && known.stamp === stamp?.text) return known.names
  KNOWN.delete(directory)
  const entries = entriesIn(directory, MAX_NAMES)
  if (stamp === null || entries.length >= MAX_NAMES || (entries.length === 0 && !isReadable(directory))) return null
  const names = new Set(entries.map(({ name }) => name))
  if (KNOWN.size >= MAX_DIRECTORIES) KNOWN.clear()
  if (stamp.isCertain) KNOWN.set(directory, { stamp: stamp.text, names })
  return names
}
