import { CordonError } from '../../core/model/basics/errors.js'

/** Causes and fixes for errors of SQLite and the file system. Both drivers use the messages of SQLite. */
const CAUSES: readonly (readonly [sign: RegExp, cause: string, fix: string])[] = [
  [/ENOSPC|EDQUOT|disk is full/, 'the disk is full', 'Free some space'],
  [/EROFS/, 'it is on a read-only file system', 'Use a file on a writable file system'],
  [
    /EACCES|EPERM|readonly database/,
    'this user has no write permission',
    'Give the user write permission for the file and its directory',
  ],
  [/ELOOP|symbolic link/, 'it is a symbolic link', 'Remove the symlink, or use the file it points to'],
  [/EISDIR|not a file/, 'it is not a regular file', 'Use another file'],
  [/ENOTDIR|EEXIST/, 'part of its path is not a directory', 'Use another file'],
  [/not a database|not an audit log/, 'it is not an audit log of Cordon', 'Move it away, or use another file'],
  [/malformed/, 'it is damaged', 'Move it away for inspection; Cordon then starts a new log'],
  [
    /locked|busy/,
    'another process holds it locked',
    'Try again; if the error remains, find the process that has the file open',
  ],
  [
    /another schema version/,
    'another version of Cordon wrote it',
    'Use that version to read it, or move it away; Cordon then starts a new log',
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
  const [, cause, fix] = CAUSES.find(([sign]) => sign.test(said)) ?? [null, said, 'Use another file']
  return new CordonError('AUDIT_UNAVAILABLE', `The audit log ${file} cannot be used: ${cause}. ${fix}.`, { file, said })
}

function saidBy(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error && typeof error.code === 'string' ? `${error.code}: ` : ''
  return error.message.startsWith(code) ? error.message : `${code}${error.message}`
}
