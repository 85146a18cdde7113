/** Exit statuses as each command's help lists them. */
const table = (rows: readonly (readonly [string, string])[]): string =>
  `\nExit status:\n${rows.map(([status, meaning]) => `  ${status.padEnd(5)} ${meaning}`).join('\n')}\n`

const OWN_FAILURE = ['125', "Cordon's own failure: bad arguments, no sandbox, invalid settings"] as const

export const EXITS_OF_RUNNING = table([
  ['any', "the command's own exit status; 128+n when signal n ended it"],
  ['123', 'held: a person has to approve it first; nothing was run'],
  ['124', 'timed out; everything it started was ended'],
  OWN_FAILURE,
  ['126', 'denied, or not executable; nothing was run'],
  ['127', 'the program was not found'],
  ['130', 'cancelled (Ctrl-C); everything it started was ended'],
])

export const EXITS_OF_CHECK = table([
  ['0', 'it would be allowed'],
  ['10', 'it would be held for approval'],
  ['20', 'it would be denied'],
  OWN_FAILURE,
  ['126', 'with --exec: the program is not executable'],
  ['127', 'with --exec: the program was not found'],
])

export const EXITS_OF_LOOKING = table([['0', 'done'], OWN_FAILURE])

export const EXITS_OF_TRY = table([
  ['any', "the command's own exit status, as 'cordon run' gives it"],
  ['1', 'also: not kept, because files changed underneath; they are named'],
  OWN_FAILURE,
])

export const EXITS_OF_UNDO = table([
  ['0', 'undone'],
  ['1', 'not undone: files changed since; they are named, and nothing was changed'],
  OWN_FAILURE,
])

export const EXITS_OF_KEEP = table([
  ['0', 'kept'],
  ['1', 'not kept: files changed underneath; they are named, and nothing was changed'],
  OWN_FAILURE,
])

export const EXITS_OF_DISCARD = table([['0', 'discarded'], OWN_FAILURE])

export const EXITS_OF_VERIFY = table([
  ['0', 'the audit log is intact'],
  ['1', 'the audit log was changed or has a gap'],
  OWN_FAILURE,
])

export const EXITS_OF_DOCTOR = table([
  ['0', 'everything needed is there'],
  ['1', 'something is missing; each line says what to do'],
  OWN_FAILURE,
])

export const EXITS_OF_HOME_RESET = table([
  ['0', 'removed, or there was nothing'],
  ['1', 'not removed: not confirmed'],
  OWN_FAILURE,
])

export const EXITS_OF_INIT = table([
  ['0', 'done, or nothing to do'],
  ['1', 'not done: no approval, or a hook failed its test; each line names the remedy'],
  OWN_FAILURE,
])

export const EXITS_OF_MCP = table([['0', 'the client disconnected'], OWN_FAILURE, ['130', 'interrupted']])
