import { quoted } from './plain-tools.js'

const CLIENT = String.raw`
use IO::Socket::INET;
my ($how, $host, $port, $path) = @ARGV;
my ($proxy) = $ENV{http_proxy} =~ m{//(.*)};
my $s = IO::Socket::INET->new($proxy) or die "no proxy at $proxy";
my $head = "Host: $host:$port\r\nConnection: close\r\n\r\n";
my $target = $path;
if ($how eq "tunnel") {
  print $s "CONNECT $host:$port HTTP/1.1\r\n$head";
  my (undef, $status) = split " ", <$s>;
  if ($status != 200) { print $status; exit 1 }
  while (<$s> ne "\r\n") {}
} else { $target = "http://$host:$port$path" }
print $s "GET $target HTTP/1.1\r\n$head";
local $/;
my ($top, $body) = split /\r\n\r\n/, <$s>, 2;
my (undef, $status) = split " ", $top;
print $status == 200 ? $body : $status;
exit($status == 200 ? 0 : 1);
`

/**
 * Returns a command that asks the sandbox's proxy for a page in one way, and prints the page or the status of the
 * refusal.
 */
export const askingProxy = (how: 'HTTP' | 'tunnel', host: string, port: number, path = '/'): string =>
  `perl -e ${quoted(CLIENT)} ${how} ${host} ${port} ${quoted(path)}`
