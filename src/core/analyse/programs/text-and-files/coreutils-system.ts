import { known } from '../grammar/arguments.js'
import { reads } from '../grammar/effect-builders.js'
import type { Family, Grammar } from '../grammar/roles.js'

const LOOKS: Grammar = { rest: 'read', writesOnlyNamedPaths: true }
const ASKS: Grammar = { writesOnlyNamedPaths: true }

/** coreutils and similar programs that print facts about files, users and the system. */
export const coreutilsSystem: Family = [
  {
    names: 'ls gls dir vdir',
    ...LOOKS,
    flags: '--dereference',
    values: {
      '--block-size --format --hide --indicator-style -I --ignore --quoting-style --sort --time --time-style -T --tabsize -w --width':
        'text',
    },
    optional: { '--color --classify --hyperlink': 'text' },
  },
  {
    names: 'eza exa lsd tree',
    ...LOOKS,
    values: {
      '-L --level -I --ignore-glob -P -s --sort --depth -H -T --charset --filelimit --timefmt': 'text',
      '-o': 'write',
      '--fromfile --infofile --gitfile': 'read',
    },
  },
  {
    names: 'du gdu',
    ...LOOKS,
    values: {
      '-B --block-size -d --max-depth --exclude -t --threshold --time-style': 'text',
      '--files0-from -X --exclude-from': 'read',
    },
    optional: { '--time': 'text' },
  },
  {
    names:
      'df dust duf ncdu lsblk blkid findmnt lsusb lspci lscpu lsmem lshw lsmod dmidecode sensors free vmstat iostat mpstat sar',
    ...ASKS,
  },
  { names: 'stat gstat', ...LOOKS, values: { '-c --format --printf': 'text' }, optional: { '--cached': 'text' } },
  {
    names: 'file',
    ...LOOKS,
    values: { '-m --magic-file -f --files-from': 'read', '-F --separator -e --exclude -P --parameter': 'text' },
  },
  {
    names: 'readlink realpath greadlink grealpath pathchk namei',
    ...LOOKS,
    values: { '--relative-to --relative-base': 'text' },
  },
  {
    names:
      'pwd whoami id groups logname who w users last lastb lastlog tty uname hostid uptime getconf locale finger pinky cal ncal gcal tput clear reset lsof lslocks lsns ipcs whatis apropos whereis fastfetch figlet toilet fortune lolcat cmatrix sl banner',
    ...ASKS,
  },
  {
    names: 'getent',
    writesOnlyNamedPaths: true,
    effects: ({ operands: [database] }) =>
      /^g?shadow$/.test(database?.text ?? '') && database ? [reads(known(`/etc/${database.text}`, database.span))] : [],
  },
  {
    names: 'date gdate',
    values: { '-d --date -v --rfc-3339': 'text', '-f --file -r --reference': 'read', '-s --set': 'text' },
    optional: { '-I --iso-8601': 'text' },
    writesOnlyNamedPaths: true,
  },
  { names: 'hostname dnsdomainname domainname ypdomainname nisdomainname', values: { '-F --file': 'read' } },
  { names: 'hostnamectl timedatectl localectl loginctl bootctl coredumpctl' },
  { names: 'sleep usleep', ...ASKS },
  { names: 'printenv', ...ASKS },
  { names: 'stty', ...ASKS, values: { '-F --file': 'update' } },
  { names: 'which', ...ASKS },
  { names: 'ps pgrep pidof pstree pmap pwdx smem top htop btop atop iotop nvtop glances bpytop nmon', ...ASKS },
  { names: 'kill pkill killall skill snice renice', writesOnlyNamedPaths: true },
]
