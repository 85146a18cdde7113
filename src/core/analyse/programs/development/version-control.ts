import { after, cut } from '../grammar/effect-builders.js'
import type { Call, Effect, Family } from '../grammar/roles.js'

const HG_RUNS =
  /^(?:hooks\..*|ui\.(?:editor|ssh|merge|remotecmd)|pager\.pager|extdiff\.cmd\..*|merge-tools\..*\.executable|diff-tools\..*)$/

/** `hg --config section.key=value`: aliases with `!`, hooks, editors, and Python extensions. */
function mercurialSettings({ options }: Call): readonly Effect[] {
  return options.flatMap(({ name, value }): readonly Effect[] => {
    const pair = name === '--config' && value ? cut(value, '=') : null
    if (!value || !pair) return []
    const [key, setting] = pair
    const command = /^alias\./.test(key) ? after(setting, '!') : HG_RUNS.test(key) ? setting : null
    if (command && !command.prefix.startsWith('python:')) return [{ does: 'shell', text: command, via: `hg ${key}` }]
    return [{ does: 'foreign', reason: `hg runs the command in ${key}`, at: value.span }]
  })
}

/** Other version control systems, with their options that run something. */
export const versionControl: Family = [
  {
    names: 'hg chg',
    values: {
      '--config -R --repository --cwd': 'text',
      '-e --ssh': 'words',
      '--remotecmd -c --command -p --program': 'shell',
      '-t --tool': 'program',
    },
    effects: mercurialSettings,
    unlisted: 'ignore',
  },
  {
    names: 'svn bzr brz',
    values: {
      '--config-option': 'code',
      '--config-dir': 'code-file',
      '--editor-cmd --rsh': 'shell',
      '--diff-cmd --diff3-cmd': 'program',
    },
    unlisted: 'ignore',
  },
  {
    names: 'jj',
    values: { '--config --config-toml': 'code', '--config-file': 'code-file', '--tool --editor': 'program' },
    unlisted: 'ignore',
    subcommands: {
      util: { subcommands: { exec: { operands: ['command'] }, '*': { unlisted: 'ignore' } } },
      '*': { values: { '--tool --editor': 'program' }, unlisted: 'ignore' },
    },
  },
  {
    names: 'repo gclient git-upload-pack git-receive-pack git-upload-archive git-shell',
    values: { '-c --command': 'shell' },
    foreign: 'scripts and hooks of the repositories',
    unlisted: 'ignore',
  },
]
