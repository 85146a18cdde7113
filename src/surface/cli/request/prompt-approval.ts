import { createInterface } from 'node:readline'
import { type Answer, type Approval, hostsAskedFor } from '../../../core/model/policy/approval.js'
import { type Cli, columnsOf, paintErr, sayErr } from '../terminal/context.js'
import { localTime } from '../terminal/local-time.js'
import { evidence, labelled } from '../text/evidence.js'
import { whoAsked } from '../text/who-asked.js'
import { approvedScripts, wholeCommand } from '../text/whole-command.js'

export type AskPerson = (approval: Approval, signal: AbortSignal) => Promise<Answer>

const FOR_RULE = 'Run it? [y]es, this once / [a]lways / [N]o '
const FOR_HOSTS = 'Allow the host? [y]es, for this command / for this [s]ession / [a]lways / [N]o '

/**
 * Asks the person at the terminal, who sees the command with nothing in it hidden. Anything but a yes is a no; Ctrl-C
 * cancels.
 */
export function promptApproval(cli: Cli, options: { readonly color: boolean }, cancel: () => void): AskPerson {
  return async (approval, signal) => {
    const paint = paintErr(cli, options)
    const hosts = hostsAskedFor(approval.because)
    const style = { paint, columns: columnsOf(cli.io) }
    const lines = [
      paint.bold(paint.yellow('This needs your approval.')),
      '',
      ...wholeCommand(approval.command, style.columns),
      ...approvedScripts(approval.scripts),
      // The answer is what allows it here.
      ...approval.because.flatMap(({ remedy: _, ...match }) => [...evidence(match, approval.command, style), '']),
      ...whoAsked(approval, paint),
      labelled('until', localTime(approval.expiresAt), paint),
      ...(hosts.length > 0 ? [labelled('always', `would save: the host ${hosts.join(', ')}`, paint)] : []),
      ...(approval.rule
        ? [labelled('always', `would save: allow ${approval.rule.action ?? approval.rule.id}`, paint)]
        : []),
      '',
    ]
    await sayErr(cli, `${lines.join('\n')}\n`)
    const question = hosts.length > 0 ? FOR_HOSTS : approval.rule ? FOR_RULE : 'Run it this once? [y/N] '
    const answer = (await askLine(cli, paint.bold(question), signal, cancel)).trim()
    if (hosts.length > 0 && /^s(ession)?$/i.test(answer)) return 'session'
    if ((approval.rule || hosts.length > 0) && /^a(lways)?$/i.test(answer)) return 'always'
    return /^y(es)?$/i.test(answer) ? 'once' : 'deny'
  }
}

/** Reads one line from the terminal; empty if it closed, was interrupted, or another answer came first. */
export async function askLine({ io }: Cli, question: string, signal: AbortSignal, cancel: () => void): Promise<string> {
  const terminal = createInterface({ input: io.stdin, output: io.stderr, prompt: question })
  try {
    return await new Promise((resolve) => {
      const nothing = (): void => resolve('')
      terminal.once('line', resolve)
      // A terminal that is read line by line turns Ctrl-C into this event; no signal comes.
      terminal.once('SIGINT', cancel)
      terminal.once('SIGINT', nothing)
      terminal.once('close', nothing)
      signal.addEventListener('abort', nothing, { once: true })
      if (signal.aborted) nothing()
      else terminal.prompt()
    })
  } finally {
    terminal.close()
  }
}
