import { known } from '../grammar/arguments.js'
import { foreign, reads, writes } from '../grammar/effect-builders.js'
import type { Arg, Call, Effect } from '../grammar/roles.js'

/** Modules that equal a program, with its name. */
const PROGRAMS: ReadonlyMap<string, string> = new Map(
  `pip pip|twine twine|flit flit|poetry poetry|hatch hatch|pdm pdm|uv uv|pipx pipx|awscli aws|ansible ansible|httpie http|alembic alembic
  |mkdocs mkdocs|telnetlib telnet|ftplib ftp|zappa zappa|chalice chalice|fabric fab|conan conan|modal modal|virtualenv virtualenv`
    .split('|')
    .map((pair) => pair.trim().split(' ') as [string, string]),
)

const isOption = (arg: Arg, names: RegExp): boolean => names.test(arg.text ?? '')

/** `zipfile -c FILE SOURCE…`, `tarfile -e FILE [DIRECTORY]`: modules that work like zip and tar. */
function archive(args: readonly Arg[], here: Arg): readonly Effect[] {
  const at = args.findIndex((arg) => isOption(arg, /^-(?:[cetl]|-create|-extract|-test|-list)$/))
  const [file, ...rest] = at < 0 ? [] : args.slice(at + 1)
  if (!file) return []
  const verb = args[at] as Arg
  if (isOption(verb, /^--?c/)) return [writes(file), ...rest.map((path) => reads(path, true))]
  return isOption(verb, /^--?e/) ? [reads(file), writes(rest[0] ?? here, true)] : [reads(file)]
}

/** `python -m MODULE ARGUMENT…`: the effects of the module. All later arguments belong to it. */
export function moduleEffects({ argv, options }: Call): readonly Effect[] {
  const module = options.find(({ name }) => name === '-m')?.value
  if (!module) return []
  if (module.text === null) return [foreign('a Python module with an unknown name', module)]
  const { text } = module
  const at = argv.indexOf(module)
  const attached = at < 0 ? argv.findIndex((arg) => /^-\w*m/.test(arg.prefix) && arg.text?.endsWith(text)) : at
  const args = argv.slice(attached + 1)
  const program = PROGRAMS.get(text.replace(/\.__main__$/, ''))
  if (program !== undefined) return [{ does: 'run', argv: [known(program, module.span), ...args], via: 'python -m' }]
  return /^(?:zipfile|tarfile)$/.test(text) ? archive(args, known('.', module.span)) : []
}
