import { CordonError } from '../../core/model/basics/errors.js'

/** Properties of the host, by the kernel's word for them: what is wrong, and what a person can do. */
const HOST_FAILURES: Readonly<Record<string, readonly [cause: string, fix: string]>> = {
  EROFS: ['the file system is read-only', 'Set TMPDIR, or the state directory, to a writable directory.'],
  ENOSPC: ['the disk is full', 'Free some space, or set TMPDIR, or the state directory, to another disk.'],
  EDQUOT: ['the disk quota is used up', 'Free some space, or set TMPDIR, or the state directory, to another disk.'],
  EACCES: ['permission is denied', 'Give yourself access to it, or set TMPDIR, or the state directory, elsewhere.'],
  EMFILE: ['too many files are open', 'Raise the limit (`ulimit -n`), or run fewer commands at once.'],
  ENFILE: ['too many files are open on this machine', 'Close some programs, or raise fs.file-max.'],
  ENOMEM: ['the machine is out of memory', 'Close some programs, then try again.'],
  EAGAIN: ['the machine starts no more processes', 'Raise the limit (`ulimit -u`), or run fewer commands at once.'],
}

interface Failure {
  readonly code?: unknown
  readonly syscall?: unknown
  readonly path?: unknown
}

/** The error of a system call that failed for a property of the host; null for anything else. */
function hostFailure(thrown: unknown): CordonError | null {
  if (!(thrown instanceof Error)) return null
  const { code, syscall, path } = thrown as Failure
  const known = typeof code === 'string' && typeof syscall === 'string' ? HOST_FAILURES[code] : undefined
  if (known === undefined) return null
  const what = typeof path === 'string' ? `${syscall} ${path}` : `${syscall}`
  const [cause, fix] = known
  return new CordonError('START_FAILED', `The host refused Cordon \`${what}\`: ${cause}. ${fix}`, { cause: thrown })
}

/**
 * Anything thrown, as the one error type. An error that is neither ours nor the host's is a defect, and says so
 * without a stack.
 */
export function asCordonError(thrown: unknown): CordonError {
  if (thrown instanceof CordonError) return thrown
  const message = `A defect in Cordon: ${thrown instanceof Error ? thrown.message : String(thrown)}. Please report it.`
  return hostFailure(thrown) ?? new CordonError('INTERNAL', message, { cause: thrown })
}
