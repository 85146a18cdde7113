import { known, without } from '../grammar/arguments.js'
import { after, foreign, runsShell } from '../grammar/effect-builders.js'
import type { Call, Effect, Family, Program } from '../grammar/roles.js'
import { commandAfter } from '../packages/package-effects.js'

/** Wrappers, with their options that take a value. */
const WRAPPERS: Readonly<Record<string, string>> = {
  'aoss daemonize trickle systemd-cat systemd-socket-activate dbus-launch tsp nq fq gtester sandbox-exec timelimit runlim retry':
    '-p -o -E -u -t -T -s -w -d -i --identifier --priority',
  'choom multitime pexec grc kcov caffeinate arch': '-n -p -c -I -r -t -w --count',
  'openvt cgexec dtach bear intercept-build': '-c --console -g -A -a -n -N -p -e -r -o --output',
  'srun salloc':
    '-J -N -n -c -t -p -o -e -q -A -w -x -C -G -m -L -D --job-name --nodes --ntasks --time --partition --mem --output',
  'msgfilter msgexec': '-i --input -D --directory -o --output-file -e --expression -f --file',
  'chpst runas s6-applyuidgid softlimit s6-softlimit': '-u -b -e -n -l -L -m -d -o -p -f -c -r -t -g -G -/ -a -s',
  'tini dumb-init catatonit tini-static aa-exec': '-p -e -r --rewrite --profile -n --namespace',
  'pgrphack fghack s6-background s6-fghack nosh execlineb': '',
  'wasmtime wasmer wazero wasm3 qemu-x86_64 qemu-aarch64 qemu-arm qemu-i386 box64 box86 rosetta': '',
}

/** Wrappers whose first operand is not the command: a directory, a user, a lock. */
const SECOND_WORD =
  'envdir setuidgid s6-setuidgid s6-envdir envuidgid s6-envuidgid argv0 s6-setlock lckdo with-lock-ex setlock logsave abduco gdbserver'

/** Options of rarely used programs whose value is a command. */
const COMMAND_OPTIONS: Readonly<Record<string, string>> = {
  plymouth: '--command',
  scrot: '-e --exec',
  check_ssl_cert: '--curl-bin --grep-bin --openssl --nmap-bin --date --file-bin --python-bin',
  enscript: '-I --filter',
  'lame oggenc flac HandBrakeCLI': '--pipe',
  'stress stress-ng sysbench fio': '--exec_prerun --exec_postrun',
  dmsetup: '--exec',
  unison: '-sshcmd -rshcmd -servercmd -diff -merge -copyprog -copyprogrest',
}

/** Options that take a command, of programs that also run their own code. */
const COMMAND_OPTIONS_AND_CODE: Readonly<Record<string, string>> = {
  'genie check_by_ssh ttyd gotty asciinema terminalizer vhs tmate sash': '-c -C --command',
  'agetty getty': '-l --login-program',
  sshuttle: '-e --ssh-cmd --python',
  'x11vnc vncserver Xvfb Xorg startx xinit sway i3 dwm': '-afteraccept -accept -gone -exec',
}

/** Rarely used programs that run code outside their arguments. */
const OWN_CODE =
  'jjs jrunscript cobc pdb byebug facter bee cdist needrestart dosbox easyrsa forge volatility xpad bashbug perlbug apport-cli asterisk bconsole apache2ctl rsyslogd mosquitto lxd ginsh jtag gcore runscript tasksh xmore crash highlight zathura yelp varnishncsa acr neofetch udevadm devbox uftrace slsh zellij rtorrent tdbtool scanmem'

/** Runs the words after this one: `xdotool … exec COMMAND`, `pidstat -e COMMAND`, `launchctl submit … -- COMMAND`. */
const wordsAfter =
  (word: string) =>
  ({ argv, program }: Call): readonly Effect[] => {
    const at = argv.findIndex((arg) => arg.text === word)
    const from = at < 0 ? -1 : argv.findIndex((arg, i) => i > at && !arg.prefix.startsWith('--'))
    return from < 0 ? [] : [{ does: 'run', argv: argv.slice(from), via: `${program} ${word}` }]
  }

/** `service ../../tmp/x` runs a file that is not a service. */
function servicePath({ operands }: Call): readonly Effect[] {
  const [name, ...rest] = operands
  if (!name?.text?.includes('/')) return []
  return [{ does: 'run', argv: [known(`/etc/init.d/${name.text}`, name.span), ...rest], via: 'service' }]
}

