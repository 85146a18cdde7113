import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { HostContext } from '../../core/model/run/surroundings.js'
import { readUntrustedFile } from '../untrusted-files/read-untrusted-file.js'
import { realPath } from './real-path.js'

const HOSTS = /^[ \t]*hosts[ \t]*:.*$/m
/**
 * The C library asks `dns` first, which no server answers, so the attempt is counted. The last service decides the
 * error: `files` reports an unknown name, while `dns` would make clients retry.
 */
const NO_SUCH_NAME = ['dns', 'files']

const MAX_BYTES = 65_536

/** Returns name lookup settings for a sandbox without a network: only names in /etc/hosts exist. */
export function withoutNames(text: string): string {
  const services = HOSTS.exec(text)?.[0].replace(/#.*/, '') ?? ''
  const local = ['files', ...(/\bmyhostname\b/.test(services) ? ['myhostname'] : [])]
  const line = `hosts: ${[...local, ...NO_SUCH_NAME].join(' ')}`
  return HOSTS.test(text)
    ? text.replace(HOSTS, line)
    : `${text}${text.endsWith('\n') || text === '' ? '' : '\n'}${line}\n`
}

/** Writes these settings to the state directory. Returns null if the host has no such file or the write fails. */
export function nameServiceFor(
  stateDirectory: string,
  hostFile = '/etc/nsswitch.conf',
): NonNullable<HostContext['runtime']>['nameService'] {
  const { real: at, kind } = realPath(hostFile)
  if (kind !== 'file') return null
  try {
    const directory = join(realPath(stateDirectory).real, 'no-network')
    const from = join(directory, 'nsswitch.conf')
    const text = withoutNames(textOf(at) ?? '')
    if (textOf(from) === text) return { from, at }
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    const fresh = `${from}.${process.pid}`
    writeFileSync(fresh, text, { mode: 0o644 })
    renameSync(fresh, from)
    return { from, at }
  } catch {
    return null
  }
}

const textOf = (path: string): string | null => readUntrustedFile(path, MAX_BYTES)?.toString('utf8') ?? null
