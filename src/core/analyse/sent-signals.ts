import type { Arg } from './programs/knowledge.js'
import type { Reading } from './reading.js'

/** Signals that another process or `kill` sends, and the end of the shell. */
const SENT = /^(?:SIG)?(?:EXIT|HUP|INT|QUIT|PIPE|TERM|0|1|2|3|13|15)$/i

/** Tells whether a trap for these signals runs only where the shell ends or a signal is sent to it. */
export const areSent = (signals: readonly Arg[]): boolean => signals.every(({ text }) => SENT.test(text ?? ''))

/** Programs that send signals, beside the builtin of that name. */
export const SIGNALLING: ReadonlySet<string> = new Set(['kill', 'pkill', 'killall', 'skill'])

const isOption = ({ text }: Arg): boolean => text?.startsWith('-') === true
/** `$!` is a process of the script's own, not the shell. */
const isChild = ({ place }: Arg): boolean => place === '\u0001!'

/** Reports a signal that may run a trap which changes the shell. */
export function noteSignal(reading: Reading, args: readonly Arg[]): void {
  if (reading.hasSignalTrap && !args.slice(1).every((arg) => isOption(arg) || isChild(arg)))
    reading.reportUnknown('a signal may run a trap that changes the shell', null)
}
