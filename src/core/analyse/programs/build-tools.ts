import { after, foreign } from './arg-parts.js'
import { language } from './interpreter-hooks.js'
import type { Call, Effect, Family } from './knowledge.js'
import { commandAfter } from './package-hooks.js'

/** `make SHELL=/tmp/x`: a variable that names the program which runs the recipes. */
function makeVariables({ operands }: Call): readonly Effect[] {
  return operands.flatMap((arg): readonly Effect[] => {
    const shell = after(arg, 'SHELL=') ?? after(arg, 'SHELL:=')
    return shell ? [{ does: 'run', argv: [shell], via: 'make SHELL', more: true }] : []
  })
}

/** `cmake -E env CMD…`, `cmake -E time CMD…`, `cmake -E chdir DIR CMD…`, `cmake -E rm …`: a small shell of its own. */
function cmakeTool({ argv }: Call): readonly Effect[] {
  const at = argv.findIndex((arg) => arg.text === '-E')
  const [tool, ...rest] = at < 0 ? [] : argv.slice(at + 1)
  if (!tool) return [foreign('a CMake project or build')]
  const via = `cmake -E ${tool.text}`
  if (tool.text === 'env') {
    const from = rest.findIndex((arg) => !/^(?:--unset=|--modify|--?[a-z]|\w+=)/.test(arg.head))
    return from < 0 ? [] : [{ does: 'run', argv: rest.slice(from), via, assign: rest.slice(0, from) }]
  }
  if (tool.text === 'time') return rest.length > 0 ? [{ does: 'run', argv: rest, via }] : []
  if (tool.text === 'chdir') return rest.length > 1 ? [{ does: 'run', argv: rest.slice(1), via, cwd: rest[0] }] : []
  const files = rest.filter((arg) => !arg.head.startsWith('-'))
  if (/^(?:rm|remove|remove_directory)$/.test(tool.text ?? ''))
    return files.map((path) => ({ does: 'delete', path, recursive: true }))
  return files.map((path) => ({ does: 'write', path, recursive: true }))
}

const RECIPES = { foreign: 'recipes of the project', unlisted: 'ignore' } as const

/** Build tools and task runners that also run a command given on their line. */
export const buildTools: Family = [
  {
    names: 'make gmake bmake bsdmake remake mingw32-make nmake colormake',
    flags: '-v --version -h --help',
    values: { '-C --directory': 'cwd', '-f --file --makefile': 'code-file', '-E --eval': 'code' },
    hook: (call) => [
      ...makeVariables(call),
      ...language('recipes of a makefile', ['-v', '--version', '-h', '--help'])(call),
    ],
    unlisted: 'ignore',
  },
  { names: 'cmake', permute: false, unlisted: 'ignore', hook: cmakeTool },
  {
    names: 'bazel bazelisk blaze buck buck2 pants please plz',
    values: { '--run_under': 'shell' },
    ...RECIPES,
  },
  {
    names:
      'task go-task rake thor invoke inv fab nox tox doit grunt gulp jake mage earthly dagger taskfile mask run-s run-p npm-run-all pm2 forever supervisor overmind hivemind air watchman guard nodemon',
    values: { '-x --exec --shell': 'shell' },
    ...RECIPES,
  },
  { names: 'chokidar cargo-watch pytest-watch modd', values: { '-c --command -s --shell': 'shell' }, ...RECIPES },
  {
    names: 'just',
    values: { '--shell --chooser': 'program' },
    ...RECIPES,
    hook: ({ argv }) => {
      const at = argv.findIndex((arg) => arg.text === '-c' || arg.text === '--command')
      return at > 0 && at + 1 < argv.length ? [{ does: 'run', argv: argv.slice(at + 1), via: 'just -c' }] : []
    },
  },
  {
    names: 'foreman honcho',
    values: { '-f --procfile -e --env -d --root': 'text' },
    unlisted: 'ignore',
    subcommands: {
      run: { values: { '-e --env -f --procfile': 'text' }, operands: ['command'], ...RECIPES },
      '*': RECIPES,
    },
  },
  {
    names: 'concurrently',
    values: { '-n --names -c --prefix-colors -p --prefix -l -t -m --max-processes --restart-tries': 'text' },
    rest: 'shell',
    ...RECIPES,
  },
  {
    names: 'watchexec',
    values: { '-e --exts -f --filter -i --ignore -w --watch -s --signal -d --debounce -o -E --env': 'text' },
    operands: ['shell-rest'],
    unlisted: 'ignore',
    foreign: 'the command it repeats',
  },
  {
    names: 'reflex onchange gow',
    permute: false,
    unlisted: 'ignore',
    foreign: 'the command it repeats',
    hook: (call) => commandAfter(call, 0),
  },
]
