import type { Analysis } from '../analysis/analysis.js'

const directoryOf = (path: string): string => path.slice(0, path.lastIndexOf('/')) || '/'

/** Directories where every user can write, and those without real paths. */
const SHARED = /^(?:\/tmp|\/var\/tmp|\/dev(?:\/.*)?)$/

/** Tells whether the script can surely write to a directory: the working directory, the home, or a shared one. */
function isSurelyWritable(analysis: Analysis, directory: string): boolean {
  const { cwd, home } = analysis.input
  return (
    directory === cwd ||
    directory === home ||
    SHARED.test(directory) ||
    (isOwnDirectory(analysis, directory) &&
      (analysis.files.directories.has(directory) || analysis.answers.paths.get(directory)?.kind === 'directory'))
  )
}

/** Tells whether the script owns a directory, if it exists. */
function isOwnDirectory({ input: { cwd, home } }: Analysis, directory: string): boolean {
  return [cwd, home, '/tmp', '/var/tmp'].some((own) => directory === own || directory.startsWith(`${own}/`))
}

/** Returns the condition for a write to have succeeded: none, an existing directory, or permission. */
export function isWritten(analysis: Analysis, path: string): 'surely' | 'unless missing' | 'unless refused' {
  const directory = directoryOf(path)
  if (isSurelyWritable(analysis, directory)) return 'surely'
  const isNew = analysis.answers.paths.get(path)?.kind === 'missing'
  return isNew || analysis.files.directories.has(directory) || isOwnDirectory(analysis, directory)
    ? 'unless missing'
    : 'unless refused'
}
