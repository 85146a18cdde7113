import { baseName } from '../../../model/basics/path.js'
import { joined, known } from '../grammar/arguments.js'
import { language } from '../grammar/foreign-code.js'
import type { Call, Effect, Family } from '../grammar/roles.js'
import { bareProgram, packageProgram } from './package-bins.js'
import { npmSettings } from './package-effects.js'
import { ASKS, EXECUTES, PLAIN, runsAfter, SCRIPTS } from './package-grammars.js'

/** `pnpm -c exec 'COMMAND'`: with the option before it, the words are shell text. */
const shellMode = ({ argv, operands }: Call): readonly Effect[] =>
  operands.length > 0 && argv.some((arg) => /^(?:-c|--shell-mode)$/.test(arg.text ?? ''))
    ? [{ does: 'shell', text: joined(operands, argv[0]?.span ?? [0, 0]), via: 'pnpm exec -c' }]
    : []

/** `corepack pnpm publish`, `nvm exec 20 npm publish`: runs a selected version of the package manager. */
function chosenManager({ operands, program }: Call): readonly Effect[] {
  const skipped =
    /^(?:exec|run)$/.test(operands[0]?.text ?? '') && /^(?:v?\d|lts|node)/.test(operands[1]?.text ?? '') ? 2 : 0
  const argv = operands.slice(skipped)
  const isManager = /^(?:npm|npx|pnpm|pnpx|yarn)(?:@|$)/.test(argv[0]?.text ?? '')
  const [first, ...rest] = argv
  if (!first || !(isManager || skipped > 0)) return []
  const name = first.text?.replace(/@.*$/, '') ?? null
  const manager = name !== null && isManager ? known(name, first.span) : first
  return [{ does: 'run', argv: [manager, ...rest], via: baseName(program) }]
}

/** Package managers and task runners of JavaScript. */
export const nodePackages: Family = [
  {
    names: 'npm cnpm',
    values: {
      '--prefix -C': 'cwd',
      '--script-shell --shell': 'program',
      '--node-options': 'code',
      '-w --workspace --loglevel --registry --cache --userconfig --tag --omit --include --otp': 'text',
    },
    writesOnlyNamedPaths: true,
    unlisted: 'ignore',
    subcommands: {
      'ls,list,la,ll,view,info,show,v,outdated,search,find,s,se,whoami,ping,help,help-search,root,prefix,bin,fund,docs,home,repo,bugs,issues,explain,why,query,token,owner,team,profile,stars,doctor,sbom,completion':
        ASKS,
      'config,c,get,set,pkg': { unlisted: 'ignore', values: { '--script-shell': 'program' }, effects: npmSettings },
      'exec,x': EXECUTES,
      explore: runsAfter(1),
      'login,logout,adduser,cache,dist-tag,access,deprecate,unpublish,star,unstar,org,hook': PLAIN,
      '*': SCRIPTS,
    },
  },
  { names: 'npx bunx pnpx pnx', ...EXECUTES },
  {
    names: 'pnpm',
    values: {
      '-C --dir': 'cwd',
      '--filter -F --filter-prod --loglevel --workspace-concurrency --reporter': 'text',
      '--script-shell --shell': 'program',
    },
    writesOnlyNamedPaths: true,
    unlisted: 'ignore',
    effects: bareProgram,
    subcommands: {
      'ls,list,la,ll,why,outdated,audit,licenses,root,bin,help,search,view,info': ASKS,
      'exec,dlx': {
        ...EXECUTES,
        flags: `${EXECUTES.flags} -c --shell-mode`,
        values: { '-C --dir': 'cwd', '--package --filter -F': 'text' },
        effects: (call) => [...packageProgram(call), ...shellMode(call)],
      },
      'config,c,get,set': { effects: npmSettings },
      'store,login,logout': { unlisted: 'ignore' },
      '*': SCRIPTS,
    },
  },
  {
    names: 'yarn yarnpkg',
    values: {
      '--cwd': 'cwd',
      '--use-yarnrc': 'read',
      '--script-shell': 'program',
      '--registry --cache-folder --modules-folder': 'text',
    },
    unlisted: 'ignore',
    effects: (call) => (call.operands.length === 0 ? language('scripts of packages')(call) : bareProgram(call)),
    subcommands: {
      'list,why,info,outdated,audit,licenses,help,versions,owner,bin': ASKS,
      'exec,dlx': EXECUTES,
      'config,cache,login,logout': { effects: npmSettings },
      '*': SCRIPTS,
    },
  },
  {
    names: 'bun',
    values: {
      '--cwd': 'cwd',
      '-e --eval -p --print': 'code',
      '-r --preload --env-file': 'code-file',
      '-c --config --filter': 'text',
    },
    unlisted: 'ignore',
    effects: bareProgram,
    subcommands: {
      x: EXECUTES,
      exec: { operands: ['shell-rest'] },
      'pm,outdated,help,upgrade,completions': ASKS,
      '*': { foreign: 'a JavaScript program or scripts of packages' },
    },
  },
  {
    names: 'corepack nvm n fnm volta',
    flags: '-h --help -v --version',
    effects: chosenManager,
    subcommands: {
      'exec,run': {
        flags: '--silent --install-if-missing',
        values: { '--using --node --npm --yarn': 'text' },
        operands: ['command'],
        foreign: 'a program version that it selects',
        unlisted: 'foreign',
      },
      '*': PLAIN,
    },
  },
  {
    names: 'npm-check-updates ncu npm-check depcheck license-checker bundlephobia madge',
    foreign: 'files of the project that it loads',
  },
  {
    names: 'lerna nx turbo rush changeset release-it semantic-release np moon wireit',
    values: { '--scope --filter --since': 'text' },
    foreign: 'scripts of the project',
    subcommands: {
      exec: { operands: ['command'], foreign: 'scripts of the project', unlisted: 'foreign' },
      '*': { foreign: 'scripts of the project' },
    },
  },
]
