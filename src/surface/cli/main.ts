import { Command, CommanderError } from 'commander'
import type { Cli } from './cli.js'
import { addAllow } from './command-allow.js'
import { addApprovals, addApprove, addDeny } from './command-approvals.js'
import { addAudit } from './command-audit.js'
import { addCheck } from './command-check.js'
import { addCompletion } from './command-completion.js'
import { addDiff } from './command-diff.js'
import { addDoctor } from './command-doctor.js'
import { addExec } from './command-exec.js'
import { addHistory } from './command-history.js'
import { addHome } from './command-home.js'
import { addLogs } from './command-logs.js'
import { addMcp } from './command-mcp.js'
import { addProfiles } from './command-profiles.js'
import { addRun } from './command-run.js'
import { addDiscard, addKeep } from './command-settle.js'
import { addTry } from './command-try.js'
import { addUndo } from './command-undo.js'
import type { Doors } from './doors.js'
import { forgiveClosedReaders, type Io } from './io.js'
import { reportFailure } from './report-failure.js'

const OWN_FAILURE = 125

type Add = (program: Command, cli: Cli) => void

/** In the order the help lists them. */
const COMMANDS: ReadonlyMap<string, Add> = new Map([
  ['run', addRun],
  ['exec', addExec],
  ['check', addCheck],
  ['try', addTry],
  ['history', addHistory],
  ['diff', addDiff],
  ['undo', addUndo],
  ['keep', addKeep],
  ['discard', addDiscard],
  ['approvals', addApprovals],
  ['approve', addApprove],
  ['deny', addDeny],
  ['allow', addAllow],
  ['audit', addAudit],
  ['logs', addLogs],
  ['profiles', addProfiles],
  ['doctor', addDoctor],
  ['home', addHome],
  ['mcp', addMcp],
])

/** The command that is called, alone: describing the others takes longer than it looks. All of them where they are listed. */
function adding(argv: readonly string[]): Iterable<Add> {
  const called = COMMANDS.get(argv[0] ?? '')
  return called ? [called] : [...COMMANDS.values(), addCompletion]
}

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
    await createProgram(cli, argv).parseAsync([...argv], { from: 'user' })
    return status
  } catch (thrown) {
    if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? 0 : OWN_FAILURE
    return reportFailure(cli, thrown, { color: true })
  }
}

function createProgram(cli: Cli, argv: readonly string[]): Command {
  const { stdout, stderr } = cli.io
  const program = new Command('cordon')
    .description('Runs shell commands for AI agents so that people can let them.')
    .version(cli.io.version, '-V, --version', 'print the version')
    .enablePositionalOptions()
    .exitOverride()
    .showHelpAfterError("See 'cordon --help' or 'cordon <command> --help'.\nTo run a program: cordon run <program>")
    .configureOutput({
      writeOut: (text) => void stdout.write(text),
      writeErr: (text) => void stderr.write(text),
      getOutHelpWidth: () => stdout.columns ?? 100,
      getErrHelpWidth: () => stderr.columns ?? 100,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .addHelpText('after', "\nEach command's own help lists its options and exit statuses: cordon run --help\n")
  for (const add of adding(argv)) add(program, cli)
  return program
}
