# The network helper. It makes networks of listed hosts, one process for each, and hands every connection that leaves
# them to the engine.
#
# Arguments: the architecture, after how many messages a network is slowed down.
#
# A network is two namespaces. The sandbox joins the inner one, which has a loopback and one end of a veth pair. The
# other end is in the outer one, where every address leads to the process that listens. Nothing is routed further, and
# programs inside can listen on any port. Once all is made, the process drops its capabilities. It ends with its orders.
#
# It speaks with the engine as Node's child processes do: one line of JSON for each message, with a descriptor where
# Node expects one. Orders are strings, words between blanks:
#   open <network> <pid of a transaction, or 0> <loopback listeners> <ports> <name servers>   lists with commas between
#   answer <network> <resolver> <peer> <bytes>           answers a question; hexadecimal
#   settle <network>                                     asks for isSettled after all earlier events are reported
#   close <network>
# Messages have "network" and one of:
#   pid, port, isOpen      it is made: the process whose namespace a sandbox joins, the proxy's port, whether other
#                          ports are served
#   failed                 why it could not be made
#   from, asks             a question for a name server
#   isSettled, isLost      its process has ended without having been asked to
# A connection is Node's own message NODE_HANDLE, with the socket.
use strict;
use Syscalls;

my ($fast_messages) = @ARGV;
my $channel = $ENV{NODE_CHANNEL_FD} + 0;
my $helper = $$;
my (%networks, $id, $count, $watched, %listeners, %resolvers, $kernel);
$SIG{PIPE} = 'IGNORE';
# The inner end of the veth pair. Both ends have one hardware address, so neither has to ask for the other's.
my ($four, $six) = (pack('C4', 198, 18, 0, 1), pack 'H*', 'fd636f72646f6e00' . '0' x 15 . '1');
my $hardware = pack 'H*', '02636f72646e';
my ($SLOW_SECONDS, $MAX_BYTES, $BACKLOG, $DNS_PORT) = (0.001, 65536, 128, 53);

# Message types of rtnetlink.
my ($RTM_NEWLINK, $RTM_NEWADDR, $RTM_NEWROUTE) = (16, 20, 24);
# NLM_F_REQUEST, NLM_F_ACK, NLM_F_EXCL, NLM_F_CREATE.
my $CREATE_FLAGS = 0x605;
my ($IFLA_ADDRESS, $IFLA_IFNAME, $IFLA_LINKINFO, $IFLA_NET_NS_FD) = (1, 3, 18, 28);
my ($IFLA_INFO_KIND, $IFLA_INFO_DATA, $VETH_INFO_PEER) = (1, 2, 1);
my ($IFA_ADDRESS, $IFA_LOCAL, $IFA_F_NODAD) = (1, 2, 2);
my ($RTA_DST, $RTA_OIF) = (1, 4);
my ($RTN_UNICAST, $RTN_LOCAL) = (1, 2);
my ($RT_TABLE_MAIN, $RTPROT_STATIC, $RT_SCOPE_HOST, $RT_SCOPE_LINK) = (254, 4, 254, 253);
my ($IPPROTO_IPV6, $IPV6_V6ONLY, $IPV6_FREEBIND) = (41, 26, 78);

# Writes a line in one piece, because other processes write too. A command can ask and connect without end, and the
# engine has other commands.
sub report {
  my ($line, $file) = @_;
  send_message($channel, "$line\n", defined $file ? fileno $file : ());
  pause() if defined $count && ++$count > $fast_messages;
  return;
}

sub pause {
  return select undef, undef, undef, $SLOW_SECONDS;    ## no critic (ProhibitSleepViaSelect)
}

sub fail {
  my $why = failure_text($_[0]);
  report(qq({"network":$id,"failed":"$why"}));
  exit 1;
}

sub write_file {
  my ($path, $text) = @_;
  my $file;
  sysopen($file, $path, O_WRONLY) && defined syswrite $file, $text or fail("$path could not be written");
  return;
}

