import { readFileSync } from 'node:fs'

export type Argv = readonly [program: string, ...args: string[]]

const CAP_SYS_ADMIN = 1n << 21n

/** Whether mounting takes a user namespace of our own: for unprivileged users, and for root without CAP_SYS_ADMIN. */
export function needsUserNamespace(): boolean {
  const capabilities = /^CapEff:\s*([0-9a-f]+)/m.exec(readFileSync('/proc/self/status', 'latin1'))?.[1]
  return (BigInt(`0x${capabilities ?? 0}`) & CAP_SYS_ADMIN) === 0n
}

/**
 * Makes the devices of /dev read-only, for root: root owns them and could change their modes for the whole host. Data can still be
 * written to them. In some containers each device is a mount of its own.
 */
const READ_ONLY_DEVICES = `
mount --rbind /dev /dev && mount -o remount,bind,ro /dev || exit 1
while read -r _ _ _ _ at _; do
  case $at in /dev/*/*) ;; /dev/*) [ ! -c "$at" ] || mount -o remount,bind,ro "$at" || exit 1 ;; esac
done </proc/self/mountinfo
`

/** The command line that runs a shell script in a new mount namespace. Mounts made on the host later do not appear there. */
export function inNewMounts(script: string, ...args: readonly string[]): Argv {
  const user = needsUserNamespace() ? ['--user', '--map-root-user'] : []
  const lines = [
    'export PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C',
    process.geteuid?.() === 0 ? READ_ONLY_DEVICES : '',
    script,
  ]
  const shell = ['/bin/sh', '-c', lines.join('\n'), 'sh', ...args]
  return ['/usr/bin/unshare', ...user, '--mount', '--propagation', 'private', '--', ...shell]
}
