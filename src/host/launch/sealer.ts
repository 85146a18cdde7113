import { closeSync, openSync } from 'node:fs'
import { anonymousFile } from './anonymous-file.js'
import { UNFINISHED_ROOT } from './bubblewrap-arguments.js'
import { Servant, Served, type Service } from './servant.js'

const SCRIPT_FD = 3
/** It has nothing to do but to go. */
const STUCK_MS = 3_000
const CALLS = {
  x64: { exit_group: 231, mount: 165, mount_setattr: 442, prctl: 157, setns: 308, unshare: 272 },
  arm64: { exit_group: 94, mount: 40, mount_setattr: 442, prctl: 167, setns: 268, unshare: 97 },
} as const

/**
 * First of all it offers a /dev/null that nobody can change, for walls to be handed. Then it reads pids of inits. For each, a process of its own, which is
 * there already, enters the owner of the wall's mounts and these, and makes the devices read-only; they can be written to all the same. Where the
 * kernel does not know the newer call, the flags it insists on are found by trying. The root of the wall may be changed at that very moment, which
 * leaves whoever has just entered nowhere: then it enters once more.
 */
const SCRIPT = `
use strict;
$0 = 'cordon-sealer';
$SIG{CHLD} = 'IGNORE';
my ($nowhere, $readonly, @devices) = ('', pack('Q4', 1, 0, 0, 0), qw(null zero full random urandom tty console));

sub sealed {
  my ($path) = @_;
  return 1 if syscall(CALL_mount_setattr, -100, $path, 0, $readonly, 32) == 0;
  for (2, 10, 0, 8) { return 1 if syscall(CALL_mount, $nowhere, $path, $nowhere, 0x1021 | $_ | 0x200000, $nowhere) == 0 }
  0;
}

sub seal {
  my ($pid) = @_;
  sysopen(my $mounts, "/proc/$pid/ns/mnt", 0) or return 0;
  my $owner = ioctl($mounts, 0xb701, 0) or return 0;
  return 0 if syscall(CALL_setns, $owner + 0, 0x10000000) < 0;
  for (1 .. 200) {
    return 0 if syscall(CALL_setns, fileno $mounts, 0x20000) < 0;
    for my $root ('${UNFINISHED_ROOT}', '') {
      my @found = grep { -e } map { "$root/dev/$_" } @devices;
      return 1 if @found && @found == grep { sealed($_) } @found;
    }
    select undef, undef, undef, 0.002;
  }
  0;
}

# In mounts of its own, which go with it, it has a /dev/null that cannot be changed; whoever opens that keeps it.
sub offer {
  my ($root, $null) = ('/', '/dev/null');
  syscall CALL_prctl, 1, 9, 0, 0, 0;
  my $isAlone = syscall(CALL_unshare, 0x20000) == 0 || syscall(CALL_unshare, 0x10020000) == 0;
  my $isOffered = $isAlone && syscall(CALL_mount, $nowhere, $root, $nowhere, 0x44000, $nowhere) == 0
    && syscall(CALL_mount, $null, $null, $nowhere, 0x1000, $nowhere) == 0 && sealed($null);
  syswrite STDOUT, 'nothing ' . ($isOffered ? $$ : 0) . "\\n";
  sleep 10;
}

my $offering = fork;
if (defined $offering && $offering == 0) { offer(); syscall CALL_exit_group, 0 }
syswrite STDOUT, "nothing 0\\n" unless $offering;

# A process that waits for the pid of an init, and ends when nobody can tell it any more.
sub spare {
  pipe(my $orders, my $door) && defined(my $child = fork) or return undef;
  if ($child) { close $orders; return $door }
  close $door;
  my $pid = '';
  sysread $orders, $pid, 64;
  syswrite STDOUT, "$pid " . seal($pid) . "\\n" if $pid ne '';
  syscall CALL_exit_group, 0;
}

my $spare = spare();
my $rest = '';
while (sysread STDIN, $rest, 4096, length $rest) {
  while ($rest =~ s/^(\\w+)\\n//) {
    my $order = $1;
    if ($order eq 'taken') { kill 9, $offering if $offering; next }
    $spare ||= spare();
    if ($spare) { syswrite $spare, $order; close $spare } else { syswrite STDOUT, "$order 0\\n" }
    $spare = spare();
  }
}
undef $spare;
kill 9, $offering if $offering;
1 while wait != -1;
`

/**
 * Makes the devices of walls read-only, for an engine that is root. They are the host's own, and bubblewrap mounts them so that their owner, who is
 * root inside too, could take them from everybody on the host by changing their modes.
 */
export class Sealer extends Served {
  protected readonly servant: Servant
  readonly #pending = new Map<string, (isSealed: boolean) => void>()
  #rest = ''
  #offer: (pid: number) => void = () => undefined
  /** Settles with the descriptor of a /dev/null whose modes cannot be changed by it, or null. The caller closes it. */
  readonly nothing: Promise<number | null>

  constructor(perl: string, service: Service) {
    super()
    const calls: Readonly<Record<string, number>> = CALLS[process.arch === 'arm64' ? 'arm64' : 'x64']
    const file = anonymousFile(Buffer.from(SCRIPT.replace(/CALL_(\w+)/g, (_, name: string) => `${calls[name]}`)))
    this.nothing = new Promise((resolve) => {
      this.#offer = (pid) => resolve(this.#take(pid))
    })
    this.servant = new Servant([perl, `/dev/fd/${SCRIPT_FD}`], service, [file], {
      onText: (text) => this.#hear(text),
      onGone: () => {
        for (const settle of this.#pending.values()) settle(false)
        this.#pending.clear()
        this.#offer(0)
      },
    })
    closeSync(file)
  }

  /** The wall with this init, in which everything is mounted and nothing runs yet. Says whether it came about. */
  async seal(init: number): Promise<boolean> {
    if (!(await this.ready) || !this.isUp) return false
    return new Promise((resolve) => {
      this.#pending.set(`${init}`, resolve)
      this.servant.order(`${init}`)
    })
  }

  close(): Promise<void> {
    return this.servant.close(STUCK_MS)
  }

  #take(pid: number): number | null {
    if (pid === 0) return null
    try {
      return openSync(`/proc/${pid}/root/dev/null`, 'r')
    } catch {
      return null
    } finally {
      this.servant.order('taken')
    }
  }

  #hear(text: string): void {
    const lines = (this.#rest + text).split('\n')
    this.#rest = lines.pop() ?? ''
    for (const [init = '', isSealed] of lines.map((line) => line.split(' '))) {
      if (init === 'nothing') this.#offer(Number(isSealed))
      this.#pending.get(init)?.(isSealed === '1')
      this.#pending.delete(init)
    }
  }
}
