/**
 * The part of a nurse that gives each wall its network. To make one and to take it apart is a sixth of all a wall costs, and most commands use
 * none. So a network whose command is over, and every process of it dead, serves another wall, if nothing shows that it was ever used: no socket is
 * left, no packet was sent, no attempt refused, no flow named. What could change anything else in it takes capabilities that no command has, and sockets
 * of other families the filter refuses. At no time is it the network of two.
 *
 * `fresh_network` enters one and returns a descriptor for it, 0 where it cannot be used again; nothing where there is none to be had.
 */
export const NETWORK_REUSE = `
my (@spare, %unused);
my @traces = qw(self/net/sockstat self/net/dev self/net/snmp self/net/snmp6 self/net/ip6_flowlabel);
my $page = ' ' x 65536;
vec($page, 0, 8) = 32;

sub trace {
  my ($proc, $path) = @_;
  my $file = syscall CALL_openat, $proc, $path, 0x80000, 0;
  return '' if $file < 0;
  my $length = syscall CALL_read, $file, $page, length $page;
  syscall CALL_close_range, $file, $file, 0;
  my $text = substr $page, 0, $length < 0 ? 0 : $length;
  # Only its first line is about this network alone.
  $text =~ s/\\n.*//s if $path =~ /sockstat/;
  $text;
}

sub is_unused { my ($proc) = @_; for (@traces) { return if trace($proc, $_) ne $unused{$_} } 1 }

sub fresh_network {
  my ($proc) = @_;
  while (@spare) {
    my $network = shift @spare;
    return $network if syscall(CALL_setns, $network, 0x40000000) == 0 && is_unused($proc);
    syscall CALL_close_range, $network, $network, 0;
  }
  my ($any, $up) = (undef, pack 'a16 s x22', 'lo', 0x41);
  return if syscall(CALL_unshare, 0x40000000) < 0 || !socket($any, 2, 2, 0) || !ioctl $any, 0x8914, $up;
  my $network = ioctl $any, 0x894c, 0;
  close $any;
  unless (%unused) { $unused{$_} = trace($proc, $_) for @traces }
  $network && $unused{$traces[0]} eq 'sockets: used 0' && $unused{$traces[1]} =~ /\\blo:/ ? $network + 0 : 0;
}

sub spared { my ($network) = @_; if (@spare < 8) { push @spare, $network } else { syscall CALL_close_range, $network, $network, 0 } }
`
