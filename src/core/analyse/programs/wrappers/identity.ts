import type { Family } from '../grammar/roles.js'
import { sgEffects, sudoEffects, suEffects } from './identity-effects.js'

/** Programs that run a command as another user, or in another namespace or root directory. */
export const identityWrappers: Family = [
  {
    names: 'sudo sudo-rs',
    flags:
      '-A --askpass -b --background -B --bell -E -e --edit -H --set-home -i --login -K --remove-timestamp -k --reset-timestamp -l --list -n --non-interactive -P --preserve-groups -S --stdin -s --shell -V --version -v --validate -N --no-update',
    values: {
      '-C --close-from': 'text',
      '-D --chdir': 'cwd',
      '-g --group': 'text',
      '-h --host': 'text',
      '-p --prompt': 'text',
      '-R --chroot': 'cwd',
      '-r --role': 'text',
      '-t --type': 'text',
      '-T --command-timeout': 'text',
      '-U --other-user': 'text',
      '-u --user': 'text',
    },
    optional: { '--preserve-env': 'text' },
    operands: ['command'],
    style: 'assignments-first',
    effects: sudoEffects,
  },
  {
    names: 'doas',
    flags: '-L -n -s',
    values: { '-C': 'read', '-u': 'text', '-a': 'text' },
    operands: ['command'],
    style: 'bare-shell assignments-first',
  },
  { names: 'sudoedit', values: { '-u --user': 'text' }, rest: 'update' },
  {
    names: 'pkexec run0 gosu su-exec gksu gksudo kdesu',
    flags: '--disable-internal-agent --keep-cwd --pty',
    values: {
      '--user -u --group -g --chdir --setenv --slice --unit --description --property --background --nice': 'text',
    },
    operands: ['command'],
    effects: (call) =>
      /gosu|su-exec/.test(call.program) && call.operands.length > 1
        ? [{ does: 'run', argv: call.operands.slice(1), via: call.program }]
        : [],
  },
  {
    names: 'su runuser',
    flags: '-f --fast -l --login - -m -p --preserve-environment -P --pty -T --no-pty',
    values: {
      '-c --command --session-command': 'shell',
      '-g --group': 'text',
      '-G --supp-group': 'text',
      '-s --shell': 'program',
      '-w --whitelist-environment': 'text',
      '-u --user': 'text',
    },
    effects: suEffects,
  },
  { names: 'sg', values: { '-c': 'shell' }, unlisted: 'ignore', effects: sgEffects },
  {
    names: 'chroot',
    flags: '--skip-chdir',
    values: { '--groups': 'text', '--userspec': 'text' },
    operands: ['read', 'command'],
    effects: (call) => (call.operands.length === 1 ? [{ does: 'shell-stdin', via: 'chroot' }] : []),
  },
  {
    names: 'unshare',
    flags: '-f --fork -r --map-root-user -c --map-current-user --map-auto --keep-caps -U --user',
    optional: {
      '-i --ipc': 'text',
      '-m --mount': 'text',
      '-n --net': 'text',
      '-p --pid': 'text',
      '-u --uts': 'text',
      '-C --cgroup': 'text',
      '-T --time': 'text',
      '--kill-child': 'text',
      '--mount-proc': 'text',
      '--mount-binfmt': 'text',
    },
    values: {
      '--map-user --map-group --map-users --map-groups --propagation --setgroups -S --setuid -G --setgid -l --load-interp --monotonic --boottime':
        'text',
      '-R --root': 'cwd',
      '-w --wd': 'cwd',
    },
    operands: ['command'],
    style: 'bare-shell',
  },
  {
    names: 'nsenter',
    flags: '-a --all -F --no-fork -Z --follow-context -e --env --preserve-credentials --keep-caps',
    values: { '-t --target': 'text', '-S --setuid': 'text', '-G --setgid': 'text', '-N --net-socket': 'text' },
    optional: {
      '-m --mount': 'text',
      '-u --uts': 'text',
      '-i --ipc': 'text',
      '-n --net': 'text',
      '-p --pid': 'text',
      '-U --user': 'text',
      '-C --cgroup': 'text',
      '-T --time': 'text',
      '-r --root': 'text',
      '-w --wd': 'text',
      '-W --wdns': 'text',
    },
    operands: ['command'],
    style: 'bare-shell',
  },
]
