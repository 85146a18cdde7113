import { toText } from '../../core/present/text-form.js'
import type { SdkAnswer, SdkCommand, SdkCommands } from './sdk-commands.js'

/** Commands of one shell call, as OpenAI's models make them. */
export interface ShellAction {
  readonly commands: readonly string[]
  readonly timeoutMs?: number | null | undefined
  /** Limits the characters of stdout and stderr together, for each command. */
  readonly maxOutputLength?: number | null | undefined
}

/** Ending of one command. A refused command ends with 126, a held one with 123, and stderr says why. */
export interface ShellEnding {
  readonly stdout: string
  readonly stderr: string
  /** Null after a timeout. */
  readonly exitCode: number | null
}

export interface ActionOptions {
  readonly signal?: AbortSignal | undefined
  /** The call that a person has said yes to. The yes covers each of its commands. */
  readonly approvedCall?: string | undefined
}

/** Runs the commands in their order. */
export async function runShellAction(
  commands: SdkCommands,
  action: ShellAction,
  { signal, approvedCall }: ActionOptions,
): Promise<readonly ShellEnding[]> {
  const endings: ShellEnding[] = []
  for (const [index, command] of commandsOf(action).entries()) {
    const approved = approvedCall === undefined ? undefined : callOf(approvedCall, index)
    endings.push(endingOf(await commands.answer(command, { signal, approvedCall: approved }), action.maxOutputLength))
  }
  return endings
}

/** Holds the commands that a person must be asked about. Returns the reasons, or null if nobody needs to be asked. */
export async function askAboutAction(
  commands: SdkCommands,
  action: ShellAction,
  callId: string,
): Promise<string | null> {
  const reasons: string[] = []
  for (const [index, command] of commandsOf(action).entries()) {
    const question = await commands.ask(callOf(callId, index), command)
    if (question) reasons.push(question.reasons)
  }
  return reasons.length === 0 ? null : reasons.join(' ')
}

/** Returns the reasons that `askAboutAction` gave for a call. */
export function reasonsOfCall(
  commands: SdkCommands,
  callId: string,
  { commands: { length } }: ShellAction,
): string | null {
  const reasons = Array.from({ length }, (_, index) => commands.reasons(callOf(callId, index)) ?? [])
  return reasons.flat().join(' ') || null
}

const callOf = (callId: string, index: number): string => `${callId}:${index}`

const commandsOf = ({ commands, timeoutMs }: ShellAction): readonly SdkCommand[] =>
  commands.map((command) => ({ command, timeoutMs: timeoutMs ?? undefined }))

const EXIT = { refused: 126, held: 123, cancelled: 130 } as const

function endingOf({ result, error, text }: SdkAnswer, max: number | null | undefined): ShellEnding {
  if (result === null) {
    const ending = { CONFIRMATION_REQUIRED: EXIT.held, CANCELLED: EXIT.cancelled }[error?.code as string]
    return { stdout: '', stderr: text, exitCode: ending ?? EXIT.refused }
  }
  const stderr = tail([result.stderr, ...notes(result)].filter((part) => part !== '').join('\n'), max)
  const stdout = tail(result.stdout, max ? max - stderr.length : max)
  return { stdout, stderr, exitCode: result.timedOut ? null : result.exitCode }
}

const NOTHING = '(no output)'

/** Words of Cordon beside the output and the exit code. */
function notes(result: NonNullable<SdkAnswer['result']>): readonly string[] {
  const said = toText({ ...result, stdout: '', stderr: '', exitCode: 0, durationMs: 0 })
    .slice(NOTHING.length)
    .trim()
  return said === '' ? [] : [said]
}

/** The end of a text: that is where failures are. */
function tail(text: string, max: number | null | undefined): string {
  if (max === null || max === undefined || text.length <= max) return text
  return max <= 0 ? '' : text.slice(-max)
}