sub die_with_helper {
  die_with_parent();
  exit 1 if getppid != $helper;
  return;
}

sub open_network {
  my @words = @_;
  pipe(my $orders, my $ours) && pipe(my $life, my $alive)
    or return report(qq({"network":$id,"failed":"no pipe could be made"}));
  my $pid = fork;
  return report(qq({"network":$id,"failed":"no process could be made"})) unless defined $pid;
  if ($pid == 0) {
    close $ours;
    close $life;
    %networks = ();
    ($watched, $count) = (q(), 0);
    be_network($orders, @words);
    quit(0);
  }
  $networks{$id} = { id => $id, pid => $pid, orders => $ours, life => $life };
  return;
}

sub be_network {
  my ($orders, $within, $loopback, $ports, $servers) = @_;
  die_with_helper();
  enter_namespaces($within);
  set_interface('lo', IFF_UP | IFF_RUNNING) or fail('the loopback did not come up');
  listen_on(split /:/, $_) for split /,/, $loopback;
  my $proxy = listen_on('7f000001', 0) or fail('the proxy could not listen');
  my $is_open = make_veth_pair([split /,/, $ports], [split /,/, $servers]);
  drop_capabilities() or fail('capabilities could not be dropped');
  my $port = unpack 'x2 n', getsockname $proxy;
  report(sprintf '{"network":%d,"pid":%d,"port":%d,"isOpen":%s}', $id, $$, $port, $is_open ? 'true' : 'false');
  return serve($orders);
}

# Joins a network through the user namespace that owns it.
sub enter_namespaces {
  my ($within) = @_;
  if ($within) {
    sysopen my $owner, "/proc/$within/ns/user", O_RDONLY or fail('the transaction is gone');
    syscall(SYS_setns, fileno $owner, CLONE_NEWUSER) == 0 or fail('the transaction could not be entered');
    syscall(SYS_unshare, CLONE_NEWNET) == 0 or fail('a network could not be made');
  } else {
    my ($uid, $gid) = ($> + 0, $) + 0);
    syscall(SYS_unshare, CLONE_NEWUSER | CLONE_NEWNET) == 0 or fail('a network could not be made');
    write_file('/proc/self/setgroups', 'deny');
    write_file('/proc/self/uid_map', "$uid $uid 1");
    write_file('/proc/self/gid_map', "$gid $gid 1");
  }
  # A sandbox that joins it must be able to read its /proc entries.
  syscall SYS_prctl, PR_SET_DUMPABLE, 1, 0, 0, 0;
  return die_with_helper();
}

sub attribute {
  my ($type, $data) = @_;
  return pack 'S S a* x' . (-length($data) & 3), 4 + length $data, $type, $data;
}

# Asks the kernel to create something. Returns whether it did.
sub create {
  my ($type, $body) = @_;
  my $answer;
  send($kernel, pack('L S S L L a*', 16 + length $body, $type, $CREATE_FLAGS, 1, 0, $body), 0) or return;
  return defined recv($kernel, $answer, 4096, 0) && (unpack 'x16 l', $answer) == 0;
}

sub create_route {
  my ($family, $bits, $type, @attributes) = @_;
  my $scope = $type == $RTN_LOCAL ? $RT_SCOPE_HOST : $RT_SCOPE_LINK;
  my $route = pack 'C8 L', $family, $bits, 0, 0, $RT_TABLE_MAIN, $RTPROT_STATIC, $scope, $type, 0;
  return create($RTM_NEWROUTE, $route . join q(), @attributes);
}

sub create_address {
  my ($family, $bits, $flags, $number, @attributes) = @_;
  return create($RTM_NEWADDR, pack('C4 a4', $family, $bits, $flags, 0, $number) . join q(), @attributes);
}

# Returns the number of an interface as four bytes.
sub number_of {
  my ($name) = @_;
  socket my $any, AF_INET, SOCK_DGRAM, 0;
  my $request = pack 'a16 x24', $name;
  return ioctl($any, SIOCGIFINDEX, $request) ? substr $request, 16, 4 : undef;
}

