import type { Arg } from './programs/knowledge.js'
import { mayPrintSettings, printsShellSettings } from './programs/shell-settings.js'
import type { Reading } from './reading.js'
import type { State } from './state.js'

/** Text that means nothing to a shell wherever a program puts it. */
const HARMLESS = /^[\w./:@%+=, -]*$/

/** A variable or a directory of the script's may turn up in what the program prints. */
const isUntouched = ({ findings }: Reading, state: State): boolean =>
  state.cwd !== null &&
  HARMLESS.test(state.cwd) &&
  findings.environment.every(({ value }) => isHarmless(value)) &&
  state.names().every((name) => isHarmless(state.get(name)?.value))

const isHarmless = (value: unknown): boolean => typeof value === 'string' && HARMLESS.test(value)

const PACKAGES = new Set('npm pnpm yarn go'.split(' '))

/** May a program of this name print something of that kind? */
export const mayTell = (program: string): boolean => PACKAGES.has(program) || mayPrintSettings(program)

/**
 * What programs print that is known, or known to be theirs alone: settings for the shell, and the directories where package managers
 * put programs. Null for all others.
 */
export function ownOutput(reading: Reading, state: State, program: string, argv: readonly Arg[]): string | null {
  if (printsShellSettings(program, argv) && isUntouched(reading, state)) {
    reading.reportForeign(`the settings for the shell that ${program} prints`, null)
    return ''
  }
  if (!PACKAGES.has(program)) return null
  const [self, ...args] = argv
  if (self?.text !== program || state.cwd === null || args.some((arg) => arg.text === null)) return null
  const words = args.map((arg) => arg.text).join(' ')
  if (/^(?:npm|pnpm|yarn)$/.test(program) && words === 'bin') return `${state.cwd}/node_modules/.bin\n`
  if (/^(?:npm|pnpm)$/.test(program) && words === 'root') return `${state.cwd}/node_modules\n`
  if (program === 'go' && words === 'env GOPATH' && state.get('GOPATH') === undefined)
    return `${reading.context.home}/go\n`
  return null
}
