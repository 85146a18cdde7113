import { type Command, InvalidArgumentError } from 'commander'
import { uniquePrefix } from '../../../core/model/basics/id.js'
import type { Approval } from '../../../core/model/policy/approval.js'
import { addColor, addJson } from '../request/options.js'
import { exitWith } from '../request/report-failure.js'
import { type Cli, columnsOf, paintOut, sayJson, sayOut, withEngine } from '../terminal/context.js'
import { localTime } from '../terminal/local-time.js'
import type { Paint } from '../terminal/style.js'
import { visible } from '../terminal/visible-text.js'
import { evidence, labelled } from '../text/evidence.js'
import { EXITS_OF_LOOKING } from '../text/exit-statuses.js'
import { whoAsked } from '../text/who-asked.js'
import { approvedScripts, wholeCommand } from '../text/whole-command.js'

interface ApprovalOptions {
  readonly all?: boolean
  readonly json?: boolean
  readonly color: boolean
}

interface AnswerOptions extends ApprovalOptions {
  readonly note?: string
}

/** `cordon approvals`: what waits for a person. */
export function addApprovals(program: Command, cli: Cli): void {
  const list = program
    .command('approvals')
    .summary('list the commands that wait for a person')
    .description('Lists held commands with the reason each is held.')
    .option('--all', 'also those that were answered, used or have expired')
    .addHelpText('after', EXITS_OF_LOOKING)
  addColor(addJson(list)).action((options: ApprovalOptions) => show(cli, options))
}

/** `cordon approve <id>`: a person's yes, for one run of exactly what was held. */
export const addApprove = (program: Command, cli: Cli): void =>
  addAnswer(program, cli, 'approved', {
    name: 'approve',
    summary: 'let a held command run, once',
    description:
      'Allows a held command. An approval is for exactly that command, directory, agent and profile, and for one run.',
  })

/** `cordon deny <id>`: a person's no. */
export const addDeny = (program: Command, cli: Cli): void =>
  addAnswer(program, cli, 'denied', {
    name: 'deny',
    summary: 'refuse a held command',
    description:
      'Refuses a held command. Repeating it fails with the note, until the approval would have expired. Then it is held anew.',
  })

function addAnswer(
  program: Command,
  cli: Cli,
  verdict: 'approved' | 'denied',
  { name, summary, description }: { readonly name: string; readonly summary: string; readonly description: string },
): void {
  const command = program
    .command(name)
    .summary(summary)
    .description(description)
    .argument('<id>', 'the id of the approval, or a beginning of it')
    .option('--note <text>', 'words for the one who asked', noteText)
    .addHelpText('after', EXITS_OF_LOOKING)
  addColor(addJson(command)).action((id: string, options: AnswerOptions) =>
    exitWith(cli, options, async () => {
      const approval = await withEngine(cli, async (engine) => engine.approvals.answer(id, verdict, options.note))
      if (options.json) await sayJson(cli, approval)
      else await sayOut(cli, answered(approval, verdict))
    }),
  )
}

/** Longer words belong into a file. */
const MAX_NOTE_CHARS = 2_000

function noteText(text: string): string {
  if (text.trim() === '' || text.length > MAX_NOTE_CHARS)
    throw new InvalidArgumentError(`It must be 1 to ${MAX_NOTE_CHARS} characters.`)
  return text
}

const answered = ({ command, expiresAt }: Approval, verdict: 'approved' | 'denied'): string =>
  verdict === 'approved'
    ? `Approved: ${visible(command)}\nIt runs once when it is repeated, until ${localTime(expiresAt)}.\n`
    : `Denied: ${visible(command)}\n`

function show(cli: Cli, options: ApprovalOptions): Promise<void> {
  return exitWith(cli, options, async () => {
    const all = await withEngine(cli, async (engine) => engine.approvals.list())
    const approvals = options.all ? all : all.filter(({ state }) => state === 'pending')
    if (options.json) await sayJson(cli, approvals)
    else await sayOut(cli, approvalsText(approvals, all, paintOut(cli, options), columnsOf(cli.io)))
  })
}

function approvalsText(
  approvals: readonly Approval[],
  all: readonly Approval[],
  paint: Paint,
  columns: number,
): string {
  if (approvals.length === 0) return 'Nothing waits for approval.\n'
  const ids = all.map(({ id }) => id)
  return approvals
    .map((approval) =>
      [
        `${paint.bold(uniquePrefix(approval.id, ids))}  ${paint.yellow(approval.state)}  ${paint.dim(`until ${localTime(approval.expiresAt)}`)}`,
        ...wholeCommand(approval.command, columns),
        ...approvedScripts(approval.scripts),
        ...approval.because.flatMap((match) => evidence(match, approval.command, { paint, columns })),
        ...whoAsked(approval, paint),
        ...(approval.note === null ? [] : [labelled('note', approval.note, paint)]),
      ].join('\n'),
    )
    .join('\n\n')
    .concat('\n')
}
