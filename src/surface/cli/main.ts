import { Command, CommanderError } from 'commander'
import { addAllow } from './commands/allow.js'
import { addApprovals, addApprove, addDeny } from './commands/approvals.js'
import { addAudit } from './commands/audit.js'
import { addCheck } from './commands/check.js'
import { addCompletion } from './commands/completion.js'
import { addDiff } from './commands/diff.js'
import { addDoctor } from './commands/doctor.js'
import { addExec } from './commands/exec.js'
import { addHistory } from './commands/history.js'
import { addHome } from './commands/home.js'
import { addHook } from './commands/hook.js'
import { addInit } from './commands/init.js'
import { addDiscard, addKeep } from './commands/keep-discard.js'
import { addLogs } from './commands/logs.js'
import { addMcp } from './commands/mcp.js'
import { addProfiles } from './commands/profiles.js'
import { addRun } from './commands/run.js'
import { addTry } from './commands/try.js'
import { addUndo } from './commands/undo.js'
import { reportFailure } from './request/report-failure.js'
import type { Cli } from './terminal/context.js'
import type { CliDependencies } from './terminal/dependencies.js'
import { forgiveClosedReaders, type Io } from './terminal/io.js'

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
  ['init', addInit],
  ['hook', addHook],
  ['mcp', addMcp],
])

/**
 * The command that is called, alone: describing the others takes longer than it looks. All of them where they are
 * listed.
 */
function adding(argv: readonly string[]): Iterable<Add> {
  const called = COMMANDS.get(argv[0] ?? '')
  return called ? [called] : [...COMMANDS.values(), addCompletion]
}

/** The command line: arguments in, exit status out. Nothing is thrown, and no stack is ever shown. */
export async function main(argv: readonly string[], io: Io, dependencies: CliDependencies): Promise<number> {
  let status = 0
  const cli: Cli = {
    io,
    ...dependencies,
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
