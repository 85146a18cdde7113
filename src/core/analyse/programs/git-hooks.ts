import type { Span } from '../../model/span.js'
import { after, reads } from './arg-parts.js'
import { known } from './arguments.js'
import { addressEffects, configEffects } from './git-config.js'
import type { Arg, Call, Effect } from './knowledge.js'

/** Hosts, directories and commands among the addresses of a transfer. */
export const addressed = (call: Call): readonly Effect[] => addressEffects(call)

/** `git clean` deletes below the directories it is given, or here. */
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

/** The directory of `git -C DIRECTORY` and `git --work-tree=DIRECTORY`, which stands before the subcommand. */
function chosenDirectory({ argv }: Call, subcommand: string): Arg | undefined {
  const end = argv.findIndex((arg) => arg.text === subcommand)
  const tree = argv.slice(0, end).find((arg) => arg.head.startsWith('--work-tree='))
  if (tree) return after(tree, '--work-tree=') ?? undefined
  const at = argv.findIndex((arg) => arg.text === '-C' || arg.text === '--work-tree')
  return at > 0 && at < end ? argv[at + 1] : undefined
}

/** `git diff FILE FILE` outside a repository, or with a file outside it, reads both as they are. */
export const compared = (call: Call): readonly Effect[] =>
  call.has('--no-index')
    ? []
    : call.operands.filter((arg) => /^(?:\/|\.\.\/|~)/.test(arg.head)).map((path) => reads(path, true))

/** `git archive --remote=ADDRESS`. */
export function archivedFrom(call: Call): readonly Effect[] {
  const address = call.value('--remote')
  return address ? addressEffects({ operands: [address] }) : []
}

/** `git -C DIRECTORY init`, with no other directory named. */
export function initialised(call: Call): readonly Effect[] {
  const place = call.operands.length === 0 ? chosenDirectory(call, 'init') : undefined
  return place ? [{ does: 'write', path: place, recursive: true }] : []
}

/** `git for-each-repo --config=KEY ARGS…` runs `git ARGS…` in many places. */
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

/**
 * `git config core.pager COMMAND`: what makes git run something later is written where it is kept. Other settings are nobody's
 * business, but for those of everybody on the machine.
 */
export function configured(call: Call): readonly Effect[] {
  const effects = configEffects(call)
  if (call.has('-f', '--file', '--blob')) return effects
  const isForAll = call.has('--system') && call.operands.length > 1 && call.operands[0]?.text !== 'get'
  if (effects.length === 0 && !isForAll) return effects
  return [...effects, { does: 'write', recursive: false, ...settingsFile(call, call.argv[0]?.span ?? [0, 0]) }]
}
