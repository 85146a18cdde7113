import type { Analysis } from '../analysis/analysis.js'
import type { Arg } from '../programs/grammar/roles.js'
import { mayPrintSettings, printsShellSettings } from '../programs/wrappers/shell-settings.js'
import type { State } from '../state/state.js'

/** Text without a special meaning for shells. */
const HARMLESS = /^[\w./:@%+=, -]*$/

/** Tells whether no variable or directory of the script can appear in the output. */
const isUntouched = ({ findings }: Analysis, state: State): boolean =>
  state.directory.cwd !== null &&
  HARMLESS.test(state.directory.cwd) &&
  findings.environment.every(({ value }) => isHarmless(value)) &&
  state.variables.names().every((name) => isHarmless(state.variables.get(name)?.value))

const isHarmless = (value: unknown): boolean => typeof value === 'string' && HARMLESS.test(value)

const PACKAGES = new Set('npm pnpm yarn go'.split(' '))

/** Tells whether a program of this name can print shell settings or package directories. */
export const mayHaveOwnOutput = (program: string): boolean => PACKAGES.has(program) || mayPrintSettings(program)

/** Returns output that depends on the program alone: shell settings, package directories. Null otherwise. */
export function ownOutput(analysis: Analysis, state: State, program: string, argv: readonly Arg[]): string | null {
  if (printsShellSettings(program, argv) && isUntouched(analysis, state)) {
    analysis.findings.reportForeign(`shell settings printed by ${program}`, null)
    return ''
  }
  if (!PACKAGES.has(program)) return null
  const [self, ...args] = argv
  if (self?.text !== program || state.directory.cwd === null || args.some((arg) => arg.text === null)) return null
  const words = args.map((arg) => arg.text).join(' ')
  if (/^(?:npm|pnpm|yarn)$/.test(program) && words === 'bin') return `${state.directory.cwd}/node_modules/.bin\n`
  if (/^(?:npm|pnpm)$/.test(program) && words === 'root') return `${state.directory.cwd}/node_modules\n`
  if (program === 'go' && words === 'env GOPATH' && state.variables.get('GOPATH') === undefined)
    return `${analysis.input.home}/go\n`
  return null
}
