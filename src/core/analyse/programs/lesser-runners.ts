import { after, foreign, runsShell } from './arg-parts.js'
import { known } from './arguments.js'
import type { Call, Effect, Family, Grammar } from './knowledge.js'
import { commandAfter } from './package-hooks.js'

/** `xdotool … exec [--sync] COMMAND`. */
function xdotoolExec({ argv }: Call): readonly Effect[] {
  const at = argv.findIndex((arg) => arg.text === 'exec')
  const rest = at < 0 ? [] : argv.slice(at + 1)
  const from = rest.findIndex(
    (arg, i) =>
      !/^--(?:args|terminator|sync)/.test(arg.head) && !/^--(?:args|terminator)$/.test(rest[i - 1]?.head ?? ''),
  )
  return from < 0 ? [] : [{ does: 'run', argv: rest.slice(from), via: 'xdotool exec' }]
}

/** `service ../../tmp/x` runs a file that is no service. */
function servicePath({ operands }: Call): readonly Effect[] {
  const [name, ...rest] = operands
  if (!name?.text?.includes('/')) return []
  return [{ does: 'run', argv: [known(`/etc/init.d/${name.text}`, name.span), ...rest], via: 'service' }]
}

/** `busctl --address=unixexec:path=PROGRAM,argv1=…`. */
function busAddress({ argv }: Call): readonly Effect[] {
  return argv.flatMap((arg) => {
    const address = after(arg, '--address=')
    const path = /unixexec:path=([^,]*)/.exec(address?.head ?? '')
    return address && path
      ? [{ does: 'run', argv: [known(path[1] ?? '', arg.span)], via: 'busctl', more: true } as const]
      : []
  })
}

/** `rtorrent -o execute=…`, `tdbtool … ! command`: commands of a program that can leave it. */
function leaving({ argv }: Call): readonly Effect[] {
  return argv.slice(1).flatMap((arg) => {
    const command = after(arg, '!') ?? after(arg, 'shell ')
    return command ? [runsShell(command, 'an escape to the shell')] : []
  })
}

const WRAPS: Grammar = { operands: ['command'], unlisted: 'foreign' }
const READS: Grammar = { rest: 'read', unlisted: 'ignore' }
const afterDashesOnly = (call: Call): readonly Effect[] =>
  call.argv.some((arg) => arg.text === '--') ? commandAfter(call, 0) : [foreign('a program in another place')]

