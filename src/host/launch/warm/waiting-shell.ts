import { writeSync } from 'node:fs'
import type { Plan } from '../../../core/model/policy/plan.js'
import type { LaunchIo } from '../../../engine/ports/ports.js'
import { ulimitLines } from '../limits/rlimits.js'
import { READY_FD, REQUEST_FD } from '../sandbox/descriptors.js'
import { isShell } from '../sandbox/shell-plan.js'
import { WAITING } from '../sandbox/status-report.js'

/** Path of a program that the sandbox itself needs. A profile may mask it. */
export const ENV_PROGRAM = '/usr/bin/env'

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** Longer scripts get a cold sandbox. */
export const SCRIPT_BYTES = 16_384

/**
 * Returns the waiting shell's script, which the real script later replaces in memory. bash reads its argument only
 * after it has waited. Without the replacement the shell starts the real script in its place, which takes longer.
 */
export const placeholder = (shell: string): string =>
  `exec ${quoted(shell)} -c "$BASH_EXECUTION_STRING"`.padEnd(SCRIPT_BYTES)

/**
 * Returns the lines that bash runs before it reads its script. It reads the name by which it reports that it waits,
 * then waits. It reads bytes, because `read -N` with wide characters would wait for more. It exits at the end of input,
 * when the engine is gone. The lines that it reads clean up after themselves.
 */
export function waitingLines({ limits }: Plan, shell: string): string {
  const limiting = ulimitLines(limits)
  const read = `read -r __cordon <&${REQUEST_FD} && LC_ALL=C read -r -N "$__cordon" __cordon <&${REQUEST_FD}`
  return [
    limiting ?? '',
    `read -r __cordon <&${REQUEST_FD} || exit 1; printf '%s {${WAITING}: true}\\n' "$__cordon" >&${READY_FD}; exec ${READY_FD}>&-`,
    `${read} || exit 1; exec ${REQUEST_FD}<&-; eval "$__cordon"`,
    'unset BASH_ENV',
    // The last argument of the last command becomes `$_`, which must be as in a shell that did not wait.
    ...(limiting === null ? [`: ${quoted(shell)}`] : []),
    '',
  ].join('\n')
}

/** Variables that change bash itself, or its C library, at the start. */
const READ_AT_START =
  /^(?:BASH|LC_|LD_|MALLOC_|GLIBC_|_$)|^(?:LANG|LANGUAGE|LOCPATH|NLSPATH|TZ|TZDIR|IFS|PS[0-4]|SHELLOPTS|POSIXLY_CORRECT|POSIX_PEDANTIC|SHLVL|PPID|UID|EUID|OLDPWD|OPTIND|OPTERR|HOSTNAME|HOSTTYPE|MACHTYPE|OSTYPE|RANDOM|SRANDOM|SECONDS|LINENO|DIRSTACK|GROUPS|PIPESTATUS|FUNCNAME|EPOCHSECONDS|EPOCHREALTIME|HISTCMD|HISTFILE|HISTSIZE|HISTFILESIZE|HISTCONTROL|HISTIGNORE|HISTTIMEFORMAT|histchars|IGNOREEOF|ignoreeof|TMOUT|GLOBIGNORE|FIGNORE|CHILD_MAX|INSIDE_EMACS|EMACS|COLUMNS|LINES|MAIL|MAILPATH|MAILCHECK|COPROC|READLINE_LINE|COMP_WORDBREAKS|GCONV_PATH)$/
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/

/**
 * Returns the plan of the waiting shell. It has only the variables that bash needs at its start and that all commands
 * share. /proc shows a shell's starting variables, which must not reveal another command's.
 */
export function waitingPlan(plan: Plan, cwd: string): Plan {
  if (scriptOf(plan) === null) return { ...plan, cwd, env: [] }
  const env = plan.env.filter(([name]) => READ_AT_START.test(name))
  return { ...plan, cwd, env: hasPwd(plan) ? [...env, ['PWD', cwd]] : env }
}

/** Returns lines that turn one environment into another. Returns null if bash needs the difference at its start. */
function environmentLines({ env: from }: Plan, { env: to, cwd }: Plan): readonly string[] | null {
  const [before, after] = [new Map(from), new Map(to)]
  const set = to.filter(([name, value]) => name !== 'PWD' && before.get(name) !== value)
  const gone = from.filter(([name]) => name !== 'PWD' && !after.has(name))
  const names = [...set, ...gone].map(([name]) => name)
  // `cd` sets PWD in the shell.
  const knowsWhere = [undefined, cwd].includes(after.get('PWD')) && (after.has('PWD') || !before.has('PWD'))
  if (!knowsWhere || names.some((name) => !NAME.test(name) || READ_AT_START.test(name))) return null
  return [...gone.map(([name]) => `unset ${name}`), ...set.map(([name, value]) => `export ${name}=${quoted(value)}`)]
}

/** Plan of the built sandbox, and the plan to run in it. */
export interface Change {
  readonly from: Plan
  readonly to: Plan
  readonly stdin: LaunchIo['stdin']
}

/** Returns the text that a waiting shell evaluates to match the plan, or null if it cannot. */
export function requestText({ from, to, stdin }: Change): string | null {
  const script = scriptOf(to)
  const last = script === null ? programLines(to) : shellLines(from, to, script)
  if (last === null || stdin === 'open') return null
  const lines = [
    'unset __cordon',
    ...(stdin === 'closed' ? ['exec </dev/null'] : []),
    // bash sets OLDPWD on `cd`, and a new shell has none.
    ...(from.cwd === to.cwd
      ? []
      : [`cd ${hasPwd(to) ? '-L' : '-P'} -- ${quoted(to.cwd)} || exit 1`, 'unset OLDPWD', 'declare -x OLDPWD']),
    ...last,
  ]
  return lines.join('; ')
}

const hasPwd = ({ env }: Plan): boolean => env.some(([name]) => name === 'PWD')

function shellLines(from: Plan, to: Plan, script: string): readonly string[] | null {
  const environment = environmentLines(from, to)
  if (environment === null) return null
  return [...environment, `BASH_EXECUTION_STRING=${quoted(script)}`, 'SECONDS=0']
}

/** Starts the program through `env`, since bash would add variables of its own. */
function programLines({ argv, env }: Plan): readonly string[] | null {
  const [program = ''] = argv
  if (program === '' || program.includes('=') || env.some(([name]) => name === '' || name.includes('='))) return null
  const words = [...env.map(([name, value]) => `${name}=${value}`), ...argv]
  return [`exec ${ENV_PROGRAM} -i -- ${words.map(quoted).join(' ')}`]
}

/** Returns the script of a plan that only runs one by `bash -c`, or null. */
export function scriptOf({ argv, env }: Plan): string | null {
  const [, , script, ...more] = argv
  if (!isShell({ argv }) || script === undefined || more.length > 0) return null
  return env.some(([name]) => name === 'BASH_ENV' || name.startsWith('BASH_FUNC_')) ? null : script
}

/** Writes the sandbox's name to its shell. A sandbox that died at once does not read it. */
export function writeName(requestFd: number, name: string): void {
  try {
    writeSync(requestFd, `${name}\n`)
  } catch {
    // The end of the sandbox reports the failure.
  }
}
