import { closeSync, constants, mkdtempSync, openSync, realpathSync, rmSync, writeSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isInside } from '../../core/model/basics/path.js'
import type { Plan } from '../../core/model/policy/plan.js'
import type { Ending } from '../../core/model/run/ending.js'
import type { Launcher } from '../../engine/ports/ports.js'
import { readUntrustedFile } from '../untrusted-files/read-untrusted-file.js'

const NAME = /^claude-[0-9a-f]{4,16}-cwd$/

/**
 * Recognises the file that Claude Code reads the working directory from, by its name and its directory: the caller's
 * own directory of temporary files.
 */
export function isCwdFile(path: string, temporary: string | undefined): boolean {
  const directory = dirname(path)
  return NAME.test(basename(path)) && (directory === '/tmp' || directory === temporary?.replace(/(?<=.)\/+$/, ''))
}

const AT = '/tmp/.cordon-directory'
const MOST = 4_096

/** Remembers the directory that a command ended in, if it succeeded. */
export interface EndDirectory {
  /** Returns a launcher whose commands write it down, in a directory of the host that is mounted for that alone. */
  recording(launcher: Launcher): Launcher
  /** The directory, if it is one of the host below the root. */
  within(root: string): string | null
  close(): void
}

export function openEndDirectory(temporary: string): EndDirectory {
  const own = mkdtempSync(join(temporary, 'cordon-directory-'))
  const file = join(own, 'path')
  return {
    recording: (launcher) => ({
      probe: () => launcher.probe(),
      launch: (plan, io): Promise<Ending> => launcher.launch(recordingPlan(plan, own), io),
      close: () => launcher.close(),
    }),
    within(root) {
      const path = textOf(file)
      return path !== null && isDirectoryOfHost(path) && isInside(path, root) ? path : null
    },
    close: () => rmSync(own, { recursive: true, force: true }),
  }
}

/**
 * Adds the writing to a plan that was decided and approved, of which it is no part: the same command has the same
 * digest in a hook, and the next time. The command is a literal word for `eval`, so that no variable holds more than
 * it does without.
 */
function recordingPlan(plan: Plan, own: string): Plan {
  const { sandbox, argv } = plan
  const [bash, option, script] = argv
  if (bash === undefined || option !== '-c' || script === undefined || argv.length > 3) return plan
  const at = sandbox.kind === 'none' ? own : AT
  const recording = `eval ${quoted(script)} </dev/null\ncase $? in 0) builtin pwd -P >|${quoted(`${at}/path`)}; exit 0 ;; *) exit $? ;; esac`
  const mount = { op: 'write', from: own, at: AT } as const
  return {
    ...plan,
    argv: [bash, '-c', recording],
    sandbox: sandbox.kind === 'none' ? sandbox : { ...sandbox, mounts: [...sandbox.mounts, mount] },
  }
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'"'"'`)}'`

/** Reads one line that names a directory. The command can write any text there. */
function textOf(file: string): string | null {
  const text = readUntrustedFile(file, MOST)?.toString('utf8').replace(/\n$/, '') ?? ''
  return /^\/[^\n\0]*$/.test(text) ? text : null
}

function isDirectoryOfHost(path: string): boolean {
  try {
    const descriptor = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY)
    closeSync(descriptor)
    return realpathSync(path) === path
  } catch {
    return false
  }
}

/** Writes the file that Claude Code reads. Never follows a link and never changes a file that is there. */
export function writeCwdFile(path: string, directory: string): void {
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants
  try {
    const descriptor = openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
    writeSync(descriptor, `${directory}\n`)
    closeSync(descriptor)
  } catch {
    // The agent stays where it was.
  }
}
