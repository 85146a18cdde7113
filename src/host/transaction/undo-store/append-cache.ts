import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  rmSync,
  statfsSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { isErrno } from '../paths/entry.js'
import { spareName } from './spare-name.js'

const APPEND = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT

/** Append descriptors of running transactions, opened once. */
export class AppendedFiles {
  readonly #directory: string
  readonly #fileOf: (id: string) => string
  readonly #open = new Map<string, number>()
  readonly #former: string[] = []
  #spare: { readonly file: string; readonly descriptor: number } | null = null
  #syncsNames: boolean | null = null

  constructor(directory: string, fileOf: (id: string) => string) {
    this.#directory = directory
    this.#fileOf = fileOf
  }

  /** Makes the file of the next one, for making a file takes longer than naming it. */
  prepare(): void {
    this.#tidy()
    if (this.#spare) return
    mkdirSync(this.#directory, { recursive: true, mode: 0o700 })
    const file = join(this.#directory, spareName())
    this.#spare = { file, descriptor: openSync(file, APPEND | constants.O_EXCL, 0o600) }
  }

  append(id: string, frame: Buffer, durable: boolean): void {
    const descriptor = this.#descriptor(id)
    for (let at = 0; at < frame.length; ) at += writeSync(descriptor, frame, at)
    if (!durable) return
    fsyncSync(descriptor)
    this.#syncsNames ??= keepsNamesWithFiles(this.#directory)
    if (!this.#syncsNames) syncDirectory(this.#directory)
  }

  close(id: string): void {
    const descriptor = this.#open.get(id)
    this.#open.delete(id)
    if (descriptor !== undefined) closeSync(descriptor)
  }

  closeAll(): void {
    this.#tidy()
    if (this.#spare) {
      closeSync(this.#spare.descriptor)
      rmSync(this.#spare.file, { force: true })
      this.#spare = null
    }
    for (const id of [...this.#open.keys()]) this.close(id)
  }

  /** Drops files that have a name now. */
  #tidy(): void {
    for (const name of this.#former.splice(0)) rmSync(name, { force: true })
  }

  #descriptor(id: string): number {
    const known = this.#open.get(id)
    if (known !== undefined && fstatSync(known).nlink > 0) return known
    // The file was removed, so appended data would be lost.
    this.close(id)
    const descriptor = this.#named(this.#fileOf(id)) ?? this.#opened(this.#fileOf(id))
    this.#open.set(id, descriptor)
    return descriptor
  }

  /** Links a prepared file to its name. Null if there is none, or the name exists already. */
  #named(file: string): number | null {
    const spare = this.#spare
    if (!spare) return null
    try {
      linkSync(spare.file, file)
    } catch {
      return null
    }
    this.#spare = null
    this.#former.push(spare.file)
    return spare.descriptor
  }

  #opened(file: string): number {
    try {
      return openSync(file, APPEND, 0o600)
    } catch (error) {
      if (!isErrno(error, 'ENOENT')) throw error
      mkdirSync(this.#directory, { recursive: true, mode: 0o700 })
      return openSync(file, APPEND, 0o600)
    }
  }
}

/**
 * ext4, XFS, btrfs, F2FS, tmpfs: syncing a new file also persists its name. On others the directory is synced
 * separately.
 */
const ORDERED = new Set([0xef53, 0x58465342, 0x9123683e, 0xf2f52010, 0x01021994])
const keepsNamesWithFiles = (directory: string): boolean => ORDERED.has(statfsSync(directory).type)

function syncDirectory(directory: string): void {
  const descriptor = openSync(directory, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
