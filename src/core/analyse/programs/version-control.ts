import { after, cut } from './arg-parts.js'
import type { Call, Effect, Family } from './knowledge.js'

/** `hg --config section.key=value`: aliases with `!`, hooks, editors, and extensions, which are Python files. */
function mercurialSettings({ options }: Call): readonly Effect[] {
  return options.flatMap(({ name, value }): readonly Effect[] => {
    const pair = /^--config$/.test(name) && value ? cut(value, '=') : null
    if (!value || !pair) return []
    const [key, setting] = pair
    const command = after(setting, '!')
    if (/^alias\./.test(key)) return command ? [{ does: 'shell', text: command, via: 'hg alias' }] : []
    if (/^hooks\./.test(key) && !setting.head.startsWith('python:'))
      return [{ does: 'shell', text: setting, via: 'hg hook' }]
    if (
      /^(?:ui\.(?:editor|ssh|merge|remotecmd)|pager\.pager|extdiff\.cmd\..*|merge-tools\..*\.executable|diff-tools\..*)$/.test(
        key,
      )
    )
      return [{ does: 'shell', text: setting, via: `hg ${key}` }]
    if (/^(?:extensions|hooks|paths|auth|schemes)\./.test(key))
      return [{ does: 'foreign', reason: `hg loads code by ${key}`, at: value.span }]
    return []
  })
}

/** The other version control systems. */
export const versionControl: Family = [
  {
    names: 'hg chg',
    flags:
      '-y --noninteractive -q --quiet -v --verbose --debug --debugger --traceback --time --profile --version -h --help --hidden',
    values: { '-R --repository': 'cwd', '--cwd': 'cwd', '--config --encoding --encodingmode --color --pager': 'text' },
    hook: mercurialSettings,
    unlisted: 'foreign',
    subcommands: {
      clone: {
        values: { '-e --ssh': 'words', '--remotecmd': 'shell', '-r --rev -b --branch -u --updaterev': 'text' },
        operands: ['remote', 'write-tree'],
        unlisted: 'ignore',
      },
      'pull,push,incoming,in,outgoing,out,identify,id': {
        values: {
          '-e --ssh': 'words',
          '--remotecmd': 'shell',
          '-r --rev -b --branch -u --updaterev -B --bookmark': 'text',
        },
        rest: 'remote',
        unlisted: 'ignore',
      },
      bisect: {
        flags: '-r --reset -g --good -b --bad -s --skip -e --extend -U --noupdate',
        values: { '-c --command': 'shell' },
      },
      'extdiff,fold,histedit,merge,resolve,debugshell': {
        values: { '-p --program': 'shell', '-t --tool': 'program' },
        foreign: 'a tool of the settings',
        unlisted: 'ignore',
      },
      '*': { values: { '--config': 'text' }, unlisted: 'ignore', hook: mercurialSettings },
    },
  },
  {
    names: 'svn',
    values: {
      '--config-option': 'code',
      '--config-dir': 'code-file',
      '--editor-cmd': 'shell',
      '--username --password': 'text',
    },
    subcommands: {
      'checkout,co,export,import,cat,list,ls,info,log,switch,relocate,mkdir,copy,cp': {
        rest: 'remote',
        unlisted: 'ignore',
      },
      'diff,di,merge,update,up,blame,annotate,praise': {
        values: {
          '--diff-cmd --diff3-cmd': 'program',
          '--editor-cmd': 'shell',
          '--config-option': 'code',
          '--config-dir': 'code-file',
          '-r -x -c --old --new': 'text',
        },
        unlisted: 'ignore',
      },
      'delete,del,remove,rm': { rest: 'delete-tree', unlisted: 'ignore' },
      '*': {
        values: {
          '--editor-cmd': 'shell',
          '--config-option': 'code',
          '--config-dir': 'code-file',
          '-F --file': 'read',
          '-m --message': 'text',
        },
        unlisted: 'ignore',
      },
    },
  },
  {
    names: 'jj',
    values: {
      '--config': 'code',
      '--config-file': 'code-file',
      '--config-toml': 'code',
      '-R --repository': 'cwd',
      '--at-operation --at-op --color': 'text',
    },
    unlisted: 'ignore',
    subcommands: {
      util: { unlisted: 'ignore', subcommands: { exec: { operands: ['command'] }, '*': { unlisted: 'ignore' } } },
      'fix,diffedit,split,squash,commit,ci,describe,desc,resolve,git': {
        values: { '--tool --editor': 'program', '-m --message -r --revision -f --from -t --to': 'text' },
        foreign: 'tools of the settings',
        unlisted: 'ignore',
      },
      '*': { values: { '--tool': 'program', '-r --revisions -T --template -n --limit': 'text' }, unlisted: 'ignore' },
    },
  },
  { names: 'svnadmin svnlook svnserve svnsync cvs rcs ci co darcs pijul', unlisted: 'ignore' },
  { names: 'fossil', unlisted: 'ignore', foreign: 'hooks and commands of its settings' },
  { names: 'bzr brz', values: { '--rsh': 'shell' }, unlisted: 'ignore' },
  { names: 'p4', unlisted: 'ignore', foreign: 'editors and triggers of its settings' },
  { names: 'gitk tig lazygit gitui git-gui magit', foreign: 'commands its keys are bound to', unlisted: 'ignore' },
  {
    names: 'git-lfs git-annex git-flow git-crypt git-secret git-filter-repo git-cliff gitleaks trufflehog',
    unlisted: 'ignore',
    foreign: 'an extension of git',
  },
  {
    names: 'git-upload-pack git-receive-pack git-upload-archive git-shell',
    values: { '-c': 'shell' },
    rest: 'read-tree',
    unlisted: 'ignore',
  },
  { names: 'pre-commit husky lefthook lint-staged commitlint', foreign: 'hooks of the project', unlisted: 'ignore' },
  {
    names: 'repo gclient',
    foreign: 'scripts and hooks of the repositories',
    subcommands: {
      forall: { values: { '-c --command': 'shell', '-r -i -g': 'text' } },
      '*': { unlisted: 'ignore' },
    },
  },
]
