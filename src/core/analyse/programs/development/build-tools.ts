import { foreign, runsShell } from '../grammar/effect-builders.js'
import { language } from '../grammar/foreign-code.js'
import type { Call, Effect, Family } from '../grammar/roles.js'
import { commandAfter } from '../packages/package-effects.js'
import { makeEffects } from './makefile.js'

/** `cmake -E env CMD…`, `cmake -E time CMD…`, `cmake -E chdir DIR CMD…`, `cmake -E rm …`: portable shell commands. */
function cmakeTool({ argv }: Call): readonly Effect[] {
  const at = argv.findIndex((arg) => arg.text === '-E')
  const [tool, ...rest] = at < 0 ? [] : argv.slice(at + 1)
  if (!tool) return [foreign('a CMake project or build')]
  const via = `cmake -E ${tool.text}`
  if (tool.text === 'env') {
    const from = rest.findIndex((arg) => !/^(?:--unset=|--modify|--?[a-z]|\w+=)/.test(arg.prefix))
    return from < 0 ? [] : [{ does: 'run', argv: rest.slice(from), via, assign: rest.slice(0, from) }]
  }
  if (tool.text === 'time') return rest.length > 0 ? [{ does: 'run', argv: rest, via }] : []
  if (tool.text === 'chdir') return rest.length > 1 ? [{ does: 'run', argv: rest.slice(1), via, cwd: rest[0] }] : []
  const files = rest.filter((arg) => !arg.prefix.startsWith('-'))
  if (/^(?:rm|remove|remove_directory)$/.test(tool.text ?? ''))
    return files.map((path) => ({ does: 'delete', path, recursive: true }))
  return files.map((path) => ({ does: 'write', path, recursive: true }))
}

const RECIPES = { foreign: 'recipes in the project', unlisted: 'ignore' } as const

/** Build tools and task runners that also run a command from their arguments. */
export const buildTools: Family = [
  {
    names: 'make gmake bmake bsdmake remake mingw32-make nmake colormake',
    flags: '-v --version -h --help',
    values: { '-C --directory': 'cwd', '-f --file --makefile': 'code-file', '-E --eval': 'code' },
    effects: (call) => [
      ...makeEffects(call),
      ...language('recipes of a makefile', ['-v', '--version', '-h', '--help'])(call),
    ],
    unlisted: 'ignore',
  },
  { names: 'cmake', permute: false, effects: cmakeTool },
  { names: 'bazel bazelisk blaze buck buck2 pants please plz', values: { '--run_under': 'shell' }, ...RECIPES },
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
    effects: ({ argv }) => {
      const at = argv.findIndex((arg) => arg.text === '-c' || arg.text === '--command')
      return at > 0 && at + 1 < argv.length ? [{ does: 'run', argv: argv.slice(at + 1), via: 'just -c' }] : []
    },
  },
  {
    names: 'foreman honcho',
    values: { '-f --procfile -d --root': 'text', '-e --env': 'read' },
    subcommands: {
      run: { values: { '-e --env': 'read', '-f --procfile': 'text' }, operands: ['command'], ...RECIPES },
      '*': { values: { '-e --env': 'read' }, ...RECIPES },
    },
  },
  {
    names: 'concurrently',
    values: { '-n --names -c --prefix-colors -p --prefix -l -t -m --max-processes --restart-tries': 'text' },
    ...RECIPES,
    // `npm:dev:*` names scripts of the project.
    effects: ({ operands }) =>
      operands
        .filter(({ prefix }) => !/^(?:npm|pnpm|yarn|bun|node|deno):/.test(prefix))
        .map((text) => runsShell(text, 'concurrently')),
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
    foreign: 'the command it repeats',
    effects: (call) => commandAfter(call, 0),
  },
]
