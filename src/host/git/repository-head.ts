import { resolve } from 'node:path'
import { readUntrustedFile } from '../untrusted-files/read-untrusted-file.js'
import { gitDirectoryAt } from './repositories.js'

const MAX_REFS_BYTES = 16 * 1024 * 1024
const OID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/

const textOf = (path: string, maxBytes: number): string | null =>
  readUntrustedFile(path, maxBytes)?.toString('latin1') ?? null

/** The parts of a repository that are needed to read commits. */
export interface Repository {
  readonly gitDirectory: string
  readonly common: string
}

/** `root`: root directory of the view of the tree. */
export function repositoryOf(tree: string, root = ''): Repository | null {
  const found = gitDirectoryAt(`${tree}/.git`, root)
  if (found === null) return null
  const gitDirectory = `${root}${found}`
  const common = textOf(`${gitDirectory}/commondir`, 4_096)?.trim()
  return { gitDirectory, common: common === undefined ? gitDirectory : `${root}${resolve(found, common)}` }
}

/** Returns the commit of HEAD, read without git. Null if there is none, or if a ref points to another ref. */
export function headOf({ gitDirectory, common }: Repository): string | null {
  const head = textOf(`${gitDirectory}/HEAD`, 4_096)?.trim() ?? ''
  const ref = /^ref: (refs\/[^\0\n]+)$/.exec(head)?.[1]
  if (ref === undefined) return OID.test(head) ? head : null
  if (ref.split('/').includes('..')) return null
  const loose = textOf(`${common}/${ref}`, 4_096)?.trim()
  if (loose !== undefined) return OID.test(loose) ? loose : null
  const line = textOf(`${common}/packed-refs`, MAX_REFS_BYTES)
    ?.split('\n')
    .find((one) => one.endsWith(` ${ref}`))
  const packed = line?.slice(0, line.indexOf(' ')) ?? ''
  return OID.test(packed) ? packed : null
}
