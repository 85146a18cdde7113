# The zygote host. It starts programs for the engine, whose own fork is slow when its heap is large, and keeps
# zygotes.
#
# Arguments: the architecture, the pid of the engine, a descriptor of the engine to try, the first descriptor above
# those a program is started with, the descriptor a shell waits on, the one it reports on, and the first above those.
#
# The host runs outside every sandbox and opens the engine's descriptors through /proc, which nothing inside could do.
# That fails if the engine has changed its user; the host then ends at once. For each template it keeps a zygote: a
# process that has entered the mounts of the template and the user namespace that owns them, and that makes clones
# there. Descriptors reach a zygote as messages.
#
# A clone is an init with namespaces of its own of every kind. It mounts what must not be shared (/proc, terminals,
# temporary files), drops its capabilities and waits for the shell. The shell is in one more user namespace: it can
# touch neither the mounts nor the init, and cannot make another namespace. Host, zygote, init and shell each die with
# the process that made them.
#
# Orders, one line each (numbers are descriptors of the engine):
#   open <template> <pid> <setup> <report>         makes a zygote for the sandbox whose init has this pid
#   clone <template> <clone> <secret> <stdin> <stdout> <stderr> <request> <cgroup file, hexadecimal>...
#   close <template>                               ends a zygote after its last clone
#   start <order>                                  starts the program that the file describes
# Answers, one line each:
#   ready                                          once, at the start
#   opened <template>                              the engine may close the descriptors
#   refused <template> <clone>                     its descriptors could not be opened
#   unstarted <order>                              likewise
# A zygote reports "<clone> <JSON>" on its report descriptor, and "0 {"template": true}" once it is ready.
use strict;
use Syscalls;

my ($engine, $to_try, $first_content_fd, $request_fd, $ready_fd, $first_free_fd) = @ARGV;
$_ += 0 for $to_try, $first_content_fd, $request_fd, $ready_fd, $first_free_fd;
$0 = "cordon-zygote-host $engine";
my $host = $$;
my (%zygotes, $report, $id);
# A system call takes no constant for a string.
my ($null, $zero, $limit) = ('/dev/null', '0', 'sys/user/max_user_namespaces');
# Lowest descriptor a zygote keeps for itself: above all that a shell is given.
my $ZYGOTE_FD = 20;
my $MAX_FD = 0xffffffff;
# Offset of the exit status of a signal, as in a shell.
my $SIGNALLED = 128;

sub exit_status { my ($status) = @_; return $status & 127 ? $SIGNALLED + ($status & 127) : $status >> 8 }
sub close_range { my ($first, $last) = @_; return syscall SYS_close_range, $first + 0, $last + 0, 0 }

sub report_on {
  my ($clone, $json) = @_;
  my $line = "$clone $json\n";
  return syscall SYS_write, $report, $line, length $line;
}

sub fail {
  my $why = failure_text($_[0]);
  report_on($id, qq({"failed": "$why"}));
  return quit(1);
}

# Opens a descriptor of the engine again. An order may name a pipe without a reader, so nothing here may block.
sub reopen {
  my ($number, $flags) = @_;
  sysopen my $file, "/proc/$engine/fd/$number", $flags | O_NONBLOCK or return;
  fcntl $file, F_SETFL, 0;
  return $file;
}

sub obey {
  my ($verb, $name, @words) = @_;
  if ($verb eq 'open') { open_zygote($name, @words) }
  elsif ($verb eq 'start') { start_program($name) }
  elsif ($verb eq 'close') { delete $zygotes{$name} }
  elsif ($verb eq 'clone') { pass_on($name, @words) or syswrite STDOUT, "refused $name $words[0]\n" }
  return;
}

sub open_zygote {
  my ($template, $pid, $setup, $report_fd) = @_;
  my ($file, $pipe) = (reopen($setup, O_RDONLY), reopen($report_fd, O_WRONLY));
  socketpair my $ours, my $theirs, AF_UNIX, SOCK_SEQPACKET, 0;
  my $zygote = $file && $pipe && $theirs ? fork : undef;
  if (defined $zygote && $zygote == 0) {
    %zygotes = ();
    $0 = 'cordon-zygote';
    close $ours;
    $SIG{CHLD} = 'DEFAULT';
    be_zygote($theirs, $pid, $file, $pipe);
  }
  $zygotes{$template} = $ours if $zygote;
  return syswrite STDOUT, "opened $template\n";
}

