# Holds the system calls and kernel constants of the Perl helpers. Modules of Perl itself would double the time a
# helper takes to start, and a minimal Perl (Debian's perl-base) lacks most of them.
#
# The first argument of every helper is the architecture in Node's terms. Each name of the table becomes a function
# SYS_<name>.
package Syscalls;
use strict;

our %CALLS = (
  x64 => {
    capset        => 126,
    clone         => 56,
    close_range   => 436,
    dup3          => 292,
    exit_group    => 231,
    fcntl         => 72,
    lgetxattr     => 192,
    llistxattr    => 195,
    lremovexattr  => 198,
    lsetxattr     => 189,
    mount         => 165,
    move_mount    => 429,
    open_tree     => 428,
    openat        => 257,
    prctl         => 157,
    recvmsg       => 47,
    sendmsg       => 46,
    setdomainname => 171,
    setns         => 308,
    setsid        => 112,
    unshare       => 272,
    write         => 1,
  },
  arm64 => {
    capset        => 91,
    clone         => 220,
    close_range   => 436,
    dup3          => 24,
    exit_group    => 94,
    fcntl         => 25,
    lgetxattr     => 9,
    llistxattr    => 12,
    lremovexattr  => 15,
    lsetxattr     => 6,
    mount         => 40,
    move_mount    => 429,
    open_tree     => 428,
    openat        => 56,
    prctl         => 167,
    recvmsg       => 212,
    sendmsg       => 211,
    setdomainname => 162,
    setns         => 268,
    setsid        => 157,
    unshare       => 97,
    write         => 64,
  },
);
# The kernel gives all newer architectures the same numbers.
$CALLS{$_} = $CALLS{arm64} for 'riscv64', 'loong64';

sub O_RDONLY ()   { 0 }
sub O_WRONLY ()   { 1 }
sub O_RDWR ()     { 2 }
sub O_CREAT ()    { 0x40 }
sub O_NONBLOCK () { 0x800 }
sub O_ASYNC ()    { 0x2000 }
sub O_CLOEXEC ()  { 0x80000 }
sub O_PATH ()     { 0x200000 }
sub AT_FDCWD ()   { -100 }

sub F_SETFL ()         { 4 }
sub F_SETOWN ()        { 8 }
sub F_SETSIG ()        { 10 }
sub F_DUPFD_CLOEXEC () { 1030 }

sub SIGKILL () { 9 }
sub SIGCHLD () { 17 }
sub SIGSTOP () { 19 }
sub WNOHANG () { 1 }

sub CLONE_PIDFD ()   { 0x1000 }
sub CLONE_NEWNS ()   { 0x20000 }
sub CLONE_NEWUSER () { 0x10000000 }
sub CLONE_NEWPID ()  { 0x20000000 }
sub CLONE_NEWNET ()  { 0x40000000 }
# Asks for the user namespace that owns another namespace.
sub NS_GET_USERNS () { 0xb701 }

sub MS_RDONLY ()       { 0x1 }
sub MS_REMOUNT ()      { 0x20 }
sub MS_BIND ()         { 0x1000 }
sub OPEN_TREE_CLONE () { 1 }

sub PR_SET_PDEATHSIG ()    { 1 }
sub PR_SET_DUMPABLE ()     { 4 }
sub PR_SET_SECCOMP ()      { 22 }
sub PR_CAPBSET_DROP ()     { 24 }
sub PR_SET_NO_NEW_PRIVS () { 38 }
sub SECCOMP_MODE_FILTER () { 2 }
sub LAST_CAPABILITY ()     { 63 }
sub CAPABILITY_VERSION ()  { 0x20080522 }

sub AF_UNIX ()        { 1 }
sub AF_INET ()        { 2 }
sub AF_INET6 ()       { 10 }
sub AF_NETLINK ()     { 16 }
sub SOCK_STREAM ()    { 1 }
sub SOCK_DGRAM ()     { 2 }
sub SOCK_RAW ()       { 3 }
sub SOCK_SEQPACKET () { 5 }
sub SOL_SOCKET ()     { 1 }
sub SCM_RIGHTS ()     { 1 }
sub MSG_NOSIGNAL ()   { 0x4000 }
sub SIOCSIFFLAGS ()   { 0x8914 }
sub SIOCGIFINDEX ()   { 0x8933 }
sub IFF_UP ()         { 0x1 }
sub IFF_RUNNING ()    { 0x40 }
sub IFF_NOARP ()      { 0x80 }

# Bytes of a control message before its descriptors.
sub CONTROL_HEADER () { 16 }
# Where in a message header the length of its control message is.
sub CONTROL_LENGTH_AT () { 40 }

sub address_of { return unpack 'J', pack 'P', $_[0] }

# Packs a message header for one piece of text and one control message. Both must outlive it, so they are passed by
# reference.
sub message_header {
  my ($vector, $control) = @_;
  my @control = length ${$control} ? (address_of(${$control}), length ${$control}) : (0, 0);
  return pack 'J7', 0, 0, address_of(${$vector}), 1, @control, 0;
}

# Sends a text in one piece, with descriptors if there are any. Returns whether that worked.
sub send_message {
  my ($socket, $text, @descriptors) = @_;
  my $control = @descriptors
    ? pack 'J i i i* x!8', CONTROL_HEADER + 4 * @descriptors, SOL_SOCKET, SCM_RIGHTS, @descriptors
    : '';
  my $vector = pack 'J2', address_of($text), length $text;
  my $message = message_header(\$vector, \$control);
  return syscall(SYS_sendmsg(), $socket, $message, MSG_NOSIGNAL) > 0;
}

sub die_with_parent { return syscall SYS_prctl(), PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0 }

# Ends the process without what Perl does at its end, which belongs to the process it was forked from.
sub quit {
  my ($status) = @_;
  return syscall SYS_exit_group(), $status + 0;
}

# Returns whether all capabilities of this process are gone.
sub drop_capabilities {
  my ($header, $none) = (pack('L i', CAPABILITY_VERSION, 0), "\0" x 24);
  return syscall(SYS_capset(), $header, $none) == 0;
}

# Sets the flags of a network interface.
sub set_interface {
  my ($name, $flags) = @_;
  my $request = pack 'a16 s x22', $name, $flags;
  my $any;
  return socket($any, AF_INET, SOCK_DGRAM, 0) && ioctl $any, SIOCSIFFLAGS, $request;
}

# Returns what failed and why, fit for a string of JSON.
sub failure_text {
  my $text = "$_[0]: $!";
  $text =~ tr/\\"\n//d;
  return $text;
}

# Makes SYS_<name> of the table, and everything above known to the program. A wrong name is then an error of `perl
# -c`.
sub import {
  my $architecture = shift @ARGV;
  my $calls = $CALLS{ $architecture // q() } or die "The system calls of this architecture are not known.\n";
  no strict 'refs';    ## no critic (ProhibitNoStrict)
  for my $name (keys %{$calls}) {
    my $number = $calls->{$name};
    *{"Syscalls::SYS_$name"} = sub () { $number };
  }
  for my $name (grep { $_ ne 'import' && defined &{"Syscalls::$_"} } keys %Syscalls::) {
    *{"main::$name"} = \&{"Syscalls::$name"};
  }
  return;
}

1;
