import type { Command } from 'commander'
import { type Cli, withEngine } from './cli.js'
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

async function serve(cli: Cli, { profile, agent }: McpOptions): Promise<number> {
  const { io, doors } = cli
  const abort = new AbortController()
  const stopListening = io.onInterrupt(() => abort.abort())
  try {
    const serveMcp = await doors.loadMcp()
    return await withEngine(cli, async (engine) => {
      // A profile that is not there must end the start, not every call.
      engine.profiles.get(profile ?? null, agent ?? null)
      const { stdin, stdout, version } = io
      await serveMcp(engine, { stdin, stdout, version, agent, profile, signal: abort.signal })
      return abort.signal.aborted ? 130 : 0
    })
  } finally {
    stopListening()
  }
}