# Starts a process that becomes what the file says, with no descriptors but those it names. The file holds,
# NUL-separated: the descriptor to report on, how many cgroup files, how many descriptors, the cgroup files, the
# descriptors ("as ours flags"), the program, arguments.
sub start_program {
  my ($order) = @_;
  my $pid = fork;
  return if $pid;
  return refuse_start($order) unless defined $pid;
  die_with_parent();
  $SIG{CHLD} = 'DEFAULT';
  local $/ = undef;
  my $file = reopen($order, O_RDONLY);
  my ($status, $groups, $count, @words) = $file ? split /\0/, <$file>, -1 : ();
  my $is_open = $file && getppid == $host;
  for my $path (splice @words, 0, $groups) {
    my $group;
    $is_open &&= sysopen($group, $path, O_WRONLY) && syswrite $group, $zero;
  }
  my @opened;
  for my $word (splice @words, 0, $count) {
    my ($as, $ours, $flags) = split / /, $word;
    my $file_of_ours = $is_open && reopen($ours, $flags + 0);
    $is_open &&= $file_of_ours;
    next unless $is_open;
    push @opened, [$as, syscall SYS_fcntl, fileno $file_of_ours, F_DUPFD_CLOEXEC, $count + $first_content_fd];
  }
  if (!$is_open) {
    refuse_start($order);
    quit(1);
  }
  syscall SYS_dup3, $_->[1] + 0, $_->[0] + 0, 0 for @opened;
  my $line = qq({"starter-pid": $$}\n);
  syscall SYS_write, $status + 0, $line, length $line;
  delete $ENV{LD_BIND_NOW};
  { exec { $words[0] } @words }
  return quit(1);
}

sub refuse_start { my ($order) = @_; return syswrite STDOUT, "unstarted $order\n" }

sub pass_on {
  my ($template, $clone, $secret, $in, $out, $err, $request, @groups) = @_;
  my $zygote = $zygotes{$template} or return;
  my @files = (reopen($in, O_RDONLY), reopen($out, O_WRONLY), reopen($err, O_WRONLY), reopen($request, O_RDONLY));
  return if grep { !defined } @files[0 .. 3];
  for my $path (@groups) {
    sysopen my $group, pack('H*', $path), O_WRONLY or return;
    push @files, $group;
  }
  return send_message(fileno $zygote, "$clone $secret", map { fileno $_ } @files);
}

# Reads what all clones of a template have in common: NUL-separated words, lists after their lengths.
sub read_setup {
  my ($file) = @_;
  local $/ = undef;
  my @words = split /\0/, <$file>, -1;
  my $list = sub { return splice @words, 0, shift @words };
  my %setup = (cwd => shift @words, filter => pack 'H*', shift @words);
  @setup{'namespaces', 'network'} = splice @words, 0, 2;
  @setup{'argv', 'env'} = ([$list->()], [$list->()]);
  for (1 .. shift @words) { push @{ $setup{fresh} }, [splice(@words, 0, 4), $list->()] }
  return \%setup;
}

