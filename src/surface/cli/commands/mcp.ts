import { type Command, InvalidArgumentError } from 'commander'
import { addColor } from '../request/options.js'
import { exitWith } from '../request/report-failure.js'
import { type Cli, sayErr } from '../terminal/context.js'
import { EXITS_OF_MCP } from '../text/exit-statuses.js'

interface McpOptions {
  readonly profile?: string
  readonly agent?: string
  readonly wait?: number
  readonly http?: boolean
  readonly port?: number
  readonly color: boolean
}

/** `cordon mcp`: a Model Context Protocol server on stdin and stdout, or over HTTP on loopback. */
export function addMcp(program: Command, cli: Cli): void {
  const command = program
    .command('mcp')
    .summary('serve the tools bash, exec, check, history and undo over MCP')
    .description(
      'Serves on stdin and stdout until the client closes stdin; then everything it started is ended. The client cannot choose the profile.',
    )
    .option('--profile <name>', 'the profile for everything this client asks')
    .option('--agent <name>', 'the agent this client is')
    .option('--wait <seconds>', 'how long a held command waits for an answer from another terminal (50)', seconds)
    .option('--http', 'serve streamable HTTP on loopback instead; prints the address and the file with the token')
    .option('--port <number>', 'with --http: the port (any that is free)', port)
    .addHelpText('after', EXITS_OF_MCP)
  addColor(command).action((options: McpOptions) =>
    exitWith(cli, options, async () => {
      return serve(cli, options)
    }),
  )
}

async function serve(cli: Cli, { profile, agent, wait, http, port }: McpOptions): Promise<number> {
  const { io, serveMcp } = cli
  const abort = new AbortController()
  const stopListening = io.onInterrupt(() => abort.abort())
  const { stdin, stdout, version, cwd: workspace } = io
  const waitMs = wait === undefined ? undefined : wait * 1000
  const overHttp = http ? { port: port ?? 0, say: (text: string) => void sayErr(cli, text) } : undefined
  try {
    await serveMcp({ workspace, stdin, stdout, version, agent, profile, waitMs, http: overHttp, signal: abort.signal })
    return abort.signal.aborted ? 130 : 0
  } finally {
    stopListening()
  }
}

function seconds(text: string): number {
  const number = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (Number.isNaN(number)) throw new InvalidArgumentError('It must be a number of seconds.')
  return number
}

function port(text: string): number {
  const number = /^\d{1,5}$/.test(text) ? Number(text) : 0
  if (number < 1 || number > 65_535) throw new InvalidArgumentError('It must be a port, from 1 to 65535.')
  return number
}
