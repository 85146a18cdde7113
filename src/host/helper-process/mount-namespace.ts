import { readFileSync } from 'node:fs'
import { helperScript } from '../helper-scripts/helper-script.js'

export type Argv = readonly [program: string, ...args: string[]]

const CAP_SYS_ADMIN = 1n << 21n

/** Tells if mounting needs a user namespace of our own: for unprivileged users, and for root without CAP_SYS_ADMIN. */
export function needsUserNamespace(): boolean {
  const capabilities = /^CapEff:\s*([0-9a-f]+)/m.exec(readFileSync('/proc/self/status', 'latin1'))?.[1]
  return (BigInt(`0x${capabilities ?? 0}`) & CAP_SYS_ADMIN) === 0n
}

/**
 * Returns a command line that runs a shell script in a new mount namespace. Later mounts of the host do not appear
 * there.
 */
export function inNewMounts(script: string, ...args: readonly string[]): Argv {
  const user = needsUserNamespace() ? ['--user', '--map-root-user'] : []
  const lines = [
    helperScript('new-mounts.sh'),
    process.geteuid?.() === 0 ? helperScript('read-only-devices.sh') : '',
    script,
  ]
  const shell = ['/bin/sh', '-c', lines.join('\n'), 'sh', ...args]
  return ['/usr/bin/unshare', ...user, '--mount', '--propagation', 'private', '--', ...shell]
}