/** `debugfs -R '!command'`, `tdbtool … '! command'`, `convert '|command'`: an argument that runs a shell command. */
function shellEscapes({ argv, program }: Call): readonly Effect[] {
  return argv.slice(1).flatMap((arg): readonly Effect[] => {
    const found = /^\s*(?:!|\||shell )/.exec(arg.prefix)
    if (found) return [runsShell(without(arg, found[0].length), `${program} escape`)]
    if (/^(?:msl|mvg|ephemeral|epi|eps|ps):/i.test(arg.prefix))
      return [foreign('an image format that runs something', arg)]
    const path = after(arg, '--address=')?.prefix.match(/unixexec:path=([^,]*)/)?.[1]
    return path ? [{ does: 'run', argv: [known(path, arg.span)], via: 'busctl', more: true }] : []
  })
}

const afterDashesOnly = (call: Call): readonly Effect[] =>
  call.argv.some((arg) => arg.text === '--') ? commandAfter(call, 0) : [foreign('a program in another environment')]

const runsValue = (names: string, options: string): Program => ({
  names,
  values: { [options]: 'shell' },
  ...(/^-\w\w/.test(options) ? { style: 'single-dash' } : {}),
  rest: 'read',
  unlisted: 'ignore',
})

/** Rarely used programs that can run something, including known escapes from restricted shells. */
export const serverRunners: Family = [
  ...Object.entries(WRAPPERS).map(
    ([names, options]) =>
      ({ names, values: { [options]: 'text' }, operands: ['command'], unlisted: 'foreign' }) as const,
  ),
  { names: SECOND_WORD, values: { '-e -p': 'text' }, operands: ['text', 'command'], unlisted: 'foreign' },
  ...Object.entries(COMMAND_OPTIONS).map(([names, options]) => runsValue(names, options)),
  ...Object.entries(COMMAND_OPTIONS_AND_CODE).map(([names, options]) => ({
    ...runsValue(names, options),
    foreign: 'its programs and settings',
  })),
  { names: OWN_CODE, foreign: 'its code, commands or settings', effects: shellEscapes },
  {
    names: 'mpirun mpiexec orterun prun',
    values: {
      '-n -np -c --np -x --map-by --bind-to --rank-by -npernode -N -mca --mca -H --host -hostfile --hostfile -machinefile --machinefile':
        'text',
      '-wdir --wdir -wd': 'cwd',
    },
    style: 'single-dash',
    operands: ['command'],
    unlisted: 'foreign',
  },
  {
    names: 'scan-build valgrind callgrind heaptrack memusage ccache sccache distcc icecc buildcache',
    operands: ['command'],
    values: { '-o': 'write' },
    unlisted: 'ignore',
  },
  {
    names: 'rr pueue nomad sops',
    subcommands: {
      record: { operands: ['command'], unlisted: 'foreign' },
      add: { operands: ['shell-rest'], unlisted: 'foreign' },
      'exec-env,exec-file': { operands: ['read', 'shell'], unlisted: 'ignore' },
      'exec,alloc,lock,action,replay': { foreign: 'its commands' },
      '*': { unlisted: 'ignore' },
    },
  },
  {
    names: 'pandoc quarto',
    values: { '-F --filter --pdf-engine': 'program', '-L --lua-filter': 'code-file', '-o --output': 'write' },
    rest: 'read',
    unlisted: 'ignore',
  },
  {
    names: 'wait-for-it wait-for-it.sh wait4x dockerize',
    permute: false,
    effects: (call) => (call.argv.some((arg) => arg.text === '--' || arg.text === null) ? commandAfter(call, 1) : []),
  },
  { names: 'op lxc-attach lxc-execute machinectl systemd-nspawn launchctl', permute: false, effects: afterDashesOnly },
  { names: 'csvtool', subcommands: { call: { operands: ['shell'] }, '*': { unlisted: 'ignore' } } },
  {
    names: 'exiftool cowsay cowthink',
    values: { '-f -config': 'code-file', '-if -p -api': 'code' },
    style: 'single-dash',
    unlisted: 'ignore',
  },
  { names: 'ctags universal-ctags', optional: { '--options': 'code-file' }, unlisted: 'ignore' },
  { names: 'xdotool', effects: wordsAfter('exec') },
  { names: 'pidstat', effects: wordsAfter('-e') },
  { names: 'fail2ban-client', foreign: 'its actions' },
  { names: 'socket', values: { '-p': 'shell' }, operands: ['host'], unlisted: 'ignore' },
  { names: 'service', effects: servicePath },
  {
    names:
      'debugfs busctl convert magick mogrify identify composite montage compare import animate display stream conjure gm',
    effects: shellEscapes,
  },
  {
    names: 'xdg-user-dir',
    effects: ({ operands: [name] }) =>
      name && !/^[A-Z_]*$/.test(name.text ?? '-')
        ? [{ does: 'unknown', reason: 'xdg-user-dir evaluates its argument as shell code', at: name.span }]
        : [],
  },
]
