import type { Family } from './knowledge.js'
import { packageProgram } from './package-bins.js'
import { ASKS, CHOOSES, EXECUTES, PLAIN, RUNS, runsAfter, SCRIPTS, SHIMS } from './package-grammars.js'
import { afterDashes } from './package-hooks.js'

/** Package managers of languages. Installing runs what packages bring along. */
export const packageManagers: Family = [
  {
    names: 'pip pip2 pip3 pip3.10 pip3.11 pip3.12',
    flags:
      '-h --help -V --version -v --verbose -q --quiet --isolated --no-input --require-virtualenv --disable-pip-version-check --no-cache-dir --no-color',
    values: {
      '--python --log --proxy --retries --timeout --exists-action --trusted-host --cert --client-cert --cache-dir':
        'text',
    },
    contained: true,
    unlisted: 'ignore',
    subcommands: {
      'list,show,freeze,check,search,index,inspect,hash,help,debug,completion': ASKS,
      config: { values: { '--editor': 'shell' }, unlisted: 'ignore' },
      'install,wheel,download': {
        flags: '-U --upgrade --user --no-deps --pre --break-system-packages -I --force-reinstall --dry-run',
        values: {
          '-r --requirement -c --constraint': 'read',
          '-e --editable': 'code-file',
          '-t --target -d --dest --root --prefix -w --wheel-dir': 'write-tree',
          '-i --index-url --extra-index-url -f --find-links --no-binary --only-binary --platform --python-version --config-settings --progress-bar':
            'text',
        },
        foreign: 'the build of the packages',
        unlisted: 'ignore',
      },
      'uninstall,cache': { values: { '-r --requirement': 'read' }, unlisted: 'ignore' },
      '*': SCRIPTS,
    },
  },
  {
    names: 'uv poetry pipenv pdm rye hatch pixi pipx flit',
    flags: '-h --help -V --version -v --verbose -q --quiet -n --no-interaction --no-ansi --no-cache --offline',
    values: { '--directory --project -C -P': 'cwd', '--config-file --cache-dir --color -p --python -e --env': 'text' },
    unlisted: 'ignore',
    subcommands: {
      'run,exec,x': RUNS,
      tool: { unlisted: 'ignore', subcommands: { run: { ...RUNS, hook: packageProgram }, '*': SCRIPTS } },
      'show,list,version,search,tree,check,help,about,export,cache,config,self,env,python,venv,init,new,inject': PLAIN,
      shell: { foreign: 'an interactive shell' },
      '*': SCRIPTS,
    },
  },
  { names: 'uvx', ...RUNS, hook: packageProgram },
  {
    names: 'conda mamba micromamba',
    flags: '-h --help -V --version',
    unlisted: 'ignore',
    subcommands: { run: RUNS, 'list,info,search,config,env,activate,deactivate,clean,doctor': PLAIN, '*': SCRIPTS },
  },
  { names: 'virtualenv', operands: ['write-tree'], unlisted: 'ignore' },
  {
    names: 'twine keyring pip-compile pip-sync pip-audit safety pipdeptree',
    unlisted: 'ignore',
    foreign: 'Python packages of the project',
  },
  { names: 'easy_install buildout', ...SCRIPTS },
  {
    names: 'gem',
    flags: '-h --help -v --version',
    unlisted: 'ignore',
    subcommands: {
      'list,search,info,environment,env,which,contents,outdated,sources,help,query,specification,dependency': ASKS,
      exec: EXECUTES,
      open: { values: { '-e --editor': 'words' }, foreign: 'the editor of the settings' },
      '*': SCRIPTS,
    },
  },
  {
    names: 'bundle bundler',
    flags: '-h --help -v --version --verbose',
    unlisted: 'ignore',
    subcommands: {
      exec: {
        flags: '--keep-file-descriptors',
        values: { '--gemfile': 'code-file' },
        operands: ['command'],
        foreign: 'a program out of a package',
        unlisted: 'foreign',
      },
      '*': { foreign: 'the Gemfile of the project', unlisted: 'ignore' },
    },
  },
  {
    names: 'composer composer.phar',
    values: { '-d --working-dir': 'cwd' },
    flags: '-h --help -V --version -q --quiet -n --no-interaction --no-plugins --no-scripts',
    unlisted: 'ignore',
    subcommands: {
      'show,info,search,validate,outdated,licenses,diagnose,about,help,list,why,depends': ASKS,
      exec: EXECUTES,
      '*': SCRIPTS,
    },
  },
  { names: 'cpan cpanp', foreign: 'a shell of its own, and scripts of packages', unlisted: 'ignore' },
  {
    names: 'cpanm cpanminus carton luarocks opam cabal stack ghcup rebar3 mix hex shards nimble pub dub',
    flags: '-h --help -v --version',
    unlisted: 'ignore',
    subcommands: {
      'exec,run': { operands: ['command'], foreign: 'a program out of a package', unlisted: 'foreign' },
      '*': SCRIPTS,
    },
  },
  { names: 'pod carthage mint xcodegen tuist', ...SCRIPTS },
  { names: 'conan vcpkg spack', ...SCRIPTS },
  {
    names: 'rustup',
    flags: '-v --verbose -q --quiet -h --help -V --version',
    unlisted: 'ignore',
    subcommands: { run: { flags: '--install', operands: ['text', 'command'], unlisted: 'unknown' }, '*': PLAIN },
  },
  { names: 'rbenv pyenv nodenv goenv jenv asdf', ...CHOOSES, subcommands: { exec: runsAfter(0), '*': SHIMS } },
  {
    names: 'mise rtx dotenv dotenvx doppler infisical teller',
    ...CHOOSES,
    hook: afterDashes,
    subcommands: {
      'exec,run,x': {
        ...runsAfter(0),
        values: { '-C --cd': 'cwd', '-c --command': 'shell', '-f --env-file -e --env -p --project': 'text' },
      },
      '*': SHIMS,
    },
  },
  {
    names: 'envchain',
    flags: '--set -s --list -l --unset --noecho -n --require-passphrase -p --no-require-passphrase -P --show-value -v',
    operands: ['text', 'command'],
    when: { '--set -s --list -l --unset': { operands: [], rest: 'text' } },
    foreign: 'variables it has kept',
  },
  { names: 'direnv chamber aws-vault', ...CHOOSES, subcommands: { exec: runsAfter(1), '*': SHIMS } },
]
