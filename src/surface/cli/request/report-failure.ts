import { CordonError } from '../../../core/model/basics/errors.js'
import { errorToWire } from '../../../core/present/wire.js'
import { type Cli, columnsOf, paintErr, sayErr, sayJson } from '../terminal/context.js'
import { refusalText } from '../text/refusal.js'

/**
 * Says what went wrong, for a person on stderr or for a program on stdout, and gives the exit status. Never a stack.
 */
export async function reportFailure(
  cli: Cli,
  thrown: unknown,
  options: { readonly json?: boolean; readonly color: boolean },
  text = '',
): Promise<number> {
  const error = asCordonError(thrown)
  if (options.json) await sayJson(cli, errorToWire(error))
  else await sayErr(cli, refusalText(error, text, { paint: paintErr(cli, options), columns: columnsOf(cli.io) }))
  return error.exit
}

/** Runs a command and exits with the status it returns, 0 for none, or with that of its failure. */
export async function exitWith(
  cli: Cli,
  options: { readonly json?: boolean; readonly color: boolean },
  run: () => Promise<number | undefined>,
): Promise<void> {
  try {
    cli.exit((await run()) ?? 0)
  } catch (thrown) {
    cli.exit(await reportFailure(cli, thrown, options))
  }
}

function asCordonError(thrown: unknown): CordonError {
  if (thrown instanceof CordonError) return thrown
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  return new CordonError('INTERNAL', `Cordon itself failed: ${message}. Please report this.`)
}
