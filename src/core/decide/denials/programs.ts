import type { Invocation } from '../../model/run/facts.js'
import { type Builtin, knownArgs } from './denial.js'

const hasFirst = (...words: readonly string[]) => {
  const wanted = new Set(words)
  return (args: readonly string[]): boolean => wanted.has(args.find((arg) => !arg.startsWith('-')) ?? '')
}
const reached = (targets: RegExp) => {
  const isGone = hasFirst('start', 'isolate')
  return (args: readonly string[]): boolean => isGone(args) && args.some((arg) => targets.test(arg))
}
const isStopped = hasFirst('0', 'halt', 'poweroff')
const isStopTarget = reached(/^(?:poweroff|halt|shutdown|runlevel0)\.target$/)
const stops = (args: readonly string[]): boolean => isStopped(args) || isStopTarget(args)
const isRestarted = hasFirst('6', 'reboot', 'kexec', 'soft-reboot')
const isRestartTarget = reached(/^(?:reboot|kexec|soft-reboot|runlevel6)\.target$/)
const restarts = (args: readonly string[]): boolean => isRestarted(args) || isRestartTarget(args)

/** Recognises `kill -9 -1` (every process) and `kill 1` (the init process). Arguments after the signal are targets. */
function killsAll(part: Invocation): boolean {
  const args = knownArgs(part)
  const [first = ''] = args
  const isSignal = /^-(?:[A-Za-z]|\d+$)/.test(first) && (args.length > 1 || !/^-1$/.test(first))
  const targets = (isSignal ? args.slice(/^-[sn]$/.test(first) ? 2 : 1) : args).filter((arg) => arg !== '--')
  return !/^-[lL]/.test(first) && targets.some((target) => /^(?:-?0*1|-0*1)$/.test(target))
}

/** Refused for the program alone. */
export const PROGRAM_BUILTINS: readonly Builtin[] = [
  {
    name: 'sudo',
    because: 'It would run a command with the rights of another user.',
    instead: 'Run the command as the current user. Ask a person to run the steps that need root.',
    programs: ['sudo', 'sudo-rs', 'sudoedit', 'doas', 'su', 'pkexec', 'run0', 'gksudo', 'gksu', 'kdesudo', 'runuser'],
    hits: [
      'sudo id',
      'ls | doas tee x',
      'su -c id',
      'pkexec id',
      '/usr/bin/sudo -u www-data id',
      ['SUDO', 'id'],
      ['sudo', 'id'],
    ],
    misses: ['echo "sudo is a word"', "grep -r 'sudo rm' .", 'git commit -m "use sudo"', ['echo', 'sudo']],
  },
  {
    name: 'rm',
    because: 'Structured mode does not delete files.',
    instead: 'Delete in shell mode, where Cordon can undo it, or move the file with mv.',
    programs: ['rm'],
    refuses: (_part, { command }) => command.mode === 'structured',
    hits: [
      ['rm', 'x'],
      ['/bin/rm', 'x'],
      ['RM', '-rf', 'x'],
      ['env', 'rm', 'x'],
    ],
    misses: ['rm file', 'rm -rf build/', ['echo', '; rm -rf /'], ['git', 'rm', 'x']],
  },
  {
    name: 'mkfs',
    because: 'It creates an empty file system.',
    instead: 'Ask a person to change disks.',
    programs:
      'mkfs mkfs.* mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.xfs mkfs.btrfs mkfs.vfat mkfs.fat mkfs.ntfs mke2fs mkdosfs mkntfs newfs'.split(
        ' ',
      ),
    hits: ['mkfs.ext4 -F /dev/sda1', 'mkfs -t xfs disk.img', 'mke2fs x', ['mkfs', '/dev/sda']],
    misses: ['man mkfs', 'echo mkfs.ext4', 'mkdir fs'],
  },
  {
    name: 'shutdown',
    because: 'It stops the host.',
    instead: 'Leave the host running.',
    programs: ['shutdown'],
    hits: ['shutdown -h now', ['shutdown', 'now']],
    misses: ['echo shutdown', './shutdown.sh', 'grep shutdown log'],
  },
  {
    name: 'reboot',
    because: 'It restarts the host.',
    instead: 'Leave the host running.',
    programs: ['reboot', 'kexec', 'init', 'telinit', 'systemctl', 'loginctl'],
    refuses: (part) =>
      part.program === 'kexec' || part.program?.toLowerCase() === 'reboot' || restarts(knownArgs(part)),
    hits: ['reboot', 'init 6', 'systemctl reboot', 'systemctl isolate reboot.target', ['reboot']],
    misses: ['systemctl status nginx', 'last reboot', 'git init', 'init 3'],
  },
  {
    name: 'halt',
    because: 'It stops the host.',
    instead: 'Leave the host running.',
    programs: ['halt', 'poweroff', 'init', 'telinit', 'systemctl', 'loginctl'],
    refuses: (part) => ['halt', 'poweroff'].includes(part.program?.toLowerCase() ?? '') || stops(knownArgs(part)),
    hits: ['halt', 'poweroff -f', 'init 0', 'telinit 0', 'systemctl --no-wall poweroff', 'loginctl poweroff'],
    misses: ['systemctl list-units', 'systemctl status poweroff.target', 'echo halt', 'npm init -y'],
  },
  {
    name: 'kill-all',
    because: 'It ends every process.',
    instead: 'End the processes you mean by pid.',
    programs: ['kill', 'killall5'],
    refuses: (part) => part.program?.toLowerCase() === 'killall5' || killsAll(part),
    hits: ['kill -9 -1', 'kill 1', 'kill -s KILL -- -1', 'kill -TERM 1', 'killall5 -9', '/bin/kill -9 -1'],
    misses: ['kill 1234', 'kill -9 %1', 'kill -1 4242', 'kill -l', 'kill -l 1', 'kill -0 12', 'killall node'],
  },
  {
    name: 'passwd',
    because: 'It changes who may log in.',
    instead: 'Ask a person to change accounts.',
    programs: ['passwd', 'chpasswd'],
    hits: ['passwd root', 'echo root:x | chpasswd', ['passwd']],
    misses: ['cat /etc/passwd', 'getent passwd'],
  },
  {
    name: 'visudo',
    because: 'It changes who may become root.',
    instead: 'Ask a person to change accounts.',
    programs: ['visudo', 'vipw', 'vigr'],
    hits: ['visudo -f x', 'EDITOR=cat vipw', ['visudo']],
    misses: ['vi sudo', 'man visudo'],
  },
]
