import { FIRST_CONTENT_FD, FIRST_FREE_FD, READY_FD, REQUEST_FD } from './wall-descriptors.js'

/** Numbers of the system calls the nursery makes itself. */
const CALLS = {
  x64: {
    capset: 126,
    clone: 56,
    close_range: 436,
    dup3: 292,
    exit_group: 231,
    fcntl: 72,
    move_mount: 429,
    mount: 165,
    openat: 257,
    open_tree: 428,
    prctl: 157,
    recvmsg: 47,
    sendmsg: 46,
    setdomainname: 171,
    sethostname: 170,
    setns: 308,
    setsid: 112,
    unshare: 272,
    write: 1,
  },
  arm64: {
    capset: 91,
    clone: 220,
    close_range: 436,
    dup3: 24,
    exit_group: 94,
    fcntl: 25,
    move_mount: 429,
    mount: 40,
    openat: 56,
    open_tree: 428,
    prctl: 167,
    recvmsg: 212,
    sendmsg: 211,
    setdomainname: 162,
    sethostname: 161,
    setns: 268,
    setsid: 157,
    unshare: 97,
    write: 64,
  },
} as const

/** Above every number that a shell in a wall is given. */
const NURSE_FDS = 20

/** Said on the status descriptor of a program just before the process becomes that program, with its pid. */
export const STARTED = 'starter-pid'

/**
 * The nursery. It stands outside and opens the engine's descriptors through /proc, which nobody inside could, and starts programs with
 * them. That an engine which has changed its user does not let: then the nursery goes at once. For each template it keeps a *nurse*: a
 * process that has entered the template's mounts and their owner, and from there makes walls. Descriptors go to a nurse as messages.
 *
 * A wall is an init with namespaces of its own of every kind, which gives itself what must be fresh (processes, terminals, temporary
 * files), drops all it could do, and waits for the shell. The shell is in one more user namespace, from which neither the mounts nor the init
 * can be touched and in which no further one can be made. Nurse, init and shell die with whoever made them.
 */
