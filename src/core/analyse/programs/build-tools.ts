import { after, foreign } from './arg-parts.js'
import { language } from './interpreter-hooks.js'
import type { Call, Effect, Family } from './knowledge.js'
import { commandAfter } from './package-hooks.js'
import { watchedEffects } from './repeating-hooks.js'

/** Variables on the command line that name what make runs: `make SHELL=/tmp/x`, `make CC=cmd`. */
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

/** Build tools and task runners: what they run stands in files of the project. */
export const buildTools: Family = [
  {
    names: 'make gmake bmake bsdmake remake mingw32-make nmake colormake',
    flags:
      '-b -m -B --always-make -d -e --environment-overrides -i --ignore-errors -k --keep-going -L --check-symlink-times -n --just-print --dry-run --recon -p --print-data-base -q --question -r --no-builtin-rules -R --no-builtin-variables -s --silent --quiet --no-silent -S --no-keep-going --stop -t --touch --trace -v --version -w --print-directory --no-print-directory --warn-undefined-variables -h --help',
    values: {
      '-C --directory': 'cwd',
      '-f --file --makefile': 'code-file',
      '-E --eval': 'code',
      '-I --include-dir -W --what-if --new-file --assume-new -o --old-file --assume-old': 'text',
    },
    optional: { '-j --jobs -l --load-average --max-load --debug -O --output-sync --shuffle --jobserver-style': 'text' },
    hook: (call) => [
      ...makeVariables(call),
      ...language('recipes of a makefile', ['-v', '--version', '-h', '--help'])(call),
    ],
    unlisted: 'ignore',
  },
  {
    names: 'cmake',
    values: {
      '-P': 'code-file',
      '-S': 'read',
      '-B': 'write-tree',
      '--build --install --open': 'cwd',
      '-D -U -G -T -A --preset -t --target --config -j --parallel --prefix --component': 'text',
      '-C --toolchain': 'code-file',
    },
    permute: false,
    unlisted: 'ignore',
    hook: cmakeTool,
  },
  {
    names: 'ctest',
    values: {
      '--build-and-test': 'text',
      '-S --script': 'code-file',
      '-R -E -L -C -j -T -M -D --timeout --output-junit --test-dir': 'text',
    },
    ...RECIPES,
  },
  { names: 'cpack ccmake cmake-gui qmake qmake6 moc uic imake', ...RECIPES },
  {
    names: 'ninja ninja-build samu',
    values: { '-C': 'cwd', '-f': 'code-file', '-j -k -l -t -d -w': 'text' },
    ...RECIPES,
  },
  {
    names: 'meson',
    ...RECIPES,
    subcommands: {
      devenv: { values: { '-C': 'cwd', '-w --workdir': 'text' }, operands: ['command'], unlisted: 'foreign' },
      '*': RECIPES,
    },
  },
  {
    names:
      'scons waf tup xmake premake5 premake4 gn gyp bjam ibazel redo jam cook snakemake nextflow luigi airflow prefect dagster dvc',
    values: { '-f --file': 'code-file', '-C': 'cwd', '-j': 'text' },
    ...RECIPES,
  },
  {
    names: 'bazel bazelisk blaze buck buck2 pants please plz',
    values: { '--run_under': 'shell', '--bazelrc': 'code-file', '--override_repository --config -c --jobs': 'text' },
    ...RECIPES,
  },
  {
    names: 'gradle gradlew mvn mvnw mvnd ant sbt mill lein boot leiningen maven ivy',
    values: {
      '-b --build-file -I --init-script -f --file -s --settings': 'code-file',
      '-p --project-dir': 'cwd',
      '-D -P -x -t': 'text',
    },
    ...RECIPES,
  },
  {
    names: 'just',
    flags:
      '-l --list -n --dry-run -q --quiet -u --unsorted -v --verbose --summary --dump --evaluate --fmt --check --init -e --edit --choose --show-path -h --help -V --version --yes',
    values: {
      '-f --justfile': 'code-file',
      '-d --working-directory': 'cwd',
      '--shell --chooser': 'program',
      '--shell-arg --set --color -s --show --variables': 'text',
      '-E --dotenv-path': 'read',
    },
    optional: { '-c --command': 'text' },
    ...RECIPES,
    permute: false,
    hook: ({ argv }) => {
      const at = argv.findIndex((arg) => arg.text === '-c' || arg.text === '--command')
      return at > 0 && at + 1 < argv.length ? [{ does: 'run', argv: argv.slice(at + 1), via: 'just -c' }] : []
    },
  },
  {
    names:
      'task go-task rake thor invoke inv fab nox tox doit grunt gulp jake mage earthly dagger taskfile mask run-s run-p npm-run-all pm2 forever supervisor overmind hivemind air watchman guard',
    values: {
      '-t --taskfile -f --rakefile --gulpfile --gruntfile -c --config --procfile': 'text',
      '-x --exec --shell': 'shell',
      '-d --dir': 'cwd',
      '-w --watch -e --exts --ext --ignore -i -n': 'text',
    },
    ...RECIPES,
  },
  {
    names: 'foreman honcho',
    values: { '-f --procfile -e --env -d --root': 'text' },
    unlisted: 'ignore',
    subcommands: {
      run: {
        values: { '-e --env -f --procfile': 'text' },
        operands: ['command'],
        foreign: 'variables of the project',
        unlisted: 'ignore',
      },
      '*': { foreign: 'processes of the project', unlisted: 'ignore' },
    },
  },
  {
    names: 'concurrently',
    flags:
      '-r --raw -s --success -k --kill-others --kill-others-on-fail --no-color -g --group -h --help -v --version --hide -P --passthrough-arguments',
    values: {
      '-n --names --name-separator -c --prefix-colors -p --prefix -l --prefix-length -t --timestamp-format -m --max-processes --restart-tries --restart-after --default-input-target':
        'text',
    },
    rest: 'shell',
    foreign: 'scripts of the project',
  },
  {
    names: 'nodemon',
    flags: '-V --verbose -q --quiet -L --legacy-watch -C --on-change-only -h --help --version',
    values: {
      '-x --exec': 'shell',
      '-w --watch -i --ignore -e --ext --delay --signal --config': 'text',
      '--cwd': 'cwd',
    },
    ...RECIPES,
  },
  {
    names: 'watchexec',
    flags:
      '-c --clear -r --restart -p --postpone -n -N --notify -v --verbose --no-vcs-ignore --no-project-ignore --no-global-ignore --no-default-ignore --no-discover-ignore --no-environment --print-events --force-poll -1 --help --version',
    values: {
      '-e --exts -f --filter -i --ignore -w --watch -s --signal -d --debounce --delay-run --shell --stop-signal --stop-timeout --on-busy-update -o --fs-events --emit-events-to --poll':
        'text',
      '--workdir': 'cwd',
      '-E --env': 'assignment',
    },
    operands: ['shell-rest'],
    hook: watchedEffects,
  },
  {
    names: 'reflex onchange gow',
    permute: false,
    unlisted: 'ignore',
    foreign: 'the command it repeats',
    hook: (call) => commandAfter(call, 0),
  },
  {
    names: 'chokidar cargo-watch pytest-watch modd',
    values: { '-c --command -s --shell': 'shell', '-x --exec': 'text' },
    ...RECIPES,
  },
  {
    names: 'autoconf automake autoreconf aclocal autoheader libtoolize autogen.sh autoupdate autoscan intltoolize',
    ...RECIPES,
  },
  {
    names: 'libtool',
    values: { '--mode': 'text' },
    flags: '--silent --quiet --tag',
    unlisted: 'ignore',
    foreign: 'the command it builds',
  },
  { names: 'pkg-config pkgconf', unlisted: 'ignore', contained: true },
  { names: 'act gitlab-runner circleci jenkins-cli drone woodpecker-cli buildkite-agent', ...RECIPES },
  { names: 'fastlane xcodebuild xcrun msbuild nuget paket cake fake', ...RECIPES },
  {
    names:
      'hugo jekyll mkdocs sphinx-build sphinx-apidoc sphinx-quickstart zola eleventy gatsby next nuxt astro remix ng vue vue-cli react-scripts create-react-app docusaurus vitepress vuepress hexo gridsome storybook expo ionic cordova capacitor svelte-kit mdbook doxygen',
    values: { '-d --destination -o --output --outDir': 'write-tree', '-s --source -c --config': 'text' },
    foreign: 'settings and plugins of the project',
    unlisted: 'ignore',
  },
]
