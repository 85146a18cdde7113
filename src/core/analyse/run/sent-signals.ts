import type { Analysis } from '../analysis/analysis.js'
import type { Arg } from '../programs/grammar/roles.js'

/** Signals that processes or `kill` send, and the exit of the shell. */
const SENT = /^(?:SIG)?(?:EXIT|HUP|INT|QUIT|PIPE|TERM|0|1|2|3|13|15)$/i

/** Tells whether a trap runs only at the exit of the shell or for a sent signal. */
export const areSent = (signals: readonly Arg[]): boolean => signals.every(({ text }) => SENT.test(text ?? ''))

/** Programs that send signals. */
export const SIGNALLING: ReadonlySet<string> = new Set(['kill', 'pkill', 'killall', 'skill'])

const isOption = ({ text }: Arg): boolean => text?.startsWith('-') === true
/** Tells whether an argument is `$!`, a child process and not the shell. */
const isChild = ({ pathName }: Arg): boolean => pathName === '\u0001!'

/** Reports a signal that can run a trap which changes the shell. */
export function noteSignal(analysis: Analysis, args: readonly Arg[]): void {
  if (analysis.traps.hasSignalTrap && !args.slice(1).every((arg) => isOption(arg) || isChild(arg)))
    analysis.findings.reportUnknown('a signal may run a trap that changes the shell', null)
}