const SCRIPT = `
use strict;
my ($engine, $nothing) = @ARGV;
$0 = "cordon-nursery $engine";
my $outside = $$;
my (%nurses, $report, $id);
# A system call takes no constant for a string.
my ($null, $zero, $hostname, $limit) = ('/dev/null', '0', 'cordon', 'sys/user/max_user_namespaces');

sub address { unpack 'J', pack 'P', $_[0] }
sub quit { syscall CALL_exit_group, $_[0] + 0 }
sub say_of { my $line = "$_[0] $_[1]\\n"; syscall CALL_write, $report, $line, length $line }
sub failed { my $why = "$_[0]: $!"; $why =~ tr/\\\\"\\n//d; say_of($id, qq({"failed": "$why"})); quit(1) }
sub dies_with_parent { syscall CALL_prctl, 1, 9, 0, 0, 0 }
sub reopened { my ($number, $flags) = @_; sysopen(my $file, "/proc/$engine/fd/$number", $flags | 0x800) or return; fcntl $file, 4, 0; $file }

# An order is a line; what it names are descriptors of the engine's.
sub ordered {
  my ($what, $template, @words) = @_;
  if ($what eq 'open') { found($template, @words) }
  elsif ($what eq 'start') { started($template) }
  elsif ($what eq 'close') { delete $nurses{$template} }
  else { pass_on($template, @words) or syswrite STDOUT, "refused $template $words[0]\\n" }
}

sub found {
  my ($template, $pid, $setup, $told) = @_;
  my ($file, $pipe) = (reopened($setup, 0), reopened($told, 1));
  socketpair(my $ours, my $theirs, 1, 5, 0);
  my $nurse = $file && $pipe && $theirs ? fork : undef;
  if (defined $nurse && $nurse == 0) {
    %nurses = ();
    $0 = 'cordon-nursery';
    close $ours;
    $SIG{CHLD} = 'DEFAULT';
    nurse($theirs, $pid, $file, $pipe);
  }
  $nurses{$template} = $ours if $nurse;
  syswrite STDOUT, "opened $template\\n";
}

# A process that becomes what the file says, with no descriptors but those it names.
sub started {
  my ($order) = @_;
  my $refuse = sub { syswrite STDOUT, "unstarted $order\\n" };
  my $pid = fork;
  return defined $pid || $refuse->() if $pid || !defined $pid;
  dies_with_parent();
  $SIG{CHLD} = 'DEFAULT';
  local $/;
  my $file = reopened($order, 0);
  my ($status, $doors, $count, @words) = $file ? split /\\0/, <$file>, -1 : ();
  my $is_open = $file && getppid == $outside;
  for (splice @words, 0, $doors) { my $door; $is_open &&= sysopen($door, $_, 1) && syswrite $door, $zero }
  my @opened = map {
    my ($as, $ours, $flags) = split / /;
    my $ours_anew = $is_open && reopened($ours, $flags + 0);
    $is_open &&= $ours_anew;
    $ours_anew ? [$as, syscall CALL_fcntl, fileno $ours_anew, 1030, $count + ${FIRST_CONTENT_FD}] : ();
  } splice @words, 0, $count;
  $refuse->(), quit(1) unless $is_open;
  syscall CALL_dup3, $_->[1] + 0, $_->[0] + 0, 0 for @opened;
  my $line = qq({"${STARTED}": $$}\\n);
  syscall CALL_write, $status + 0, $line, length $line;
  delete $ENV{LD_BIND_NOW};
  exec {$words[0]} @words;
  quit(1);
}

sub pass_on {
  my ($template, $wall, $secret, $in, $out, $err, $request, @doors) = @_;
  my $nurse = $nurses{$template} or return;
  my @files = (reopened($in, 0), reopened($out, 1), reopened($err, 1), reopened($request, 0));
  return unless 4 == grep defined, @files;
  for (@doors) { sysopen(my $door, pack('H*', $_), 1) or return; push @files, $door }
  my $text = "$wall $secret";
  my $control = pack 'J i i i*', 16 + 4 * @files, 1, 1, map { fileno $_ } @files;
  my $vector = pack 'J2', address($text), length $text;
  my $message = pack 'J7', 0, 0, address($vector), 1, address($control), length $control, 0;
  syscall(CALL_sendmsg, fileno $nurse, $message, 0x4000) > 0;
}

sub nurse {
  my ($socket, $pid, $setup, $pipe) = @_;
  dies_with_parent();
  # The engine's user, whom bubblewrap makes root of the mounts and nobody else in the wall.
  my ($uid, $gid) = ($< + 0, $( + 0);
  local $/;
  my @words = split /\\0/, <$setup>, -1;
  my $take = sub { splice @words, 0, shift @words };
  my %of = (cwd => shift @words, filter => pack('H*', shift @words), namespaces => shift @words, network => shift @words, mask => umask);
  @of{'argv', 'env'} = ([$take->()], [$take->()]);
  for (1 .. shift @words) { push @{$of{fresh}}, [splice(@words, 0, 4), $take->()] }
  sysopen(my $mounts, "/proc/$pid/ns/mnt", 0) or quit(1);
  my $owner = ioctl($mounts, 0xb701, 0) or quit(1);
  quit(1) if syscall(CALL_setns, $owner + 0, 0x10000000) < 0 || syscall(CALL_setns, fileno $mounts, 0x20000) < 0;
  dies_with_parent();
  quit(1) if getppid != $outside;
  @of{'uids', 'gids'} = ("$uid " . ($< + 0) . ' 1', "$gid " . ($( + 0) . ' 1');
  umask 0;
  $report = syscall CALL_fcntl, fileno $pipe, 1030, ${NURSE_FDS};
  my $orders = syscall CALL_fcntl, fileno $socket, 1030, ${NURSE_FDS};
  # What is received gets the lowest numbers that are free, and those are to be above all a shell is given.
  syscall CALL_close_range, 0, ${NURSE_FDS - 1}, 0;
  for (0 .. ${FIRST_FREE_FD - 1}) { syscall CALL_openat, -100, $null, 0x80002, 0 }
  say_of(0, '{"template": true}');
  tend($orders, \\%of);
}

# Told the end of its orders it stays until the last of its walls is over.
sub tend {
  my ($orders, $of) = @_;
  my %walls;
  my $watched = '';
  vec($watched, $orders, 1) = 1;
  my ($data, $control) = (' ' x 512, ' ' x 128);
  vec($_, 0, 8) = 32 for $data, $control;
  my $vector = pack 'J2', address($data), 512;
  my $message = pack 'J7', 0, 0, address($vector), 1, address($control), 128, 0;
  while (vec($watched, $orders, 1) || %walls) {
    next if select(my $ready = $watched, undef, undef, undef) < 0;
    for my $fd (keys %walls) {
      next unless vec($ready, $fd, 1);
      my ($wall, $pid) = @{delete $walls{$fd}};
      vec($watched, $fd, 1) = 0;
      syscall CALL_close_range, $fd + 0, $fd + 0, 0;
      waitpid $pid, 0;
      say_of($wall, sprintf '{"exit-code": %d}', $? & 127 ? 128 + ($? & 127) : $? >> 8);
    }
    next unless vec($ready, $orders, 1);
    substr($message, 40, 8) = pack 'J', 128;
    my $length = syscall CALL_recvmsg, $orders, $message, 0;
    if ($length <= 0) { vec($watched, $orders, 1) = 0; next }
    ($id, my $secret) = split / /, substr $data, 0, $length;
    my @files = unpack 'i*', substr $control, 16, unpack('J', $control) - 16;
    my $pidfd = pack 'i', -1;
    # A pid namespace, a descriptor for its init, SIGCHLD.
    my $pid = syscall CALL_clone, 0x20001011, 0, $pidfd, 0, 0;
    if ($pid == 0) { $SIG{__DIE__} = sub { failed($_[0]) }; init($of, $secret, @files) }
    syscall CALL_close_range, $_, $_, 0 for @files;
    if ($pid < 0) { say_of($id, '{"failed": "no process could be made"}'); say_of($id, '{"over": true}'); next }
    $pidfd = unpack 'i', $pidfd;
    $walls{$pidfd} = [$id, $pid];
    vec($watched, $pidfd, 1) = 1;
    say_of($id, qq({"child-pid": $pid}));
  }
  quit(0);
}

sub init {
  my ($of, $secret, $in, $out, $err, $request, @doors) = @_;
  dies_with_parent();
  for (@doors) { syscall(CALL_write, $_, $zero, 1) == 1 or failed('a control group could not be entered') }
  syscall(CALL_unshare, $of->{namespaces} + 0) == 0 or failed('namespaces could not be made');
  !$of->{network} || loopback_up() or failed('the loopback did not come up');
  syscall(CALL_sethostname, $hostname, 6) == 0 && syscall(CALL_setdomainname, $secret, length $secret) == 0 or failed('it could not be named');
  # What is read-only in the end is written to by a mount of it that stands nowhere.
  my $own;
  for (@{$of->{fresh}}) {
    my ($type, $at, $flags, $data, @below) = @$_;
    my $old = syscall CALL_openat, -100, $at, 0x200000, 0;
    syscall(CALL_mount, $type, $at, $type, $flags & ~1, $data) == 0 or failed("$at could not be mounted");
    $own = syscall CALL_open_tree, -100, $at, 1 if $type eq 'proc';
    failed("$at could not be made read-only") if $flags & 1 && syscall(CALL_mount, $at, $at, $type, 0x1020 | $flags, $data) != 0;
    for (@below) {
      my ($kind, $path) = (substr($_, 0, 1), substr($_, 1));
      place("$at/$path", $kind) if $type eq 'tmpfs';
      syscall(CALL_move_mount, $old, $path, -100, "$at/$path", 0) == 0 or failed("$at/$path could not be moved");
    }
  }
  my $shell = syscall CALL_clone, 0x10000011, 0, 0, 0, 0;
  become($of, $own, $in, $out, $err, $request) if $shell == 0;
  failed('no process could be made') if $shell < 0;
  syscall CALL_close_range, 0, 0xffffffff, 0;
  without_capabilities();
  my $ended;
  do { $ended = wait } until $ended == $shell || $ended < 0;
  quit($? & 127 ? 128 + ($? & 127) : $? >> 8);
}

sub loopback_up { my ($any, $up) = (undef, pack 'a16 s x22', 'lo', 0x41); socket($any, 2, 2, 0) && ioctl $any, 0x8914, $up }

sub place {
  my ($path, $kind) = @_;
  my ($above) = $path =~ m{^(.*)/};
  -d $above or place($above, 'd');
  if ($kind eq 'd') { mkdir $path, 0755 } else { sysopen(my $file, $path, 0101, 0444) }
}

sub without_capabilities {
  my ($header, $none) = (pack('L i', 0x20080522, 0), "\\0" x 24);
  syscall(CALL_capset, $header, $none) == 0 or failed('capabilities could not be dropped');
}

sub written { my ($proc, $path, $text) = @_; my $file = syscall CALL_openat, $proc, $path, 1, 0; syscall(CALL_write, $file, $text, length $text) > 0 or failed("$path could not be written") }

sub become {
  my ($of, $proc, $in, $out, $err, $request) = @_;
  written($proc, 'self/setgroups', 'deny');
  written($proc, 'self/uid_map', $of->{uids});
  written($proc, 'self/gid_map', $of->{gids});
  my $further = syscall CALL_openat, $proc, $limit, 1, 0;
  syscall(CALL_write, $further, $zero, 1) == 1 or failed('further user namespaces could not be refused');
  for (0 .. 63) { last if syscall(CALL_prctl, 24, $_, 0, 0, 0) < 0 }
  without_capabilities();
  syscall(CALL_setsid) >= 0 && chdir $of->{cwd} or failed('its directory could not be entered');
  my ($shell, @words) = @{$of->{argv}};
  my $program = pack 'S x6 J', length($of->{filter}) / 8, address($of->{filter});
  syscall CALL_dup3, $in, 0, 0;
  syscall CALL_dup3, $out, 1, 0;
  syscall CALL_dup3, $err, 2, 0;
  syscall CALL_dup3, $request, ${REQUEST_FD}, 0;
  syscall CALL_dup3, $report, ${READY_FD}, 0;
  $report = ${READY_FD};
  syscall CALL_close_range, 3, ${REQUEST_FD - 1}, 0;
  syscall CALL_close_range, ${REQUEST_FD + 1}, ${READY_FD - 1}, 0;
  syscall CALL_close_range, ${READY_FD + 1}, 0xffffffff, 0;
  umask $of->{mask};
  %ENV = map { split /=/, $_, 2 } @{$of->{env}};
  syscall(CALL_prctl, 38, 1, 0, 0, 0) == 0 && syscall(CALL_prctl, 22, 2, $program, 0, 0) == 0 or failed('the filter of system calls could not be set');
  exec {$shell} $shell, @words;
  failed('the shell could not be started');
}

$SIG{CHLD} = 'IGNORE';
reopened($nothing, 0) or exit 1;
syswrite STDOUT, "ready\\n";
my $rest = '';
while (sysread STDIN, $rest, 65536, length $rest) {
  ordered(split / /, $1) while $rest =~ s/^([^\\n]*)\\n//;
}
quit(0);
`

/** The nursery for this kind of machine; null where the numbers of its system calls are not known. */
export function nurseryScript(architecture: string = process.arch): string | null {
  if (architecture !== 'x64' && architecture !== 'arm64') return null
  const calls: Readonly<Record<string, number>> = CALLS[architecture]
  return SCRIPT.replace(/CALL_(\w+)/g, (_, name: string) => `${calls[name]}`)
}
