import type { Family } from '../grammar/roles.js'
import {
  daemonEffects,
  moshCommand,
  screenEffects,
  socatEffects,
  sshEffects,
  tracerOutput,
  unitProperties,
} from './remote-and-hosting-effects.js'

const SSH = {
  flags: '-4 -6 -A -a -C -f -G -g -K -k -N -n -q -s -T -t -V -v -X -x -Y -y',
  values: {
    '-B -b -c -D -e -i -L -l -m -O -p -Q -R -S -w -W': 'text',
    '-E': 'write',
    '-F': 'code-file',
    '-I': 'code-file',
    '-J': 'host',
    '-o': 'text',
  },
  permute: false,
  unlisted: 'foreign',
  effects: sshEffects,
} as const

/** Programs that run a command under a tracer, as a service, in another terminal or on another machine. */
export const hostingWrappers: Family = [
  {
    names: 'strace ltrace',
    flags:
      '-c -C -d -f -ff -h -i -k -n -q -qq -r -t -tt -ttt -T -v -V -w -x -xx -y -yy -Y -z -Z -D -DD -DDD -F --debug --follow-forks --no-abbrev --summary-only --summary --seccomp-bpf --stack-traces',
    values: {
      '-a --columns': 'text',
      '-b --detach-on': 'text',
      '-e --trace --expr --inject --fault --signal --status': 'text',
      '-E --env': 'assignment',
      '-I --interruptible': 'text',
      '-o --output': 'write',
      '-O --summary-syscall-overhead': 'text',
      '-p --attach': 'text',
      '-P --trace-path': 'text',
      '-s --string-limit': 'text',
      '-S --summary-sort-by': 'text',
      '-u --user': 'text',
      '-U --summary-columns': 'text',
      '-X --const-print-style': 'text',
      '-l --library': 'text',
    },
    operands: ['command'],
    effects: tracerOutput,
  },
  {
    names: 'systemd-run',
    flags:
      '--user --system --scope -r --remain-after-exit --send-sighup --no-block --wait -t --pty -P --pipe -q --quiet -G --collect -S --shell -d --same-dir --no-ask-password',
    values: {
      '-H --host': 'host',
      '-M --machine': 'text',
      '-u --unit -p --property --description --slice --uid --gid --nice --service-type --on-active --on-boot --on-startup --on-unit-active --on-unit-inactive --on-calendar --timer-property --path-property --socket-property':
        'text',
      '--working-directory': 'cwd',
      '-E --setenv': 'assignment',
    },
    operands: ['command'],
    style: 'bare-shell',
    effects: unitProperties,
  },
  {
    names: 'systemd-inhibit',
    flags: '--list --no-pager --no-legend',
    values: { '--what --who --why --mode': 'text' },
    operands: ['command'],
  },
  {
    names: 'cpulimit',
    flags:
      '-z --lazy -i --include-children -v --verbose -b --background -f --foreground -k --kill -q --quiet -m --monitor-forks',
    values: { '-l --limit -p --pid -e --exe -P --path -c --cpu': 'text' },
    operands: ['command'],
  },
  {
    names: 'start-stop-daemon',
    flags: '-S --start -K -b -m -o -t --test -v -C',
    values: {
      '-x --exec -a --startas': 'text',
      '-p --pidfile': 'write',
      '-c --chuid -u --user -g --group -s --signal -R --retry -n --name -N --nicelevel -k --umask': 'text',
      '-d --chdir': 'cwd',
    },
    effects: daemonEffects,
  },
  {
    names: 'run-parts',
    flags: '--test --list -v --verbose --report --reverse --exit-on-error --new-session --lsbsysinit',
    values: { '-u --umask -a --arg --regex': 'text' },
    operands: ['code-file'],
  },
  { ...SSH, names: 'ssh dbclient', flags: `${SSH.flags} -M` },
  // Its -M takes the monitored port.
  { ...SSH, names: 'autossh', values: { ...SSH.values, '-M': 'text' } },
  {
    names: 'sshpass',
    flags: '-e -v -V',
    values: { '-p': 'text', '-f': 'read', '-d': 'text', '-P': 'text' },
    operands: ['command'],
  },
  {
    names: 'mosh',
    values: {
      '--ssh': 'words',
      '--server': 'shell',
      '--client': 'program',
      '-p --port --predict --bind-server --family': 'text',
    },
    operands: ['host'],
    permute: false,
    effects: moshCommand,
  },
  { names: 'socat', values: { '-b -t -T -L -W -lp -r -R': 'text' }, effects: socatEffects },
  {
    names: 'screen',
    flags: '-A -a -d -D -i -l -L -m -O -Q -r -R -U -v -x -X',
    values: { '-c': 'read', '-e -h -p -s -S -t -T -Logfile': 'text' },
    permute: false,
    effects: screenEffects,
  },
  {
    names: 'expect',
    flags: '-i -N -n -d -D -v -b',
    values: { '-c': 'code' },
    operands: ['code-file'],
    effects: (call) => {
      const code = call.value('-c')
      const spawn = code?.text ? /\bspawn\s+(.*?)\s*(?:;|$)/s.exec(code.text) : null
      return code && spawn?.[1]
        ? [{ does: 'shell', text: { ...code, text: spawn[1], prefix: spawn[1] }, via: 'expect spawn' }]
        : call.operands.length === 0 && !code
          ? [{ does: 'foreign', reason: 'expect reads a program from its standard input' }]
          : []
    },
  },
]
