import type { Command } from 'commander'
import type { Cli } from './cli.js'
import { EXITS_OF_MCP } from './exits.js'
import { addColor } from './options.js'
import { reportFailure } from './report-failure.js'

interface McpOptions {
  readonly profile?: string
  readonly agent?: string
  readonly color: boolean
}

/** `cordon mcp`: a Model Context Protocol server on stdin and stdout. */
export function addMcp(program: Command, cli: Cli): void {
  const command = program
    .command('mcp')
    .summary('serve the tools bash, exec and check over MCP on stdin and stdout')
    .description(
      'Serves until the client closes stdin; then everything it started is ended. The client cannot choose the profile.',
    )
    .option('--profile <name>', 'the profile for everything this client asks')
    .option('--agent <name>', 'the agent this client is')
    .addHelpText('after', EXITS_OF_MCP)
  addColor(command).action(async (options: McpOptions) => {
    try {
      cli.exit(await serve(cli, options))
    } catch (thrown) {
      cli.exit(await reportFailure(cli, thrown, options))
    }
  })
}

async function serve({ io, doors }: Cli, { profile, agent }: McpOptions): Promise<number> {
  const abort = new AbortController()
  const stopListening = io.onInterrupt(() => abort.abort())
  const { stdin, stdout, version, cwd: workspace } = io
  try {
    await doors.serveMcp({ workspace, stdin, stdout, version, agent, profile, signal: abort.signal })
    return abort.signal.aborted ? 130 : 0
  } finally {
    stopListening()
  }
}
