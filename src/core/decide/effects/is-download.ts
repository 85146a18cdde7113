import type { Invocation } from '../../model/run/facts.js'

/** Programs that copy to and from a cloud, with their subcommands. A move also deletes, so it is not listed. */
const COPIES: ReadonlyMap<string, readonly string[]> = new Map([
  ['aws', ['cp', 'sync']],
  ['gsutil', ['cp', 'rsync']],
  ['gcloud', ['cp', 'rsync']],
  ['s3cmd', ['get', 'sync']],
  ['azcopy', ['copy', 'cp', 'sync']],
  ['rclone', ['copy', 'copyto', 'sync']],
])
const REMOTE = /^(?:[a-z][a-z0-9+.-]*:\/\/|[\w-]+:)/i

/**
 * Reports whether a cloud copy only downloads. All arguments must be known: exactly one remote address, followed by a
 * local path. With two addresses, or one at the end, the command uploads.
 */
export function isDownload({ program, argv }: Invocation): boolean {
  const copies = COPIES.get(program ?? '')
  if (copies === undefined) return false
  let verb = false
  let addresses = 0
  let isLocal = false
  for (let i = 1; i < argv.length; i++) {
    const argument = argv[i]
    if (typeof argument !== 'string') return false
    if (!verb) verb = copies.includes(argument)
    else if (REMOTE.test(argument.replace(/^-[\w-]*=?/, ''))) addresses++
    else if (addresses === 1) isLocal ||= !argument.startsWith('-') || argument === '-'
    else if (!argument.startsWith('-')) return false
  }
  return isLocal && addresses === 1
}
