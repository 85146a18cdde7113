import { type Command, InvalidArgumentError } from 'commander'
import type { Stream } from '../../../core/model/basics/relay.js'
import { addJson } from '../request/options.js'
import { exitWith } from '../request/report-failure.js'
import { type Cli, sayJson, sayOut, withEngine } from '../terminal/context.js'
import { EXITS_OF_LOOKING } from '../text/exit-statuses.js'

interface LogsOptions {
  readonly stream: Stream
  readonly from: number
  readonly to?: number
  readonly json?: boolean
}

/** One read; larger output is fetched piece by piece, so that memory stays flat. */
const PIECE_BYTES = 1024 * 1024

/** `cordon logs <id>`: what `--keep-output` kept, whole or a range of bytes of it. */
export function addLogs(program: Command, cli: Cli): void {
  const command = program
    .command('logs')
    .summary('print the output of a past command')
    .description('Prints the output of a command that ran with --keep-output, whole or in part.')
    .argument('<id>', 'the id of the request, or a beginning of it')
    .option('--stream <stream>', 'stdout or stderr', stream, 'stdout')
    .option('--from <byte>', 'from this byte on', offset, 0)
    .option('--to <byte>', 'up to, not including, this byte', offset)
    .addHelpText('after', EXITS_OF_LOOKING)
  addJson(command).action((id: string, options: LogsOptions) =>
    exitWith(cli, { ...options, color: false }, async () => {
      await withEngine(cli, async (engine) => {
        const read = (from: number, to: number) => engine.logs(id, options.stream, from, to)
        if (options.json) return sayJson(cli, await wire(options, read))
        return print(cli, options, read)
      })
    }),
  )
}

type Read = (from: number, to: number) => Promise<{ readonly text: string; readonly totalBytes: number }>

async function wire({ from, to }: LogsOptions, read: Read) {
  const { text, totalBytes } = await read(from, to ?? from + PIECE_BYTES)
  return { text, from, total_bytes: totalBytes }
}

async function print(cli: Cli, { from, to }: LogsOptions, read: Read): Promise<void> {
  const end = to ?? Number.MAX_SAFE_INTEGER
  for (let at = from; at < end; at += PIECE_BYTES) {
    const { text, totalBytes } = await read(at, Math.min(end, at + PIECE_BYTES))
    await sayOut(cli, text)
    if (at + PIECE_BYTES >= totalBytes) return
  }
}

function stream(text: string): Stream {
  if (text !== 'stdout' && text !== 'stderr') throw new InvalidArgumentError('It must be stdout or stderr.')
  return text
}

function offset(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It must be a number of bytes.')
  return Number(text)
}
