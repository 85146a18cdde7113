import { foreign, reads, writes } from './arg-parts.js'
import { known } from './arguments.js'
import type { Arg, Call, Effect } from './knowledge.js'

/** Modules that are programs of their own, by another name or the same. */
const PROGRAMS: ReadonlyMap<string, string> = new Map(
  `pip pip|twine twine|flit flit|poetry poetry|hatch hatch|pdm pdm|uv uv|pipx pipx|awscli aws|ansible ansible|httpie http|alembic alembic
  |mkdocs mkdocs|telnetlib telnet|ftplib ftp|zappa zappa|chalice chalice|fabric fab|conan conan|modal modal|virtualenv virtualenv`
    .split('|')
    .map((pair) => pair.trim().split(' ') as [string, string]),
)

const isOption = (arg: Arg, names: RegExp): boolean => names.test(arg.text ?? '')

/** `zipfile -c FILE SOURCE…`, `tarfile -e FILE [DIRECTORY]`: what the programs zip and tar would do. */
function archive(args: readonly Arg[], here: Arg): readonly Effect[] {
  const at = args.findIndex((arg) => isOption(arg, /^-(?:[cetl]|-create|-extract|-test|-list)$/))
  const [file, ...rest] = at < 0 ? [] : args.slice(at + 1)
  if (!file) return []
  const verb = args[at] as Arg
  if (isOption(verb, /^--?c/)) return [writes(file), ...rest.map((path) => reads(path, true))]
  return isOption(verb, /^--?e/) ? [reads(file), writes(rest[0] ?? here, true)] : [reads(file)]
}

/** The word behind an option. */
function wordBehind(args: readonly Arg[], names: RegExp): Arg | undefined {
  const at = args.findIndex((arg) => isOption(arg, names))
  return at < 0 ? undefined : args[at + 1]
}

const operandsOf = (args: readonly Arg[]): readonly Arg[] => args.filter((arg) => !arg.head.startsWith('-'))

type Places = (args: readonly Arg[], here: Arg) => readonly Effect[]

/** A file that an option names is written. */
const written = (args: readonly Arg[], names: RegExp): readonly Effect[] => {
  const path = wordBehind(args, names)
  return path ? [writes(path)] : []
}

/** `json.tool FROM TO`. What stands by its absolute path is read already, as with any module. */
const reformat: Places = (args) => {
  const [from, to] = operandsOf(args)
  return [...(from && !from.head.startsWith('/') ? [reads(from)] : []), ...(to ? [writes(to)] : [])]
}

/** Modules of Python itself that do something to files. */
const PLACES = new Map<string, Places>([
  ['zipfile', archive],
  ['tarfile', archive],
  ['http.server', (args, here) => [reads(wordBehind(args, /^(?:-d|--directory)$/) ?? here, true)]],
  ['json.tool', reformat],
  ['gzip', (args) => operandsOf(args).flatMap((path) => [reads(path), writes(path)])],
  ['venv', (args) => operandsOf(args).map((path) => writes(path, true))],
  ['zipapp', (args) => written(args, /^(?:-o|--output)$/)],
  ['cProfile', (args) => written(args, /^(?:-o|--outfile)$/)],
])

/** `python -m MODULE ARGUMENT…`: what the module is known to do. All that stands behind its name is for the module. */
export function moduleEffects({ argv, options }: Call): readonly Effect[] {
  const module = options.find(({ name }) => name === '-m')?.value
  if (!module) return []
  if (module.text === null) return [foreign('a module of Python that is not known', module)]
  const { text } = module
  const at = argv.indexOf(module)
  const attached = at < 0 ? argv.findIndex((arg) => /^-\w*m/.test(arg.head) && arg.text?.endsWith(text)) : at
  const args = argv.slice(attached + 1)
  const program = PROGRAMS.get(text.replace(/\.__main__$/, ''))
  if (program !== undefined) return [{ does: 'run', argv: [known(program, module.span), ...args], via: 'python -m' }]
  return PLACES.get(text)?.(args, known('.', module.span)) ?? []
}