# Makes the veth pair from the outer namespace, in which the process leaves its sockets. Without a pair only the proxy
# works. Old kernels have no IPv6.
sub make_veth_pair {
  my ($ports, $servers) = @_;
  sysopen(my $inside, '/proc/self/ns/net', O_RDONLY) && syscall(SYS_unshare, CLONE_NEWNET) == 0 or return 0;
  my $is_made = set_interface('lo', IFF_UP | IFF_RUNNING) && make_outer_end($inside);
  if ($is_made) {
    answer_on($_) for grep { !/^7f/ } @{$servers};
    listen_on('0' x 32, $_) || listen_on('0' x 8, $_) for @{$ports};
  }
  syscall(SYS_setns, fileno $inside, CLONE_NEWNET) == 0 or fail('the network was lost');
  return 0 unless $is_made && make_inner_end();
  answer_on($_) for grep { /^7f/ } @{$servers};
  return 1;
}

sub make_outer_end {
  my ($inside) = @_;
  socket $kernel, AF_NETLINK, SOCK_RAW, 0 or return;
  my $end = pack('x16') . attribute($IFLA_ADDRESS, $hardware);
  my $peer = $end . attribute($IFLA_IFNAME, "hosts\0") . attribute($IFLA_NET_NS_FD, pack 'L', fileno $inside);
  my $data = attribute($IFLA_INFO_DATA, attribute($VETH_INFO_PEER, $peer));
  my $link = attribute($IFLA_LINKINFO, attribute($IFLA_INFO_KIND, 'veth') . $data);
  create($RTM_NEWLINK, $end . attribute($IFLA_IFNAME, "cordon0\0") . $link) or return;
  set_interface('cordon0', IFF_UP | IFF_NOARP) or return;
  my ($loopback, $veth) = (attribute($RTA_OIF, pack 'L', 1), attribute($RTA_OIF, number_of('cordon0') // return));
  create_route(AF_INET, 0, $RTN_LOCAL, $loopback) or return;
  create_route(AF_INET, 32, $RTN_UNICAST, $veth, attribute($RTA_DST, $four)) or return;
  create_route(AF_INET6, 0, $RTN_LOCAL, $loopback)
    && create_route(AF_INET6, 128, $RTN_UNICAST, $veth, attribute($RTA_DST, $six));
  return 1;
}

sub make_inner_end {
  socket $kernel, AF_NETLINK, SOCK_RAW, 0 or return;
  my $number = number_of('hosts') // return;
  set_interface('hosts', IFF_UP | IFF_NOARP) or return;
  my $veth = attribute($RTA_OIF, $number);
  create_address(AF_INET, 32, 0, $number, attribute($IFA_LOCAL, $four), attribute($IFA_ADDRESS, $four)) or return;
  create_route(AF_INET, 0, $RTN_UNICAST, $veth) or return;
  create_address(AF_INET6, 128, $IFA_F_NODAD, $number, attribute($IFA_ADDRESS, $six))
    && create_route(AF_INET6, 0, $RTN_UNICAST, $veth);
  return 1;
}

sub bind_socket {
  my ($kind, $at, $port) = @_;
  my $address = pack 'H*', $at;
  my $is_four = length $address == 4;
  socket(my $socket, $is_four ? AF_INET : AF_INET6, $kind | O_NONBLOCK, 0) or return;
  if (!$is_four) {
    # A single address serves IPv6 alone, though no interface has it; the wildcard serves IPv4 as well.
    setsockopt $socket, $IPPROTO_IPV6, $IPV6_V6ONLY, pack 'i', $at =~ /[^0]/ ? 1 : 0;
    setsockopt $socket, $IPPROTO_IPV6, $IPV6_FREEBIND, pack 'i', 1;
  }
  my $name = $is_four
    ? pack 'S n a4 x8', AF_INET, $port, $address
    : pack 'S n L a16 L', AF_INET6, $port, 0, $address, 0;
  bind $socket, $name or return;
  vec($watched, fileno $socket, 1) = 1;
  return $socket;
}

sub listen_on {
  my ($at, $port) = @_;
  my $socket = bind_socket(SOCK_STREAM, $at, $port) or return;
  listen $socket, $BACKLOG or return;
  return $listeners{ fileno $socket } = $socket;
}

sub answer_on {
  my ($at) = @_;
  my $socket = bind_socket(SOCK_DGRAM, $at, $DNS_PORT) or return;
  return $resolvers{ fileno $socket } = $socket;
}

sub serve {
  my ($orders) = @_;
  my ($rest, $is_settling) = (q(), 0);
  vec($watched, fileno $orders, 1) = 1;
  for (;;) {
    # While it settles, it reports that when nothing is left to do.
    my $found = select my $ready = $watched, undef, undef, $is_settling ? 0 : undef;
    if ($found == 0) {
      report(qq({"network":$id,"isSettled":true}));
      $is_settling = 0;
    }
    next if $found <= 0;
    if (vec $ready, fileno $orders, 1) {
      sysread $orders, $rest, $MAX_BYTES, length $rest or return;
      while ($rest =~ s/^([^\n]*)\n//) { answer_question(split / /, $1) or $is_settling = 1 }
    }
    pass_questions(grep { vec $ready, $_, 1 } keys %resolvers);
    pass_connections(grep { vec $ready, $_, 1 } keys %listeners);
  }
  return;
}

# Returns false for an empty answer, which asks to settle.
sub answer_question {
  my ($number, $peer, $answer) = @_;
  return 0 unless defined $number;
  send $resolvers{$number}, pack('H*', $answer), 0, pack 'H*', $peer if $resolvers{$number};
  return 1;
}

sub pass_questions {
  for my $number (@_) {
    my $peer = recv $resolvers{$number}, my $question, 4096, 0;
    next unless defined $peer;
    my ($from, $asks) = ($number . q( ) . unpack('H*', $peer), unpack 'H*', $question);
    report(qq({"network":$id,"from":"$from","asks":"$asks"}));
  }
  return;
}

sub pass_connections {
  for my $number (@_) {
    accept my $client, $listeners{$number} or next;
    fcntl $client, F_SETFL, O_RDWR | O_NONBLOCK;
    report(qq({"cmd":"NODE_HANDLE","type":"net.Socket","msg":{"network":$id}}), $client);
  }
  return;
}

# Until the engine has closed a network, no other process can get the pid of its process, even if that has ended.
sub forget {
  my ($network) = @_;
  waitpid $network->{pid}, 0;
  return delete $networks{ $network->{id} };
}

sub obey {
  (my $verb, $id, my @words) = split / /, $_[0];
  my $network = $networks{$id};
  if ($verb eq 'open') { open_network(@words) }
  elsif ($network && $verb eq 'close') {
    delete $network->{orders};
    forget($network) unless $network->{life};
  }
  elsif ($network && $network->{orders}) { syswrite $network->{orders}, "@words\n" }
  return;
}

sub report_ended {
  my ($ready) = @_;
  for my $network (grep { $_->{life} && vec $ready, fileno $_->{life}, 1 } values %networks) {
    delete $network->{life};
    if ($network->{orders}) { report(qq({"network":$network->{id},"isLost":true})) } else { forget($network) }
  }
  return;
}

open my $engine, '+<&=', $channel or exit 1;
my $rest = q();
for (;;) {
  my $ready = q();
  vec($ready, $_, 1) = 1 for $channel, map { $_->{life} ? fileno $_->{life} : () } values %networks;
  next if select($ready, undef, undef, undef) <= 0;
  report_ended($ready);
  next unless vec $ready, $channel, 1;
  sysread $engine, $rest, $MAX_BYTES, length $rest or last;
  # A message that is no string is Node's own.
  while ($rest =~ s/^([^\n]*)\n//) { obey($1) if $1 =~ /^"([^"\\]*)"$/ }
}
%networks = ();
1 while wait > 0;
