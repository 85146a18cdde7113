import { language } from './interpreter-hooks.js'
import type { Family, Grammar } from './knowledge.js'
import { commandAfter, npmSettings } from './package-hooks.js'

const SCRIPTS: Grammar = { foreign: 'scripts of packages', unknown: 'ignore' }
const PLAIN: Grammar = { unknown: 'ignore' }
const ASKS: Grammar = { unknown: 'ignore', contained: true }
/** `npm exec`, `pnpm dlx`: a package's own program, or any other on the path. */
const EXECUTES: Grammar = {
  flags:
    '-y --yes -n --no --no-install --prefer-offline --offline -q --quiet -s --silent -h --help -v --version --ignore-existing --include-workspace-root --workspaces -r --recursive --parallel --no-bail --workspace-root --bun -b --verbose',
  values: {
    '-p --package -w --workspace -C --dir --filter -F --cache --userconfig --registry --loglevel --prefix --cwd':
      'text',
    '-c --call': 'shell',
    '--shell --script-shell': 'program',
  },
  operands: ['command'],
  foreign: 'a program out of a package',
  unknown: 'foreign',
}
/** `uv run`, `poetry run`: the rest is a command line. */
const RUNS: Grammar = {
  flags:
    '-q --quiet -v --verbose -n --no-interaction --no-cache --no-sync --frozen --locked --isolated --all-extras --no-dev --dev --no-project --offline --refresh -s --system --no-capture-output --live-stream -h --help --no-plugins --no-ansi --no-build --all-groups --exact --no-editable --upgrade',
  values: {
    '-p --python -e --env --spec --with --with-editable --extra --group --only-group -n --name --from --package --project --prefix --index -C --directory --index-url --toolchain':
      'text',
    '--with-requirements --env-file': 'read',
  },
  operands: ['command'],
  foreign: 'a program out of a package',
  unknown: 'foreign',
}

const CHOOSES: Grammar = {
  flags: '-h --help -v --version -q --quiet',
  values: { '-f --file': 'read', '-C --cd': 'cwd' },
  unknown: 'ignore',
}
const SHIMS: Grammar = { foreign: 'shims and settings of the project', unknown: 'ignore' }
/** The command after `--`, or after `skipped` words of another kind. */
const runsAfter = (skipped: number): Grammar => ({
  permute: false,
  foreign: 'a version or an environment it chooses',
  unknown: 'ignore',
  hook: (call) => commandAfter(call, skipped),
})

