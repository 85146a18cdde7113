import type { Family } from './knowledge.js'
import {
  afterDashes,
  bubblewrapped,
  capshEffects,
  commandAfterDash,
  debuggerEffects,
  tmuxEffects,
} from './runner-hooks.js'

/** Debuggers, profilers, terminals and supervisors: programs that run another one. */
export const runners: Family = [
  {
    names: 'valgrind callgrind heaptrack memusage',
    flags: '-v --verbose -q --quiet -h --help --version --trace-children -d --record-only --raw --time --total --mmap',
    unlisted: 'ignore',
    values: { '-o': 'write', '-p --pid -n': 'text' },
    operands: ['command'],
  },
  {
    names: 'perf',
    flags: '-h --help -v --version --list-cmds',
    unlisted: 'ignore',
    subcommands: {
      'stat,record,trace,mem,c2c,kvm,lock,sched,kmem,ftrace': {
        flags:
          '-a --all-cpus -g -v --verbose -d -q --quiet -B -n --null -r -s -S -T -i --no-inherit -F --summary --metric-only --no-buffering -R --big-num',
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
    flags:
      '-q -quiet --quiet --silent -batch --batch -batch-silent -nx --nx -n -nh -nw -w -tui --tui --version --help -readnow -args --args -b --batch-mode -X --no-lldbinit',
    values: {
      '-ex --ex -iex --eval-command --init-eval-command -o -O --one-line -S --source-before-file --one-line-before-file -p -pid --pid -tty -c --core -core -k --one-line-on-crash':
        'text',
      '-x --command -ix --init-command -s --source -S': 'code-file',
      '-cd --cd': 'cwd',
      '-d -directory --directory -e --exec -se --se -symbols': 'read',
      '-data-directory --data-directory': 'code-file',
    },
    singleDash: true,
    operands: ['read'],
    permute: false,
    unlisted: 'ignore',
    hook: debuggerEffects,
  },
  {
    names: 'rlwrap',
    flags: '-a -A -c -i -n -N -o -r -R -s -v',
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
    flags: '-2 -C -D -l -N -u -v -V',
    values: { '-c': 'shell', '-f': 'code-file', '-L -T': 'text', '-S': 'text' },
    permute: false,
    unlisted: 'ignore',
    hook: tmuxEffects,
  },
  {
    names: 'zellij',
    values: { '-l --layout -c --config': 'code-file', '-s --session': 'text' },
    foreign: 'a session that lives on',
    permute: false,
    unlisted: 'ignore',
    hook: (call) => (call.operands[0]?.text === 'run' ? commandAfterDash(call) : []),
  },
  { names: 'capsh', unlisted: 'ignore', hook: capshEffects },
  {
    names:
      'xterm uxterm rxvt urxvt gnome-terminal konsole xfce4-terminal lxterminal mate-terminal terminator tilix alacritty kitty foot st wezterm terminology x-terminal-emulator guake yakuake cool-retro-term ghostty',
    permute: false,
    unlisted: 'ignore',
    hook: commandAfterDash,
  },
  {
    names: 'bwrap',
    permute: false,
    unlisted: 'ignore',
    flags:
      '--unshare-all --share-net --unshare-user --unshare-user-try --unshare-ipc --unshare-pid --unshare-net --unshare-uts --unshare-cgroup --unshare-cgroup-try --disable-userns --assert-userns-disabled --new-session --die-with-parent --as-pid-1 --clearenv --help --version',
    values: {
      '--args --userns --userns2 --pidns --uid --gid --hostname --unsetenv --lock-file --sync-fd --remount-ro --exec-label --file-label --proc --dev --tmpfs --mqueue --dir --seccomp --add-seccomp-fd --block-fd --userns-block-fd --info-fd --json-status-fd --cap-add --cap-drop --perms --size':
        'text',
      '--chdir': 'text',
    },
    foreign: 'a program in a sandbox of its own',
    hook: bubblewrapped,
  },
  {
    names: 'nsjail proot schroot',
    permute: false,
    unlisted: 'ignore',
    foreign: 'a program in another environment',
    hook: afterDashes,
  },
  {
    names: 'aa-exec',
    flags: '-d --debug -i --immediate -v --verbose -h --help',
    values: { '-p --profile -n --namespace': 'text' },
    operands: ['command'],
  },
  {
    names: 'envdir setuidgid s6-setuidgid s6-envdir envuidgid s6-envuidgid argv0 s6-setlock',
    operands: ['text', 'command'],
    unlisted: 'foreign',
  },
  { names: 'pgrphack fghack s6-background s6-fghack nosh execlineb', operands: ['command'], unlisted: 'foreign' },
  {
    names: 'chpst runas s6-applyuidgid',
    flags: '-v -V -P -0 -1 -2 -z -U',
    values: { '-u -b -e -n -l -L -m -d -o -p -f -c -r -t -g -G -/': 'text' },
    operands: ['command'],
    unlisted: 'ignore',
    foreign: 'a program in another environment',
  },
  {
    names: 'softlimit s6-softlimit',
    flags: '-h -H',
    values: { '-a -c -d -f -l -m -o -p -r -s -t': 'text' },
    operands: ['command'],
    unlisted: 'ignore',
    foreign: 'a program in another environment',
  },
  {
    names: 'tini dumb-init catatonit tini-static',
    flags: '-s -g -v -w -h -c --single-child --verbose --rewrite',
    values: { '-p -e -r --rewrite': 'text' },
    operands: ['command'],
  },
  {
    names: 'lckdo with-lock-ex setlock',
    operands: ['write', 'command'],
    flags: '-w -q -E -s -x -n -N -X',
    unlisted: 'foreign',
  },
  { names: 'uftrace', foreign: 'the program it traces', permute: false, unlisted: 'ignore', hook: afterDashes },
  {
    names: 'at batch',
    flags: '-V -l -d -r -b -m -M -v',
    values: { '-q -t -c': 'text', '-f': 'script' },
    rest: 'text',
    hook: (call) => (call.has('-l', '-d', '-r', '-c', '-f', '-V') ? [] : [{ does: 'shell-stdin', via: call.program }]),
  },
  { names: 'atq atrm', unlisted: 'ignore' },
  { names: 'repl', foreign: 'commands on its standard input' },
  {
    names: 'zenity kdialog yad dialog whiptail gum notify-send osd_cat xmessage',
    values: { '--file --filename --textbox': 'read' },
    unlisted: 'ignore',
  },
  {
    names: 'ydotool wmctrl xdg-settings xdg-mime xclip xsel wl-copy wl-paste pbcopy pbpaste',
    unlisted: 'ignore',
    rest: 'text',
  },
  { names: 'fswatch inotifywait inotifywatch fatrace', rest: 'read-tree', unlisted: 'ignore', contained: true },
  {
    names: 'x11vnc vncserver Xvfb Xorg startx xinit sway i3 dwm',
    values: { '-afteraccept -accept -gone -exec': 'shell' },
    singleDash: true,
    foreign: 'a desktop',
    unlisted: 'ignore',
  },
]
