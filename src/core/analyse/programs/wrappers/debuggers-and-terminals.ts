import type { Family } from '../grammar/roles.js'
import {
  afterDashes,
  bubblewrapped,
  capshEffects,
  commandAfterDash,
  debuggerEffects,
  tmuxEffects,
} from './debugger-and-terminal-effects.js'

/** Debuggers, profilers, terminals and supervisors that run another program. */
export const runners: Family = [
  {
    names: 'perf',
    subcommands: {
      'stat,record,trace,mem,c2c,kvm,lock,sched,kmem,ftrace': {
        values: {
          '-e --event -p --pid -t --tid -C --cpu -F --freq -c --count -G --cgroup -x --field-separator -r --repeat -I --interval-print -D --delay -m --mmap-pages --call-graph -j --branch-filter -N':
            'text',
          '-o --output': 'write',
          '--pre --post': 'shell',
        },
        operands: ['command'],
        unlisted: 'ignore',
      },
      script: {
        values: { '-s --script -g --gen-script': 'code-file', '-i --input': 'read' },
        unlisted: 'ignore',
        foreign: 'a script for the profiler',
      },
      '*': {
        values: { '-i --input': 'read', '-o --output': 'write', '--objdump --addr2line': 'program' },
        unlisted: 'ignore',
      },
    },
  },
  {
    names: 'gdb lldb cgdb rust-gdb rust-lldb ddd',
    values: {
      '-ex --ex -iex --eval-command --init-eval-command -o -O --one-line -S --source-before-file --one-line-before-file -p -pid --pid -tty -c --core -core -k --one-line-on-crash':
        'text',
      '-x --command -ix --init-command -s --source -S': 'code-file',
      '-cd --cd': 'cwd',
      '-d -directory --directory -e --exec -se --se -symbols': 'read',
      '-data-directory --data-directory': 'code-file',
    },
    style: 'single-dash',
    operands: ['read'],
    permute: false,
    unlisted: 'ignore',
    effects: debuggerEffects,
  },
  {
    names: 'rlwrap',
    values: { '-b -C -D -e -f -g -H -l -m -M -O -p -P -q -S -t -w -W -z': 'text' },
    operands: ['command'],
    unlisted: 'ignore',
  },
  {
    names: 'hyperfine',
    flags: '-i --ignore-failure -N --show-output --sort -h --help -V --version',
    values: {
      '-w --warmup -m --min-runs -M --max-runs -r --runs -P --parameter-scan -D --parameter-step-size -L --parameter-list --style -u --time-unit -n --command-name --output --sort':
        'text',
      '-p --prepare -s --setup -c --cleanup -C --conclude --reference': 'shell',
      '-S --shell': 'program',
      '--export-json --export-csv --export-markdown --export-asciidoc --export-orgmode': 'write',
      '--input': 'read',
    },
    rest: 'shell',
  },
  {
    names: 'tmux byobu-tmux byobu',
    values: { '-c': 'shell', '-f': 'code-file', '-L -T': 'text', '-S': 'text' },
    permute: false,
    unlisted: 'ignore',
    effects: tmuxEffects,
  },
  { names: 'capsh', effects: capshEffects },
  {
    names:
      'xterm uxterm rxvt urxvt gnome-terminal konsole xfce4-terminal lxterminal mate-terminal terminator tilix alacritty kitty foot st wezterm terminology x-terminal-emulator guake yakuake cool-retro-term ghostty',
    permute: false,
    effects: commandAfterDash,
  },
  {
    names: 'bwrap',
    permute: false,
    values: {
      '--args --userns --userns2 --pidns --uid --gid --hostname --unsetenv --lock-file --sync-fd --remount-ro --exec-label --file-label --proc --dev --tmpfs --mqueue --dir --seccomp --add-seccomp-fd --block-fd --userns-block-fd --info-fd --json-status-fd --cap-add --cap-drop --perms --size':
        'text',
      '--chdir': 'text',
    },
    foreign: 'a program in another sandbox',
    effects: bubblewrapped,
  },
  { names: 'nsjail proot schroot', permute: false, foreign: 'a program in another environment', effects: afterDashes },
  {
    names: 'at batch',
    flags: '-V -l -d -r -b -m -M -v',
    values: { '-q -t -c': 'text', '-f': 'script' },
    effects: (call) =>
      call.has('-l', '-d', '-r', '-c', '-f', '-V') ? [] : [{ does: 'shell-stdin', via: call.program }],
  },
  { names: 'fswatch inotifywait inotifywatch fatrace', rest: 'read-tree', writesOnlyNamedPaths: true },
]
