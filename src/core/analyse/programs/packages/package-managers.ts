import type { Family } from '../grammar/roles.js'
import { packageProgram } from './package-bins.js'
import { afterDashes } from './package-effects.js'
import { ASKS, CHOOSES, EXECUTES, PLAIN, RUNS, runsAfter, SCRIPTS, SHIMS } from './package-grammars.js'

/** Package managers of languages. Installing runs code of packages. */
export const packageManagers: Family = [
  {
    names: 'pip pip2 pip3 pip3.10 pip3.11 pip3.12',
    writesOnlyNamedPaths: true,
    subcommands: {
      'list,show,freeze,check,search,index,inspect,hash,help,debug,completion': ASKS,
      'uninstall,cache': PLAIN,
      '*': { values: { '--editor': 'shell', '-t --target': 'write-tree' }, ...SCRIPTS },
    },
  },
  {
    names: 'uv poetry pipenv pdm rye hatch pixi pipx flit',
    values: { '--directory --project -C -P': 'cwd', '--config-file --cache-dir --color -p --python -e --env': 'text' },
    subcommands: {
      'run,exec,x': RUNS,
      tool: { subcommands: { run: { ...RUNS, effects: packageProgram }, '*': SCRIPTS } },
      'show,list,version,search,tree,check,help,about,export,cache,config,self,env,python,venv,init,new,inject': PLAIN,
      '*': SCRIPTS,
    },
  },
  { names: 'uvx', ...RUNS, effects: packageProgram },
  {
    names: 'conda mamba micromamba',
    subcommands: { run: RUNS, 'list,info,search,config,env,activate,deactivate,clean,doctor': PLAIN, '*': SCRIPTS },
  },
  {
    names: 'gem composer composer.phar',
    values: { '-d --working-dir': 'cwd' },
    subcommands: {
      'list,search,info,environment,env,which,contents,outdated,sources,help,query,specification,dependency,show,validate,licenses,diagnose,about,why,depends':
        ASKS,
      exec: EXECUTES,
      '*': { values: { '-e --editor': 'words' }, ...SCRIPTS },
    },
  },
  {
    names: 'bundle bundler cpanm cpanminus carton luarocks opam cabal stack ghcup rebar3 mix hex shards nimble pub dub',
    subcommands: {
      'exec,run': {
        flags: '--keep-file-descriptors',
        values: { '--gemfile': 'code-file' },
        operands: ['command'],
        foreign: 'a program from a package',
        unlisted: 'foreign',
      },
      '*': SCRIPTS,
    },
  },
  {
    names: 'rustup',
    subcommands: { run: { flags: '--install', operands: ['text', 'command'], unlisted: 'unknown' }, '*': PLAIN },
  },
  { names: 'rbenv pyenv nodenv goenv jenv asdf', ...CHOOSES, subcommands: { exec: runsAfter(0), '*': SHIMS } },
  {
    names: 'mise rtx doppler infisical teller',
    ...CHOOSES,
    effects: afterDashes,
    subcommands: {
      'exec,run,x': {
        ...runsAfter(0),
        values: { '-C --cd': 'cwd', '-c --command': 'shell', '-f --env-file -e --env -p --project': 'text' },
      },
      '*': SHIMS,
    },
  },
  {
    names: 'dotenv dotenvx dotenv-cli',
    values: { '-f --file -e --env-file': 'read', '-c --command': 'shell', '-v -p -q --quote': 'text' },
    unlisted: 'ignore',
    effects: afterDashes,
    subcommands: {
      'exec,run': { ...runsAfter(0), values: { '-f --file -e --env-file': 'read' } },
      '*': { values: { '-f --file -e --env-file': 'read' }, ...SHIMS },
    },
  },
  { names: 'envchain', operands: ['text', 'command'], unlisted: 'ignore', foreign: 'variables that it stored' },
  { names: 'direnv chamber aws-vault', ...CHOOSES, subcommands: { exec: runsAfter(1), '*': SHIMS } },
]
