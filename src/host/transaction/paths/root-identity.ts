import { fstatSync, lstatSync, readFileSync, readlinkSync } from 'node:fs'
import { CordonError } from '../../../core/model/basics/errors.js'
import { isErrno } from './entry.js'

/** Identifies a directory. Device numbers are valid within one boot only. */
function identityFrom({ dev, ino }: { readonly dev: bigint; readonly ino: bigint }): string {
  return `${bootId()} ${dev} ${ino}`
}

const boot: { id?: string } = {}
function bootId(): string {
  boot.id ??= readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  return boot.id
}

/** Identity of the directory at a path. Throws when there is none. */
export const identityOf = (path: string): string => identityFrom(lstatSync(path, { bigint: true }))

function isSame(a: string, b: string): boolean {
  const [bootOfA, deviceOfA, inodeOfA] = a.split(' ')
  const [bootOfB, deviceOfB, inodeOfB] = b.split(' ')
  return inodeOfA === inodeOfB && (bootOfA !== bootOfB || deviceOfA === deviceOfB)
}

/** Thrown if another directory or a symlink replaced a directory that a transaction writes to. */
export class DirectoryReplaced extends CordonError {
  constructor(readonly path: string) {
    super(
      'SNAPSHOT_FAILED',
      `No file was changed: ${path} is another directory than at the start of the command. Restore that directory, then try again.`,
    )
  }
}

/**
 * Checks that an open directory is still the one at `path`, reached without a symlink, and the one recorded. Throws
 * DirectoryReplaced otherwise.
 */
export function requireInPlace(descriptor: number, path: string, identity: string | undefined): void {
  const isThere = readlinkSync(`/proc/self/fd/${descriptor}`) === path
  if (isThere && (identity === undefined || isSame(identity, identityFrom(fstatSync(descriptor, { bigint: true })))))
    return
  throw new DirectoryReplaced(path)
}

/** Remembers the directory at a path from its first use, and detects a replacement. */
export class DirectoryGuard {
  readonly #path: string
  #identity: string | null = null

  constructor(path: string) {
    this.#path = path
  }

  /** Throws DirectoryReplaced. A directory that does not exist yet passes. */
  check(): void {
    try {
      const identity = identityOf(this.#path)
      this.#identity ??= identity
      if (isSame(this.#identity, identity)) return
    } catch (error) {
      if (isErrno(error, 'ENOENT')) return
      throw error
    }
    throw new DirectoryReplaced(this.#path)
  }
}
