import type { Reading } from './reading.js'

const directoryOf = (path: string): string => path.slice(0, path.lastIndexOf('/')) || '/'

/** Directories where everybody writes, and those that stand for what has no path. */
const FOR_ALL = /^(?:\/tmp|\/var\/tmp|\/dev(?:\/.*)?)$/

/** Can the script surely write into that directory? Into the one it starts in, its home, those for all, and what is there below them. */
function isOurs(reading: Reading, directory: string): boolean {
  const { cwd, home } = reading.context
  return (
    directory === cwd ||
    directory === home ||
    FOR_ALL.test(directory) ||
    (isBelow(reading, directory) &&
      (reading.made.has(directory) || reading.answers.paths.get(directory)?.kind === 'directory'))
  )
}

/** Is it the script's own, if only it is there? */
function isBelow({ context: { cwd, home } }: Reading, directory: string): boolean {
  return [cwd, home, '/tmp', '/var/tmp'].some((ours) => directory === ours || directory.startsWith(`${ours}/`))
}

/** What was written to a file is there if it could be: 'surely', or only 'where the directory is there', or only if it does not refuse. */
export function isWritten(reading: Reading, path: string): 'surely' | 'unless missing' | 'unless refused' {
  const directory = directoryOf(path)
  if (isOurs(reading, directory)) return 'surely'
  const isNew = reading.answers.paths.get(path)?.kind === 'missing'
  return isNew || reading.made.has(directory) || isBelow(reading, directory) ? 'unless missing' : 'unless refused'
}
