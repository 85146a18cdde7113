/** Numbers of the system calls the keeper makes itself. */
const CALLS = {
  x64: { capset: 126, exit_group: 231, prctl: 157, sendmsg: 46, setns: 308, unshare: 272 },
  arm64: { capset: 91, exit_group: 94, prctl: 167, sendmsg: 211, setns: 268, unshare: 97 },
} as const

/** After so many messages about one network each takes a millisecond: a command can ask and connect without end, and the engine has others. */
const FAST_MESSAGES = 1_000

/**
 * The keeper. It makes networks, one process for each, and speaks with the engine as Node's own children do: a line of JSON for each
 * message, a descriptor along with it where the line says so. The engine's orders are strings, words between blanks.
 *
 * A network is two namespaces. The wall joins the inner one, which has a loopback and one cable. The cable ends in the outer one, where every
 * address there is leads to the process that listens: nothing goes on from there, and whatever a program listens on inside is
 * out of its way. The process hands every connection to the engine and passes on what is asked of a name server. When all is made it can do
 * nothing to either namespace any more, and it ends when its orders do.
 */
const SCRIPT = `
use strict;
my $channel = $ENV{NODE_CHANNEL_FD} + 0;
my $keeper = $$;
my (%networks, $id, $count, $watched, %listeners, %resolvers, $kernel);
$SIG{PIPE} = 'IGNORE';
my ($newuser, $newnet) = (0x10000000, 0x40000000);
# The inner end of the cable; both ends have one hardware address, so that neither has to ask for the other's.
my ($four, $six, $hardware) = (pack('C4', 198, 18, 0, 1), pack('H*', 'fd636f72646f6e00' . '0' x 15 . '1'), pack 'H*', '02636f72646e');

sub address { unpack 'J', pack 'P', $_[0] }

# A line goes in one piece, whoever else is writing.
sub told {
  my ($line, $file) = ("$_[0]\\n", $_[1]);
  my $vector = pack 'J2', address($line), length $line;
  my $control = defined $file ? pack 'J i i i x4', 20, 1, 1, fileno $file : '';
  my $message = pack 'J7', 0, 0, address($vector), 1, length $control ? (address($control), length $control) : (0, 0), 0;
  syscall CALL_sendmsg, $channel, $message, 0x4000;
  select undef, undef, undef, 0.001 if defined $count && ++$count > ${FAST_MESSAGES};
}
sub failed { my $why = "$_[0]: $!"; $why =~ tr/\\\\"\\n//d; told(qq({"network":$id,"failed":"$why"})); exit 1 }
sub written { my ($path, $text) = @_; my $file; sysopen($file, $path, 1) && defined syswrite($file, $text) or failed("$path could not be written") }
sub dies_with_keeper { syscall CALL_prctl, 1, 9, 0, 0, 0; exit 1 if getppid != $keeper }

sub found {
  my ($within, $loopback, $ports, $servers) = @_;
  pipe(my $orders, my $ours) && pipe(my $life, my $alive) or return told(qq({"network":$id,"failed":"no pipe could be made"}));
  my $pid = fork;
  return told(qq({"network":$id,"failed":"no process could be made"})) unless defined $pid;
  if ($pid == 0) {
    close $ours;
    close $life;
    %networks = ();
    ($watched, $count) = ('', 0);
    dies_with_keeper();
    enclosed($within);
    up('lo', 0x41) or failed('the loopback did not come up');
    listens(split /:/, $_) for split /,/, $loopback;
    my $proxy = listens('7f000001', 0) or failed('the proxy could not listen');
    my $is_open = cabled([split /,/, $ports], [split /,/, $servers]);
    without_capabilities();
    told(sprintf '{"network":%d,"pid":%d,"port":%d,"isOpen":%s}', $id, $$, unpack('x2 n', getsockname $proxy), $is_open ? 'true' : 'false');
    tend($orders);
    syscall CALL_exit_group, 0;
  }
  $networks{$id} = { id => $id, pid => $pid, orders => $ours, life => $life };
}

# A network is joined through the user namespace it belongs to.
sub enclosed {
  my ($within) = @_;
  if ($within) {
    sysopen(my $owner, "/proc/$within/ns/user", 0) or failed('the transaction is gone');
    syscall(CALL_setns, fileno $owner, $newuser) == 0 or failed('the transaction could not be entered');
    syscall(CALL_unshare, $newnet) == 0 or failed('a network could not be made');
  } else {
    my ($uid, $gid) = ($> + 0, $) + 0);
    syscall(CALL_unshare, $newuser | $newnet) == 0 or failed('a network could not be made');
    written('/proc/self/setgroups', 'deny');
    written('/proc/self/uid_map', "$uid $uid 1");
    written('/proc/self/gid_map', "$gid $gid 1");
  }
  # Or whoever is to join it could not look it up.
  syscall CALL_prctl, 4, 1, 0, 0, 0;
  dies_with_keeper();
}

sub up { my ($any, $up) = (undef, pack 'a16 s x22', @_); socket($any, 2, 2, 0) && ioctl($any, 0x8914, $up) }
sub attribute { my ($type, $data) = @_; pack 'S S a* x' . (-length($data) & 3), 4 + length $data, $type, $data }
sub asked {
  my ($type, $body) = @_;
  my $answer;
  send($kernel, pack('L S S L L a*', 16 + length $body, $type, 0x605, 1, 0, $body), 0) or return;
  defined recv($kernel, $answer, 4096, 0) && (unpack 'x16 l', $answer) == 0;
}
sub route { my ($family, $bits, $type, @attributes) = @_; asked(24, pack('C8 L', $family, $bits, 0, 0, 254, 4, $type == 2 ? 254 : 253, $type, 0) . join '', @attributes) }
sub number_of {
  socket(my $any, 2, 2, 0);
  my $asked = pack 'a16 x24', $_[0];
  ioctl($any, 0x8933, $asked) ? substr $asked, 16, 4 : undef;
}

# From the outer namespace, in which the process then leaves its sockets. Without one there is still the proxy. Old kernels have no IPv6.
sub cabled {
  my ($ports, $servers) = @_;
  sysopen(my $inside, '/proc/self/ns/net', 0) && syscall(CALL_unshare, $newnet) == 0 or return 0;
  my $is_made = up('lo', 0x41) && outer_end($inside);
  if ($is_made) {
    answers($_) for grep !/^7f/, @$servers;
    listens('0' x 32, $_) || listens('0' x 8, $_) for @$ports;
  }
  syscall(CALL_setns, fileno $inside, $newnet) == 0 or failed('the network was lost');
  return 0 unless $is_made && inner_end();
  answers($_) for grep /^7f/, @$servers;
  1;
}

sub outer_end {
  my ($inside) = @_;
  socket($kernel, 16, 3, 0) or return;
  my $end = pack('x16') . attribute(1, $hardware);
  my $peer = $end . attribute(3, "hosts\\0") . attribute(28, pack 'L', fileno $inside);
  asked(16, $end . attribute(3, "cordon0\\0") . attribute(18, attribute(1, 'veth') . attribute(2, attribute(1, $peer)))) or return;
  up('cordon0', 0x81) or return;
  my ($loopback, $cable) = (attribute(4, pack 'L', 1), attribute(4, number_of('cordon0') // return));
  route(2, 0, 2, $loopback) && route(2, 32, 1, $cable, attribute(1, $four)) or return;
  route(10, 0, 2, $loopback) && route(10, 128, 1, $cable, attribute(1, $six));
  1;
}

sub inner_end {
  socket($kernel, 16, 3, 0) or return;
  my $number = number_of('hosts') // return;
  up('hosts', 0x81) or return;
  my $cable = attribute(4, $number);
  asked(20, pack('C4 a4', 2, 32, 0, 0, $number) . attribute(2, $four) . attribute(1, $four)) && route(2, 0, 1, $cable) or return;
  asked(20, pack('C4 a4', 10, 128, 2, 0, $number) . attribute(1, $six)) && route(10, 0, 1, $cable);
  1;
}

sub without_capabilities {
  my ($header, $none) = (pack('L i', 0x20080522, 0), "\\0" x 24);
  syscall(CALL_capset, $header, $none) == 0 or failed('capabilities could not be dropped');
}

sub bound {
  my ($kind, $at, $port) = @_;
  my $address = pack 'H*', $at;
  my $is_four = length $address == 4;
  socket(my $socket, $is_four ? 2 : 10, $kind | 0x800, 0) or return;
  # One address of IPv6 alone, though it be on no interface; the wildcard for IPv4 as well.
  setsockopt($socket, 41, 26, pack 'i', $at =~ /[^0]/ ? 1 : 0), setsockopt($socket, 41, 78, pack 'i', 1) unless $is_four;
  bind($socket, $is_four ? pack 'S n a4 x8', 2, $port, $address : pack 'S n L a16 L', 10, $port, 0, $address, 0) or return;
  vec($watched, fileno $socket, 1) = 1;
  $socket;
}

sub listens {
  my ($at, $port) = @_;
  my $socket = bound(1, $at, $port) or return;
  listen $socket, 128 or return;
  $listeners{fileno $socket} = $socket;
}

sub answers {
  my ($at) = @_;
  my $socket = bound(2, $at, 53) or return;
  $resolvers{fileno $socket} = $socket;
}

sub tend {
  my ($orders) = @_;
  my ($rest, $is_settling) = ('', 0);
  vec($watched, fileno $orders, 1) = 1;
  for (;;) {
    # Asked to, it says when there is nothing left to be done.
    my $count = select my $ready = $watched, undef, undef, $is_settling ? 0 : undef;
    told(qq({"network":$id,"isSettled":true})), $is_settling = 0 if $count == 0;
    next if $count <= 0;
    if (vec $ready, fileno $orders, 1) {
      sysread $orders, $rest, 65536, length $rest or return;
      while ($rest =~ s/^([^\\n]*)\\n//) {
        my ($number, $peer, $answer) = split / /, $1;
        $is_settling = 1 unless defined $number;
        send $resolvers{$number}, pack('H*', $answer), 0, pack 'H*', $peer if defined $number && $resolvers{$number};
      }
    }
    for my $number (grep { vec $ready, $_, 1 } keys %resolvers) {
      my $peer = recv($resolvers{$number}, my $question, 4096, 0);
      told(sprintf '{"network":%d,"from":"%d %s","asks":"%s"}', $id, $number, unpack('H*', $peer), unpack 'H*', $question) if defined $peer;
    }
    for my $number (grep { vec $ready, $_, 1 } keys %listeners) {
      accept(my $client, $listeners{$number}) or next;
      fcntl $client, 4, 0x802;
      told(qq({"cmd":"NODE_HANDLE","type":"net.Socket","msg":{"network":$id}}), $client);
    }
  }
}

# Until the engine has closed a network, nobody else can be given the number of its process, whatever became of it.
sub ended {
  my ($network) = @_;
  waitpid $network->{pid}, 0;
  delete $networks{$network->{id}};
}

sub ordered {
  (my $what, $id, my @words) = split / /, $_[0];
  my $network = $networks{$id};
  if ($what eq 'open') { found(@words) }
  elsif ($network && $what eq 'close') { delete $network->{orders}; ended($network) unless $network->{life} }
  elsif ($network && $network->{orders}) { syswrite $network->{orders}, "@words\\n" }
}

open(my $engine, '+<&=', $channel) or exit 1;
my $rest = '';
for (;;) {
  my $ready = '';
  vec($ready, $_, 1) = 1 for $channel, map { $_->{life} ? fileno $_->{life} : () } values %networks;
  next if select($ready, undef, undef, undef) <= 0;
  for my $network (grep { $_->{life} && vec $ready, fileno $_->{life}, 1 } values %networks) {
    delete $network->{life};
    if ($network->{orders}) { told(qq({"network":$network->{id},"isLost":true})) } else { ended($network) }
  }
  next unless vec $ready, $channel, 1;
  sysread $engine, $rest, 65536, length $rest or last;
  # What is no string is Node's own.
  while ($rest =~ s/^([^\\n]*)\\n//) { ordered($1) if $1 =~ /^"([^"\\\\]*)"$/ }
}
%networks = ();
1 while wait > 0;
`

/** The keeper for this kind of machine; null where the numbers of its system calls are not known. */
export function networkScript(architecture: string = process.arch): string | null {
  if (architecture !== 'x64' && architecture !== 'arm64') return null
  const calls: Readonly<Record<string, number>> = CALLS[architecture]
  return SCRIPT.replace(/CALL_(\w+)/g, (_, name: string) => `${calls[name]}`)
}
