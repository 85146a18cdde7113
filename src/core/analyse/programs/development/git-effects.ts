import type { Span } from '../../../model/basics/span.js'
import { known } from '../grammar/arguments.js'
import { after, reads } from '../grammar/effect-builders.js'
import type { Arg, Call, Effect } from '../grammar/roles.js'
import { addressEffects, configEffects } from './git-config.js'

/** Returns the hosts, directories and commands in the addresses of a transfer. */
export const addressed = (call: Call): readonly Effect[] => addressEffects(call)

/** `git clean` deletes below its directories, or below the working directory. */
export function cleaned(call: Call): readonly Effect[] {
  if (call.has('-n', '--dry-run') || !call.has('-f', '--force', '-i', '--interactive')) return []
  const here = known('.', call.argv[0]?.span ?? [0, 0])
  const cwd = chosenDirectory(call, 'clean')
  return (call.operands.length > 0 ? call.operands : [here]).map((path) => ({
    does: 'delete',
    path,
    recursive: true,
    cwd,
  }))
}

/** Returns the directory of `git -C DIRECTORY` or `git --work-tree=DIRECTORY`, which precede the subcommand. */
function chosenDirectory({ argv }: Call, subcommand: string): Arg | undefined {
  const end = argv.findIndex((arg) => arg.text === subcommand)
  const tree = argv.slice(0, end).find((arg) => arg.prefix.startsWith('--work-tree='))
  if (tree) return after(tree, '--work-tree=') ?? undefined
  const at = argv.findIndex((arg) => arg.text === '-C' || arg.text === '--work-tree')
  return at > 0 && at < end ? argv[at + 1] : undefined
}

/** `git diff FILE FILE` with a file outside the repository reads both files. */
export const compared = (call: Call): readonly Effect[] =>
  call.has('--no-index')
    ? []
    : call.operands.filter((arg) => /^(?:\/|\.\.\/|~)/.test(arg.prefix)).map((path) => reads(path, true))

/** `git archive --remote=ADDRESS`. */
export function archivedFrom(call: Call): readonly Effect[] {
  const address = call.value('--remote')
  return address ? addressEffects({ operands: [address] }) : []
}

/** `git -C DIRECTORY init` without a directory argument. */
export function initialised(call: Call): readonly Effect[] {
  const directory = call.operands.length === 0 ? chosenDirectory(call, 'init') : undefined
  return directory ? [{ does: 'write', path: directory, recursive: true }] : []
}

/** `git for-each-repo --config=KEY ARGS…` runs `git ARGS…` in many repositories. */
export function forEachRepository({ argv, operands }: Call): readonly Effect[] {
  const program = argv[0]
  return program && operands.length > 0 ? [{ does: 'run', argv: [program, ...operands], via: 'git for-each-repo' }] : []
}

function settingsFile(
  call: Call,
  span: Span,
): { readonly path: Arg; readonly inHome?: true; readonly cwd?: Arg | undefined } {
  if (call.has('--system')) return { path: known('/etc/gitconfig', span) }
  if (call.has('--global')) return { path: known('.gitconfig', span), inHome: true }
  return { path: known('.git/config', span), cwd: chosenDirectory(call, 'config') }
}

/** `git config KEY VALUE` writes a file if the setting runs code later or is system-wide. */
export function configured(call: Call): readonly Effect[] {
  const effects = configEffects(call)
  if (call.has('-f', '--file', '--blob')) return effects
  const isForAll = call.has('--system') && call.operands.length > 1 && call.operands[0]?.text !== 'get'
  if (effects.length === 0 && !isForAll) return effects
  return [...effects, { does: 'write', recursive: false, ...settingsFile(call, call.argv[0]?.span ?? [0, 0]) }]
}
