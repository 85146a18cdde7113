import type { Invocation } from '../model/facts.js'

/** Programs that copy to and from a cloud, and their words for it. A move takes away what is there, and is none of them. */
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
 * Does the command only fetch? All of it has to be known, with one address in it, and behind that a place here: with two addresses,
 * or with one at the end, something is sent.
 */
export function isDownload({ program, argv }: Invocation): boolean {
  const copies = COPIES.get(program ?? '')
  if (copies === undefined) return false
  let verb = false
  let addresses = 0
  let here = false
  for (let i = 1; i < argv.length; i++) {
    const argument = argv[i]
    if (typeof argument !== 'string') return false
    if (!verb) verb = copies.includes(argument)
    else if (REMOTE.test(argument.replace(/^-[\w-]*=?/, ''))) addresses++
    else if (addresses === 1) here ||= !argument.startsWith('-') || argument === '-'
    else if (!argument.startsWith('-')) return false
  }
  return here && addresses === 1
}
