import { CordonError } from '../../core/model/errors.js'

/** What SQLite and the file system say, in words for the host's owner, and what to do. Both drivers use SQLite's own sentences. */
const CAUSES: readonly (readonly [sign: RegExp, cause: string, fix: string])[] = [
  [/ENOSPC|EDQUOT|disk is full/, 'the disk is full', 'Free some space'],
  [/EROFS/, 'it lies on a read-only file system', 'Choose a file on a writable one'],
  [
    /EACCES|EPERM|readonly database/,
    'this user may not write it',
    'Give the user write access to the file and its directory',
  ],
  [/ELOOP|symbolic link/, 'it is a symbolic link', 'Remove the link, or name the file it points to'],
  [/EISDIR|not a file/, 'it is not a regular file', 'Choose another file'],
  [/ENOTDIR|EEXIST/, 'part of its path is not a directory', 'Choose another file'],
  [/not a database|not an audit log/, 'it is not an audit log of Cordon', 'Move it away, or choose another file'],
  [/malformed/, 'it is damaged', 'Move it away and keep it for inspection; a new one is then started'],
  [/locked|busy/, 'another process holds it locked', 'Try again; if it lasts, see which process has the file open'],
  [
    /another schema version/,
    'another version of Cordon wrote it',
    'Use that version to read it, or move it away; Cordon then starts a new one',
  ],
  [
    /Cannot find (?:module|package)|No native build|NODE_MODULE_VERSION/,
    'no SQLite driver is installed',
    'Use Node 22.13 or newer, or install Cordon again',
  ],
]

/** AUDIT_UNAVAILABLE with the path, the cause and the fix. An error that is one of ours already is handed on. */
export function unavailable(file: string, error: unknown): CordonError {
  if (error instanceof CordonError) return error
  const said = saidBy(error)
  const [, cause, fix] = CAUSES.find(([sign]) => sign.test(said)) ?? [null, said, 'Choose another file']
  return new CordonError('AUDIT_UNAVAILABLE', `The audit log ${file} cannot be used: ${cause}. ${fix}.`, { file, said })
}

function saidBy(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error && typeof error.code === 'string' ? `${error.code}: ` : ''
  return error.message.startsWith(code) ? error.message : `${code}${error.message}`
}