/** Programs less often met that run others: known ways out of restricted shells among them. */
export const lesserRunners: Family = [
  {
    names:
      'aoss daemonize trickle systemd-cat systemd-socket-activate dbus-launch tsp nq fq gtester sandbox-exec timelimit runlim retry',
    flags: '-b -v -q -f -a -e -c -h -V -k -l --help --version -n -L',
    values: { '-p -o -E -u -t -T -s -w -d -i --identifier --priority': 'text' },
    ...WRAPS,
  },
  {
    names: 'choom multitime pexec grc kcov caffeinate arch',
    flags: '-q -v -h -V -l -d -i -m -s -u --pty',
    values: { '-n -p -c -I -r -t -w --count': 'text' },
    operands: ['command'],
    unlisted: 'ignore',
  },
  { names: 'logsave', flags: '-a -s -v', operands: ['write', 'command'] },
  { names: 'openvt', flags: '-e -f -l -s -u -v -w', values: { '-c --console': 'text' }, operands: ['command'] },
  { names: 'cgexec', flags: '--sticky', values: { '-g': 'text' }, operands: ['command'] },
  {
    names: 'mpirun mpiexec orterun prun',
    flags:
      '-v --version -q -h --help --oversubscribe --allow-run-as-root --use-hwthread-cpus --bind-to-core --report-bindings -V',
    values: {
      '-n -np -c --np -x --map-by --bind-to --rank-by -npernode -N -mca --mca': 'text',
      '-H --host': 'text',
      '-hostfile --hostfile -machinefile --machinefile': 'read',
      '-wdir --wdir -wd': 'cwd',
    },
    singleDash: true,
    operands: ['command'],
    unlisted: 'foreign',
  },
  {
    names: 'srun salloc',
    permute: false,
    flags: '-l -u -v -Q -O -I -K --pty --exclusive --help --version',
    values: {
      '-J -N -n -c -t -p -o -e -q -A -w -x -C -G -m -L --job-name --nodes --ntasks --time --partition --mem --output --error --gres --cpus-per-task --account --qos --constraint --gpus':
        'text',
      '--prolog --epilog --task-prolog --task-epilog --bcast': 'program',
      '-D --chdir': 'cwd',
    },
    operands: ['command'],
    unlisted: 'foreign',
    foreign: 'a job on a cluster',
  },
  {
    names: 'bear intercept-build scan-build',
    flags: '-v --verbose -V -k --append -h --help',
    values: {
      '-o --output --cdb --config': 'write',
      '-enable-checker -disable-checker --use-analyzer --use-cc --use-c++ -plugin -load-plugin': 'text',
    },
    singleDash: true,
    operands: ['command'],
    unlisted: 'ignore',
    foreign: 'the build of the project',
  },
  {
    names: 'rr',
    unlisted: 'ignore',
    subcommands: {
      record: { flags: '-h -n -u -w', operands: ['command'], unlisted: 'foreign' },
      '*': { foreign: 'commands for the debugger', unlisted: 'ignore' },
    },
  },
  {
    names: 'gdbserver',
    flags: '--multi --once --debug --attach --no-startup-with-shell --version --help',
    values: { '--wrapper': 'program' },
    operands: ['text', 'command'],
    unlisted: 'foreign',
  },
  {
    names: 'wait-for-it wait-for-it.sh wait4x dockerize',
    permute: false,
    unlisted: 'ignore',
    hook: (call) => (call.argv.some((arg) => arg.text === '--' || arg.text === null) ? commandAfter(call, 1) : []),
  },
  {
    names: 'pueue',
    unlisted: 'ignore',
    subcommands: {
      add: {
        flags: '-i --immediate -s --stashed -e --escape -p --print-task-id',
        values: {
          '-w --working-directory': 'cwd',
          '-d --delay -g --group -a --after -o --priority -l --label': 'text',
        },
        operands: ['shell-rest'],
      },
      '*': { unlisted: 'ignore' },
    },
  },
  { names: 'genie', values: { '-c --command': 'shell' }, unlisted: 'ignore' },
  {
    names: 'tmate',
    values: { '-c': 'shell', '-f': 'code-file' },
    permute: false,
    unlisted: 'ignore',
    foreign: 'a terminal others can use',
  },
  {
    names: 'agetty getty',
    values: { '-l --login-program': 'program', '-o --login-options -f --issue-file': 'text' },
    unlisted: 'ignore',
    foreign: 'a login',
  },
  { names: 'plymouth', values: { '--command': 'shell' }, unlisted: 'ignore' },
  {
    names: 'sash slsh',
    values: { '-c': 'shell', '-e': 'code' },
    operands: ['code-file'],
    foreign: 'commands on its standard input',
    unlisted: 'ignore',
  },
  { names: 'socket', flags: '-b -c -f -l -q -r -s -v -w', values: { '-p': 'shell' }, operands: ['host'] },
  {
    names: 'sshuttle',
    values: { '-e --ssh-cmd': 'words', '--python': 'program', '-r --remote': 'host', '-x -X -l -s -D': 'text' },
    rest: 'text',
    unlisted: 'ignore',
    foreign: 'a program on another machine',
  },
  { names: 'xdotool', hook: xdotoolExec, unlisted: 'ignore' },
  { names: 'service', hook: servicePath, unlisted: 'ignore' },
  { names: 'busctl', hook: busAddress, unlisted: 'ignore' },
  {
    names: 'scrot',
    values: { '-e --exec': 'shell', '-d -q -t -D -a': 'text', '-F --file': 'write' },
    operands: ['write'],
    unlisted: 'ignore',
  },
  {
    names: 'pidstat',
    values: { '-e': 'text', '-p -C -G -T -U': 'text' },
    permute: false,
    unlisted: 'ignore',
    hook: ({ argv }) => {
      const at = argv.findIndex((arg) => arg.text === '-e')
      return at > 0 && at + 1 < argv.length ? [{ does: 'run', argv: argv.slice(at + 1), via: 'pidstat -e' }] : []
    },
  },
  {
    names: 'msgfilter',
    values: { '-i --input -D --directory': 'read', '-o --output-file': 'write', '-e --expression -f --file': 'text' },
    flags: '-P --properties-input --stringtable-input --newline',
    operands: ['command'],
    unlisted: 'ignore',
  },
  { names: 'msgexec', values: { '-i --input -D --directory': 'read' }, operands: ['command'], unlisted: 'ignore' },
  {
    names: 'msgattrib msgcat msgconv msgmerge msguniq msgfmt msginit xgettext',
    values: { '-o --output-file --output': 'write' },
    ...READS,
  },
  {
    names: 'check_by_ssh',
    values: { '-C --command': 'shell', '-o --ssh-option': 'text', '-H --hostname': 'host' },
    unlisted: 'ignore',
    foreign: 'a program on another machine',
  },
  {
    names: 'check_ssl_cert',
    values: { '--curl-bin --grep-bin --openssl --nmap-bin --date --file-bin --python-bin': 'program', '-H': 'host' },
    unlisted: 'ignore',
  },
  {
    names: 'sops',
    unlisted: 'ignore',
    subcommands: {
      'exec-env,exec-file': { operands: ['read', 'shell'], unlisted: 'ignore' },
      '*': { foreign: 'the editor and keys of the settings', unlisted: 'ignore' },
    },
  },
  { names: 'op', permute: false, unlisted: 'ignore', hook: afterDashesOnly },
  {
    names: 'lxc-attach lxc-execute machinectl systemd-nspawn',
    permute: false,
    unlisted: 'ignore',
    hook: afterDashesOnly,
  },
  {
    names:
      'jjs jrunscript cobc pdb byebug facter bee cdist needrestart dosbox easyrsa forge volatility xpad bashbug perlbug apport-cli asterisk bconsole apache2ctl rsyslogd mosquitto lxd ginsh jtag gcore runscript tasksh xmore crash highlight zathura yelp varnishncsa acr',
    values: { '-e -f -c': 'text', '--custom-dir --external-dir': 'code-file' },
    unlisted: 'ignore',
    foreign: 'code, commands or settings of its own',
  },
  {
    names: 'rtorrent tdbtool scanmem',
    values: { '-o': 'text' },
    unlisted: 'ignore',
    foreign: 'commands of its own',
    hook: leaving,
  },
  {
    names:
      'uuencode uudecode ascii85 base58 basez atobm clamscan cupsfilter redcarpet zsoelim tic efax ascii-xfr urlget',
    values: { '-o': 'write' },
    ...READS,
  },
  { names: 'enscript', values: { '-o -p --output': 'write', '-I --filter': 'shell', '-f -F -b': 'text' }, ...READS },
  { names: 'lwp-download', operands: ['url', 'write'], unlisted: 'ignore' },
  { names: 'lwp-request GET HEAD POST', rest: 'url', unlisted: 'ignore' },
]
