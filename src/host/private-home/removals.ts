import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isInstallDirectory } from './install-directories.js'
import type { PrivateDirectory } from './private-directory.js'

/** Reports whether a removed entry stays removed. Otherwise a package would have two versions. */
const isKept = (path: string): boolean =>
  isInstallDirectory(path) || /^\.local\/lib\/python[^/]*\/site-packages$|\/node_modules\/@[^/]+$/.test(path)

type Linked = Record<string, readonly string[]>

/** Remembers linked entries of install directories, and so those that a command removed. */
export class Removals {
  readonly #file: string
  readonly #before: Linked
  readonly #now: Linked = {}

  /** `home`: the private home. The record is next to it, invisible to commands. */
  constructor(home: string) {
    this.#file = join(dirname(home), 'linked.json')
    this.#before = readLinked(this.#file)
  }

  /** Returns a test for entries of a directory that were linked and are not there any more. */
  look(path: string): (directory: PrivateDirectory, name: string) => boolean {
    const before = new Set(isKept(path) ? this.#before[path] : [])
    return (directory, name) => before.has(name) && directory.look(name) === null
  }

  linked(path: string, names: readonly string[]): void {
    if (isKept(path) && names.length > 0) this.#now[path] = names
  }

  save(): void {
    const text = JSON.stringify(this.#now)
    if (text !== JSON.stringify(this.#before)) writeFileSync(this.#file, text)
  }
}

function readLinked(file: string): Linked {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Linked
  } catch {
    return {}
  }
}
