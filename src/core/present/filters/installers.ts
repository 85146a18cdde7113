import { detail, type Filter, progress, proposeBy } from './filter.js'
import { subcommand } from './subcommand.js'

const INSTALLS: Readonly<Record<string, readonly string[]>> = {
  pip: ['install', 'download', 'wheel', 'uninstall'],
  pip3: ['install', 'download', 'wheel', 'uninstall'],
  uv: ['sync', 'add', 'remove', 'lock', 'pip'],
  poetry: ['install', 'add', 'update', 'lock'],
  apt: ['install', 'update', 'upgrade', 'remove', 'full-upgrade', 'autoremove'],
  'apt-get': ['install', 'update', 'upgrade', 'remove', 'dist-upgrade', 'autoremove'],
  apk: ['add', 'update', 'upgrade'],
  brew: ['install', 'upgrade', 'update'],
  bundle: ['install', 'update'],
  composer: ['install', 'update', 'require'],
}

const FETCH = progress('download progress')
const STEP = detail('packages unpacked and set up')

const propose = proposeBy([
  [/^\s*(?:Downloading|Downloaded|Fetching|Collecting|Using cached|Obtaining|Pulling)\s\S/, FETCH],
  [/^\s*(?:Preparing metadata|Getting requirements|Installing build dependencies|Building wheel)/, FETCH],
  [/^\s*Requirement already satisfied: /, detail('packages there already')],
  [/^(?:Using) \S+ \d/, detail('packages there already')],
  [/^(?:Get|Hit|Ign):\d+ \S/, FETCH],
  [/^Reading (?:package lists|state information|database)|^Building dependency tree/, FETCH],
  [/^\(Reading database \.\.\./, FETCH],
  [
    /^(?:Selecting previously unselected package|Preparing to unpack|Unpacking|Setting up|Processing triggers for) /,
    STEP,
  ],
  [/^\(\d+\/\d+\) (?:Installing|Upgrading|Purging) /, STEP],
])

/** Package managers other than those of JavaScript. */
export const installers: Filter = {
  name: 'installer',
  matches: (argv) => {
    const [program = '', ...args] = /^python[\d.]*$/.test(argv[0] ?? '') && argv[1] === '-m' ? argv.slice(2) : argv
    return INSTALLS[program]?.includes(subcommand(args)) ?? false
  },
  propose: (lines) => lines.map(propose),
  recognises: (lines) =>
    lines.some((line) =>
      /^(?:Successfully installed |Requirement already satisfied: |\d+ upgraded, |OK: \d+ MiB|Bundle complete|Resolved \d+ packages|Audited \d+ packages|Installed \d+ packages)/.test(
        line,
      ),
    ),
}
