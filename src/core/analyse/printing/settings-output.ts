import type { Analysis } from '../analysis/analysis.js'
import { type Arg, MARK } from '../programs/grammar/roles.js'
import { mayPrintSettings, printsShellSettings } from '../programs/wrappers/shell-settings.js'
import type { State } from '../state/state.js'
import { templateOf, type Value } from '../values/value.js'

/** Text without a special meaning for shells. */
const HARMLESS = /^[\w./:@%+=, -]*$/

/** Tells whether no variable or directory of the script can appear in the output. */
const isUntouched = ({ findings }: Analysis, { directory, variables }: State): boolean =>
  directory.cwd !== null &&
  HARMLESS.test(directory.cwd) &&
  findings.environment.every(({ name, value }) => (value === null ? isNamed(name, variables) : isHarmless(value))) &&
  variables.names().every((name) => isNamed(name, variables))

const isNamed = (name: string, variables: State['variables']): boolean => {
  const { value, choices } = variables.get(name) ?? {}
  return value !== undefined && (choices ?? [value]).every(isHarmless)
}

/** Unknown parts of the environment of the request are not text of the script: `PATH=$HOME/.pyenv/bin:$PATH`. */
const isHarmless = (value: Value): boolean =>
  (typeof value === 'string' || value.origin === 'environment') && HARMLESS.test(templateOf(value).replaceAll(MARK, ''))

/** The usual answer of programs that print a directory of their own. `.` is the working directory, `~` the home. */
const DIRECTORIES: ReadonlyMap<string, string> = new Map([
  ...['npm', 'pnpm', 'yarn'].map((name) => [`${name} bin`, './node_modules/.bin'] as const),
  ...['npm', 'pnpm'].map((name) => [`${name} root`, './node_modules'] as const),
  ['go env GOPATH', '~/go'],
  ['poetry env info --path', './.venv'],
  ['poetry env info -p', './.venv'],
  ['pipenv --venv', './.venv'],
  ['conda info --base', '/opt/conda'],
  ['pyenv root', '~/.pyenv'],
  ['rbenv root', '~/.rbenv'],
  ['brew --prefix', '/opt/homebrew'],
])
const PRINTS_DIRECTORIES = new Set([...DIRECTORIES.keys()].map((call) => call.split(' ', 1)[0] ?? ''))
/** Package managers whose answer does not depend on variables of the script. */
const FIXED = new Set('npm pnpm yarn'.split(' '))

/** Tells whether a program of this name can print shell settings or one of its directories. */
export const mayHaveOwnOutput = (program: string): boolean =>
  PRINTS_DIRECTORIES.has(program) || mayPrintSettings(program)

/** Returns output that depends on the program alone: shell settings, directories. Null otherwise. */
export function ownOutput(analysis: Analysis, state: State, program: string, argv: readonly Arg[]): string | null {
  const isOwn = FIXED.has(program) || isUntouched(analysis, state)
  if (isOwn && printsShellSettings(program, argv)) {
    analysis.findings.reportForeign(`shell settings printed by ${program}`, null)
    return ''
  }
  const { cwd } = state.directory
  if (!isOwn || cwd === null || argv.some((arg) => arg.text === null)) return null
  const call = argv.map((arg) => arg.text).join(' ')
  const [, formula] = /^brew --prefix ([\w@.-]+)$/.exec(call) ?? []
  const directory = formula === undefined ? DIRECTORIES.get(call) : `/opt/homebrew/opt/${formula}`
  return directory === undefined ? null : `${directory.replace(/^\./, cwd).replace(/^~/, analysis.input.home)}\n`
}