/** Package managers of languages. Installing runs what packages bring along. */
export const packageManagers: Family = [
  {
    names: 'npm cnpm',
    flags:
      '-g --global -s --silent -q --quiet -d -v --version -h --help -D --save-dev -S -E --workspaces --if-present --ignore-scripts --no-audit --no-fund --legacy-peer-deps --force -f --verbose',
    values: {
      '--prefix -C': 'cwd',
      '--script-shell --shell': 'program',
      '--node-options': 'code',
      '-w --workspace --loglevel --registry --cache --userconfig --tag --omit --include --otp': 'text',
    },
    contained: true,
    unknown: 'ignore',
    subcommands: {
      'ls,list,la,ll,view,info,show,v,outdated,search,find,s,se,whoami,ping,help,help-search,root,prefix,bin,fund,docs,home,repo,bugs,issues,explain,why,query,token,owner,team,profile,stars,doctor,sbom,completion':
        ASKS,
      'config,c,get,set,pkg': { unknown: 'ignore', values: { '--script-shell': 'program' }, hook: npmSettings },
      'exec,x': EXECUTES,
      explore: runsAfter(1),
      'login,logout,adduser,cache,dist-tag,access,deprecate,unpublish,star,unstar,org,hook': PLAIN,
      '*': SCRIPTS,
    },
  },
  { names: 'npx bunx pnpx pnx', ...EXECUTES },
  {
    names: 'pnpm',
    flags:
      '-r --recursive -w --workspace-root -s --silent -v --version -h --help --parallel --stream --aggregate-output --if-present --frozen-lockfile --ignore-scripts -D -P -g --global',
    values: {
      '-C --dir': 'cwd',
      '--filter -F --filter-prod --loglevel --workspace-concurrency --reporter': 'text',
      '--script-shell --shell': 'program',
    },
    contained: true,
    unknown: 'ignore',
    subcommands: {
      'ls,list,la,ll,why,outdated,audit,licenses,root,bin,help,search,view,info': ASKS,
      'exec,dlx': {
        ...EXECUTES,
        flags: `${EXECUTES.flags} -c --shell-mode`,
        values: { '-C --dir': 'cwd', '--package --filter -F': 'text' },
      },
      'config,store,login,logout': { unknown: 'ignore' },
      '*': SCRIPTS,
    },
  },
  {
    names: 'yarn yarnpkg',
    flags: '-s --silent -v --version -h --help --frozen-lockfile --ignore-scripts --offline --verbose',
    values: {
      '--cwd': 'cwd',
      '--use-yarnrc': 'read',
      '--script-shell': 'program',
      '--registry --cache-folder --modules-folder': 'text',
    },
    unknown: 'ignore',
    hook: (call) => (call.operands.length === 0 ? language('scripts of packages')(call) : []),
    subcommands: {
      'list,why,info,outdated,audit,licenses,help,versions,owner,bin': ASKS,
      'exec,dlx': EXECUTES,
      'config,cache,login,logout': { unknown: 'ignore', hook: npmSettings },
      '*': SCRIPTS,
    },
  },
  {
    names: 'bun',
    flags: '-v --version -h --help --bun -b --hot --watch --silent --smol -i --revision',
    values: {
      '--cwd': 'cwd',
      '-e --eval -p --print': 'code',
      '-r --preload --env-file': 'code-file',
      '-c --config --filter': 'text',
    },
    unknown: 'ignore',
    subcommands: {
      x: EXECUTES,
      'pm,outdated,help,upgrade,completions': ASKS,
      '*': { foreign: 'a JavaScript program or scripts of packages', unknown: 'ignore' },
    },
  },
  {
    names: 'corepack nvm n fnm volta',
    flags: '-h --help -v --version',
    subcommands: {
      'exec,run': {
        flags: '--silent --install-if-missing',
        values: { '--using --node --npm --yarn': 'text' },
        operands: ['command'],
        foreign: 'a version of a program it chooses',
        unknown: 'foreign',
      },
      '*': PLAIN,
    },
    unknown: 'ignore',
  },
  {
    names: 'npm-check-updates ncu npm-check depcheck license-checker bundlephobia madge',
    foreign: 'files of the project, which it loads',
    unknown: 'ignore',
  },
  {
    names: 'lerna nx turbo rush changeset release-it semantic-release np moon wireit',
    flags: '--help --version',
    values: { '--scope --filter --since': 'text' },
    foreign: 'scripts of the project',
    unknown: 'ignore',
    subcommands: {
      exec: { operands: ['command'], foreign: 'scripts of the project', unknown: 'foreign' },
      '*': { foreign: 'scripts of the project', unknown: 'ignore' },
    },
  },
  {
    names: 'pip pip2 pip3 pip3.10 pip3.11 pip3.12',
    flags:
      '-h --help -V --version -v --verbose -q --quiet --isolated --no-input --require-virtualenv --disable-pip-version-check --no-cache-dir --no-color',
    values: {
      '--python --log --proxy --retries --timeout --exists-action --trusted-host --cert --client-cert --cache-dir':
        'text',
    },
    contained: true,
    unknown: 'ignore',
    subcommands: {
      'list,show,freeze,check,search,index,inspect,hash,help,debug,completion': ASKS,
      config: { values: { '--editor': 'shell' }, unknown: 'ignore' },
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
        unknown: 'ignore',
      },
      'uninstall,cache': { values: { '-r --requirement': 'read' }, unknown: 'ignore' },
      '*': SCRIPTS,
    },
  },
  {
    names: 'uv poetry pipenv pdm rye hatch pixi pipx flit',
    flags: '-h --help -V --version -v --verbose -q --quiet -n --no-interaction --no-ansi --no-cache --offline',
    values: { '--directory --project -C -P': 'cwd', '--config-file --cache-dir --color -p --python -e --env': 'text' },
    unknown: 'ignore',
    subcommands: {
      'run,exec,x': RUNS,
      tool: { unknown: 'ignore', subcommands: { run: RUNS, '*': SCRIPTS } },
      'show,list,version,search,tree,check,help,about,export,cache,config,self,env,python,venv,init,new,inject': PLAIN,
      shell: { foreign: 'an interactive shell' },
      '*': SCRIPTS,
    },
  },
  { names: 'uvx', ...RUNS },
  {
    names: 'conda mamba micromamba',
    flags: '-h --help -V --version',
    unknown: 'ignore',
    subcommands: { run: RUNS, 'list,info,search,config,env,activate,deactivate,clean,doctor': PLAIN, '*': SCRIPTS },
  },
  { names: 'virtualenv', operands: ['write-tree'], unknown: 'ignore' },
  {
    names: 'twine keyring pip-compile pip-sync pip-audit safety pipdeptree',
    unknown: 'ignore',
    foreign: 'Python packages of the project',
  },
  { names: 'easy_install buildout', ...SCRIPTS },
  {
    names: 'gem',
    flags: '-h --help -v --version',
    unknown: 'ignore',
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
    unknown: 'ignore',
    subcommands: {
      exec: {
        flags: '--keep-file-descriptors',
        values: { '--gemfile': 'code-file' },
        operands: ['command'],
        foreign: 'a program out of a package',
        unknown: 'foreign',
      },
      '*': { foreign: 'the Gemfile of the project', unknown: 'ignore' },
    },
  },
  {
    names: 'composer composer.phar',
    values: { '-d --working-dir': 'cwd' },
    flags: '-h --help -V --version -q --quiet -n --no-interaction --no-plugins --no-scripts',
    unknown: 'ignore',
    subcommands: {
      'show,info,search,validate,outdated,licenses,diagnose,about,help,list,why,depends': ASKS,
      exec: EXECUTES,
      '*': SCRIPTS,
    },
  },
  {
    names: 'cpan cpanm cpanminus carton luarocks opam cabal stack ghcup rebar3 mix hex shards nimble pub dub',
    flags: '-h --help -v --version',
    unknown: 'ignore',
    subcommands: {
      'exec,run': { operands: ['command'], foreign: 'a program out of a package', unknown: 'foreign' },
      '*': SCRIPTS,
    },
  },
  { names: 'pod carthage mint xcodegen tuist', ...SCRIPTS },
  { names: 'conan vcpkg spack', ...SCRIPTS },
  {
    names: 'rustup',
    flags: '-v --verbose -q --quiet -h --help -V --version',
    unknown: 'ignore',
    subcommands: { run: { flags: '--install', operands: ['text', 'command'], unknown: 'hidden' }, '*': PLAIN },
  },
  { names: 'rbenv pyenv nodenv goenv jenv asdf', ...CHOOSES, subcommands: { exec: runsAfter(0), '*': SHIMS } },
  {
    names: 'mise rtx dotenv dotenvx doppler infisical teller',
    ...CHOOSES,
    subcommands: {
      'exec,run,x': {
        ...runsAfter(0),
        values: { '-C --cd': 'cwd', '-c --command': 'shell', '-f --env-file -e --env -p --project': 'text' },
      },
      '*': SHIMS,
    },
  },
  { names: 'direnv chamber envchain aws-vault', ...CHOOSES, subcommands: { exec: runsAfter(1), '*': SHIMS } },
]