sub be_zygote {
  my ($socket, $pid, $setup, $pipe) = @_;
  die_with_parent();
  # The engine's user, whom bubblewrap maps to root of the mounts but not inside the sandbox.
  my ($uid, $gid) = ($< + 0, $( + 0);
  my $of = read_setup($setup);
  $of->{mask} = umask;
  sysopen my $mounts, "/proc/$pid/ns/mnt", O_RDONLY or quit(1);
  my $owner = ioctl $mounts, NS_GET_USERNS, 0 or quit(1);
  quit(1) if syscall(SYS_setns, $owner + 0, CLONE_NEWUSER) < 0 || syscall(SYS_setns, fileno $mounts, CLONE_NEWNS) < 0;
  # The change of capabilities cleared it.
  die_with_parent();
  quit(1) if getppid != $host;
  @{$of}{'uids', 'gids'} = ("$uid " . ($< + 0) . ' 1', "$gid " . ($( + 0) . ' 1');
  umask 0;
  $report = syscall SYS_fcntl, fileno $pipe, F_DUPFD_CLOEXEC, $ZYGOTE_FD;
  my $orders = syscall SYS_fcntl, fileno $socket, F_DUPFD_CLOEXEC, $ZYGOTE_FD;
  # A descriptor that is received gets the lowest free number, which must be above all that a shell is given.
  close_range(0, $ZYGOTE_FD - 1);
  for (0 .. $first_free_fd - 1) { syscall SYS_openat, AT_FDCWD, $null, O_RDWR | O_CLOEXEC, 0 }
  report_on(0, '{"template": true}');
  return make_clones($orders, $of);
}

# Makes a clone for each message. At the end of the messages it waits for its last clone to end.
sub make_clones {
  my ($orders, $of) = @_;
  my %clones;
  my $watched = q();
  vec($watched, $orders, 1) = 1;
  while (vec($watched, $orders, 1) || %clones) {
    next if select(my $ready = $watched, undef, undef, undef) < 0;
    for my $fd (keys %clones) {
      next unless vec $ready, $fd, 1;
      my ($clone, $pid) = @{ delete $clones{$fd} };
      vec($watched, $fd, 1) = 0;
      close_range($fd, $fd);
      waitpid $pid, 0;
      report_on($clone, sprintf '{"exit-code": %d}', exit_status($?));
    }
    next unless vec $ready, $orders, 1;
    my ($text, @files) = received($orders);
    if (!defined $text) { vec($watched, $orders, 1) = 0; next }
    my ($pid, $pidfd) = make_clone($of, $text, @files) or next;
    $clones{$pidfd} = [$id, $pid];
    vec($watched, $pidfd, 1) = 1;
    report_on($id, qq({"child-pid": $pid}));
  }
  return quit(0);
}

# Receives one message and its descriptors; nothing at the end.
sub received {
  my ($socket) = @_;
  my ($data, $control) = ("\0" x 512, "\0" x 128);
  # Perl shares these buffers with its constants until they are changed, and the kernel is to write to them.
  vec($_, 0, 8) = 1 for $data, $control;
  my $vector = pack 'J2', address_of($data), length $data;
  my $message = message_header(\$vector, \$control);
  my $length = syscall SYS_recvmsg, $socket, $message, 0;
  return if $length <= 0;
  my @files = unpack 'i*', substr $control, CONTROL_HEADER, unpack('J', $control) - CONTROL_HEADER;
  return (substr($data, 0, $length), @files);
}

# Returns the pid of a new init and a descriptor for it; nothing if there is none.
sub make_clone {
  my ($of, $text, @files) = @_;
  ($id, my $secret) = split / /, $text;
  my $pidfd = pack 'i', -1;
  my $pid = syscall SYS_clone, CLONE_NEWPID | CLONE_PIDFD | SIGCHLD, 0, $pidfd, 0, 0;
  if ($pid == 0) {
    $SIG{__DIE__} = sub { fail($_[0]) };
    be_init($of, $secret, @files);
  }
  close_range($_, $_) for @files;
  return ($pid, unpack 'i', $pidfd) if $pid > 0;
  report_on($id, '{"failed": "no process could be made"}');
  report_on($id, '{"over": true}');
  return;
}

sub be_init {
  my ($of, $secret, $in, $out, $err, $request, @groups) = @_;
  die_with_parent();
  for (@groups) { syscall(SYS_write, $_, $zero, 1) == 1 or fail('cannot join a cgroup') }
  syscall(SYS_unshare, $of->{namespaces} + 0) == 0 or fail('namespaces could not be made');
  !$of->{network} || set_interface('lo', IFF_UP | IFF_RUNNING) or fail('the loopback did not come up');
  syscall(SYS_setdomainname, $secret, length $secret) == 0
    or fail('it could not be named');
  # /proc becomes read-only in the end; it is written to through a second mount of it that is attached nowhere.
  my $proc;
  for my $mount (@{ $of->{fresh} }) {
    my ($type, $at) = @{$mount};
    my $mounted = mount_fresh(@{$mount});
    $proc = $mounted if $type eq 'proc';
  }
  my $shell = syscall SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0;
  be_shell($of, $proc, $in, $out, $err, $request) if $shell == 0;
  fail('no process could be made') if $shell < 0;
  close_range(0, $report - 1);
  close_range($report + 1, $MAX_FD);
  drop_capabilities() or fail('capabilities could not be dropped');
  my $ended;
  do { $ended = wait } until $ended == $shell || $ended < 0;
  my $status = exit_status($?);
  my $left;
  do { $left = waitpid -1, WNOHANG } until $left <= 0;
  if ($left == 0) {
    # The engine looks at what the command left running, and kills this init.
    report_on($id, qq({"status": $status}));
    1 while wait > 0;
  }
  return quit($status);
}

# Mounts a file system anew and moves there what the template has mounted below the old one. Returns an unattached
# copy of /proc.
sub mount_fresh {
  my ($type, $at, $flags, $data, @below) = @_;
  my $old = syscall SYS_openat, AT_FDCWD, $at, O_PATH, 0;
  syscall(SYS_mount, $type, $at, $type, $flags & ~MS_RDONLY, $data) == 0 or fail("$at could not be mounted");
  my $unattached = $type eq 'proc' ? syscall(SYS_open_tree, AT_FDCWD, $at, OPEN_TREE_CLONE) : undef;
  if ($flags & MS_RDONLY) {
    syscall(SYS_mount, $at, $at, $type, MS_BIND | MS_REMOUNT | $flags, $data) == 0
      or fail("$at could not be made read-only");
  }
  for my $entry (@below) {
    my ($kind, $path) = (substr($entry, 0, 1), substr $entry, 1);
    make_entry("$at/$path", $kind) if $type eq 'tmpfs';
    my $target = "$at/$path";
    syscall(SYS_move_mount, $old, $path, AT_FDCWD, $target, 0) == 0 or fail("$target could not be moved");
  }
  return $unattached;
}

# Makes a directory (d) or an empty file (f) to mount on.
sub make_entry {
  my ($path, $kind) = @_;
  my ($above) = $path =~ m{^(.*)/};
  -d $above or make_entry($above, 'd');
  if ($kind eq 'd') { mkdir $path, 0755 } else { sysopen my $file, $path, O_WRONLY | O_CREAT, 0444 }
  return;
}

sub write_below {
  my ($directory, $path, $text) = @_;
  my $file = syscall SYS_openat, $directory, $path, O_WRONLY, 0;
  return syscall(SYS_write, $file, $text, length $text) > 0;
}

sub set_ids {
  my ($of, $proc) = @_;
  for (['self/setgroups', 'deny'], ['self/uid_map', $of->{uids}], ['self/gid_map', $of->{gids}]) {
    my ($path, $text) = @{$_};
    write_below($proc, $path, $text) or fail("$path could not be written");
  }
  write_below($proc, $limit, $zero) or fail('further user namespaces could not be refused');
  return;
}

sub be_shell {
  my ($of, $proc, $in, $out, $err, $request) = @_;
  set_ids($of, $proc);
  for (0 .. LAST_CAPABILITY) { last if syscall(SYS_prctl, PR_CAPBSET_DROP, $_, 0, 0, 0) < 0 }
  drop_capabilities() or fail('capabilities could not be dropped');
  syscall(SYS_setsid) >= 0 && chdir $of->{cwd} or fail('its directory could not be entered');
  my ($shell, @words) = @{ $of->{argv} };
  my $filter = pack 'S x6 J', length($of->{filter}) / 8, address_of($of->{filter});
  syscall SYS_dup3, $in, 0, 0;
  syscall SYS_dup3, $out, 1, 0;
  syscall SYS_dup3, $err, 2, 0;
  syscall SYS_dup3, $request, $request_fd, 0;
  syscall SYS_dup3, $report, $ready_fd, 0;
  $report = $ready_fd;
  close_range(3, $request_fd - 1);
  close_range($request_fd + 1, $ready_fd - 1);
  close_range($ready_fd + 1, $MAX_FD);
  umask $of->{mask};
  %ENV = map { split /=/, $_, 2 } @{ $of->{env} };
  syscall(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
    && syscall(SYS_prctl, PR_SET_SECCOMP, SECCOMP_MODE_FILTER, $filter, 0, 0) == 0
    or fail('the seccomp filter could not be set');
  { exec {$shell} $shell, @words }
  return fail('the shell could not be started');
}

$SIG{CHLD} = 'IGNORE';
reopen($to_try, O_RDONLY) or exit 1;
syswrite STDOUT, "ready\n";
my $rest = q();
while (sysread STDIN, $rest, 65536, length $rest) {
  obey(split / /, $1) while $rest =~ s/^([^\n]*)\n//;
}
quit(0);
