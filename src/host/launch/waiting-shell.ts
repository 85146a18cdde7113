import { writeSync } from 'node:fs'
import type { Plan } from '../../core/model/plan.js'
import type { LaunchIo } from '../../engine/ports.js'
import { ulimitLines } from './rlimits.js'
import { READY_FD, REQUEST_FD } from './wall-descriptors.js'

/** What the shell of a wall built ahead says when it has come to wait. */
export const WAITING = '"cordon-waiting"'

/** Where programs are found that the wall itself needs; a profile may mask them. */
export const ENV_PROGRAM = '/usr/bin/env'

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** Longer scripts get a cold sandbox. */
export const SCRIPT_BYTES = 16_384

/**
 * The script of a shell that waits, over which the real one is written: bash looks at its argument only after it has waited. If that
 * was not possible, the shell starts the real one in its own place, which takes longer.
 */
export const placeholder = (shell: string): string =>
  `exec ${quoted(shell)} -c "$BASH_EXECUTION_STRING"`.padEnd(SCRIPT_BYTES)

/**
 * What bash does before it looks at its script. It is told by what name to say that it waits, and waits. Bytes, not characters: in a
 * locale of wide characters `read -N` would wait for more than was sent. At the end of input, when the engine is gone, it goes too. What is
 * read tidies up after itself.
 */
export function waitingLines({ limits }: Plan, shell: string): string {
  const limiting = ulimitLines(limits)
  const read = `read -r __cordon <&${REQUEST_FD} && LC_ALL=C read -r -N "$__cordon" __cordon <&${REQUEST_FD}`
  return [
    limiting ?? '',
    `read -r __cordon <&${REQUEST_FD} || exit 1; printf '%s {${WAITING}: true}\\n' "$__cordon" >&${READY_FD}; exec ${READY_FD}>&-`,
    `${read} || exit 1; exec ${REQUEST_FD}<&-; eval "$__cordon"`,
    'unset BASH_ENV',
    // The last argument of the last command is `$_`, and to be what it is in a shell that did not wait.
    ...(limiting === null ? [`: ${quoted(shell)}`] : []),
    '',
  ].join('\n')
}

/** Variables by which bash itself, or the C library under it, is another one when it is started with them. */
const READ_AT_START =
  /^(?:BASH|LC_|LD_|MALLOC_|GLIBC_|_$)|^(?:LANG|LANGUAGE|LOCPATH|NLSPATH|TZ|TZDIR|IFS|PS[0-4]|SHELLOPTS|POSIXLY_CORRECT|POSIX_PEDANTIC|SHLVL|PPID|UID|EUID|OLDPWD|OPTIND|OPTERR|HOSTNAME|HOSTTYPE|MACHTYPE|OSTYPE|RANDOM|SRANDOM|SECONDS|LINENO|DIRSTACK|GROUPS|PIPESTATUS|FUNCNAME|EPOCHSECONDS|EPOCHREALTIME|HISTCMD|HISTFILE|HISTSIZE|HISTFILESIZE|HISTCONTROL|HISTIGNORE|HISTTIMEFORMAT|histchars|IGNOREEOF|ignoreeof|TMOUT|GLOBIGNORE|FIGNORE|CHILD_MAX|INSIDE_EMACS|EMACS|COLUMNS|LINES|MAIL|MAILPATH|MAILCHECK|COPROC|READLINE_LINE|COMP_WORDBREAKS|GCONV_PATH)$/
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/

/**
 * The plan as a shell waits with it. Of the variables it has only those that bash must be started with, and which are the same for whoever
 * gets the shell: what it was started with can be read in /proc, and another command's variables are none of its business.
 */
export function waitingPlan(plan: Plan, cwd: string): Plan {
  if (scriptOf(plan) === null) return { ...plan, cwd, env: [] }
  const env = plan.env.filter(([name]) => READ_AT_START.test(name))
  return { ...plan, cwd, env: hasPwd(plan) ? [...env, ['PWD', cwd]] : env }
}

/** Lines that make one environment of another; null when bash would have had to be started with it. */
function environmentLines({ env: from }: Plan, { env: to, cwd }: Plan): readonly string[] | null {
  const [before, after] = [new Map(from), new Map(to)]
  const set = to.filter(([name, value]) => name !== 'PWD' && before.get(name) !== value)
  const gone = from.filter(([name]) => name !== 'PWD' && !after.has(name))
  const names = [...set, ...gone].map(([name]) => name)
  // Where it is, the shell is told by being taken there.
  const knowsWhere = [undefined, cwd].includes(after.get('PWD')) && (after.has('PWD') || !before.has('PWD'))
  if (!knowsWhere || names.some((name) => !NAME.test(name) || READ_AT_START.test(name))) return null
  return [...gone.map(([name]) => `unset ${name}`), ...set.map(([name, value]) => `export ${name}=${quoted(value)}`)]
}

/** From the plan a wall was built for to the plan that is to be run in it. */
export interface Change {
  readonly from: Plan
  readonly to: Plan
  readonly stdin: LaunchIo['stdin']
}

/** The text a waiting shell evaluates to become what the plan says; null when it cannot. */
export function requestText({ from, to, stdin }: Change): string | null {
  const script = scriptOf(to)
  const last = script === null ? programLines(to) : shellLines(from, to, script)
  if (last === null || stdin === 'open') return null
  const lines = [
    'unset __cordon',
    ...(stdin === 'closed' ? ['exec </dev/null'] : []),
    // Bash keeps where it came from, and a shell just started came from nowhere.
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

/** Through `env`, since bash would add variables of its own. */
function programLines({ argv, env }: Plan): readonly string[] | null {
  const [program = ''] = argv
  if (program === '' || program.includes('=') || env.some(([name]) => name === '' || name.includes('='))) return null
  const words = [...env.map(([name, value]) => `${name}=${value}`), ...argv]
  return [`exec ${ENV_PROGRAM} -i -- ${words.map(quoted).join(' ')}`]
}

/** Whether a plan runs a script by `bash -c`. */
export const isShell = ({ argv }: Pick<Plan, 'argv'>): boolean => argv[1] === '-c' && /(^|\/)bash$/.test(argv[0] ?? '')

/** The script of a plan that runs one by `bash -c` and nothing else; null for any other plan. */
export function scriptOf({ argv, env }: Plan): string | null {
  const [, , script, ...more] = argv
  if (!isShell({ argv }) || script === undefined || more.length > 0) return null
  return env.some(([name]) => name === 'BASH_ENV' || name.startsWith('BASH_FUNC_')) ? null : script
}

/** A wall that fell at once reads nothing any more. */
export function tellName(request: number, name: string): void {
  try {
    writeSync(request, `${name}\n`)
  } catch {
    // What comes of it is told by the wall's end.
  }
}
