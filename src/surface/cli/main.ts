import { Command, CommanderError } from 'commander'
import type { Cli } from './cli.js'
import { addApprovals } from './command-approvals.js'
import { addAudit } from './command-audit.js'
import { addCheck } from './command-check.js'
import { addCompletion } from './command-completion.js'
import { addDoctor } from './command-doctor.js'
import { addExec } from './command-exec.js'
import { addMcp } from './command-mcp.js'
import { addOutput } from './command-output.js'
import { addProfiles } from './command-profiles.js'
import { addRun } from './command-run.js'
import type { Doors } from './doors.js'
import { forgiveClosedReaders, type Io } from './io.js'
import { reportFailure } from './report-failure.js'

const OWN_FAILURE = 125

/** The command line: arguments in, exit status out. Nothing is thrown, and no stack is ever shown. */
export async function main(argv: readonly string[], io: Io, doors: Doors): Promise<number> {
  let status = 0
  const cli: Cli = {
    io,
    doors,
    exit: (value) => {
      status = value
    },
  }
  forgiveClosedReaders(io)
  try {
    await createProgram(cli).parseAsync([...argv], { from: 'user' })
    return status
  } catch (thrown) {
    if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? 0 : OWN_FAILURE
    return reportFailure(cli, thrown, { color: true })
  }
}

function createProgram(cli: Cli): Command {
  const { stdout, stderr } = cli.io
  const program = new Command('cordon')
    .description('Runs shell commands for AI agents so that people can let them.')
    .version(cli.io.version, '-V, --version', 'print the version')
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void stdout.write(text),
      writeErr: (text) => void stderr.write(text),
      getOutHelpWidth: () => stdout.columns ?? 100,
      getErrHelpWidth: () => stderr.columns ?? 100,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .addHelpText('after', "\nEach command's own help lists its options and exit statuses: cordon run --help\n")
  addRun(program, cli)
  addExec(program, cli)
  addCheck(program, cli)
  addApprovals(program, cli)
  addAudit(program, cli)
  addOutput(program, cli)
  addProfiles(program, cli)
  addDoctor(program, cli)
  addMcp(program, cli)
  addCompletion(program, cli)
  return program
}
