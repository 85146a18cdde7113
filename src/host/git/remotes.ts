import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { parseConfig } from '../../core/git/config-syntax.js'
import { readUntrustedFile } from '../untrusted-files/read-untrusted-file.js'
import { gitDirectoryAt } from './repositories.js'

const MAX_BYTES = 256 * 1024
/** Limit of remotes. */
const MAX_REMOTES = 50
const textOf = (path: string): string | null => readUntrustedFile(path, MAX_BYTES)?.toString('latin1') ?? null

function gitDirectoryAbove(path: string): string | null {
  for (let at = path; ; at = dirname(at)) {
    const found = gitDirectoryAt(`${at}/.git`)
    if (found !== null || at === '/') return found
  }
}

/**
 * Returns the remotes of the repository that contains a directory, without passwords. Empty for a directory that does
 * not exist, because it may become its own repository.
 */
export function remotesAt(path: string): readonly (readonly [name: string, address: string])[] {
  const directory = existsSync(path) ? gitDirectoryAbove(path) : null
  if (directory === null) return []
  const common = textOf(`${directory}/commondir`)?.trim()
  const settings = parseConfig(textOf(`${common ? resolve(directory, common) : directory}/config`) ?? '') ?? []
  return settings
    .flatMap(({ key, value }): (readonly [string, string])[] => {
      const name = /^remote\.(.+)\.(?:push)?url$/s.exec(key)?.[1]
      return name === undefined || value === null ? [] : [[name, value.replace(/^([a-z+]+:\/\/)[^/@]*@/i, '$1')]]
    })
    .slice(0, MAX_REMOTES)
}
