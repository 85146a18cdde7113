# Reads and writes extended attributes, which Node cannot.
# Arguments: the architecture. One line in, one line out, in order; paths, names and values are hexadecimal, so no
# byte has a meaning.
#
#   read <path>...                      for each path: name:value,name:value or ! if it could not be read
#   strip <path>...                     removes what overlayfs has noted; for each path: nothing, or ! if that failed
#   write <path> <name:value>...        sets exactly these; ok, or the reason why not
use strict;
use Syscalls;

my ($MOST, $FAILED) = (65536, q(!));
my $room = "\0" x $MOST;
$| = 1;

# Returns the names of all attributes, or nothing if they could not be read.
sub all_names {
  my ($path) = @_;
  my $length = syscall SYS_llistxattr, $path, $room, $MOST;
  return $length < 0 ? undef : [split /\0/, substr $room, 0, $length];
}

# Returns the names of those that are the user's own.
sub own_names {
  my ($path) = @_;
  my $all = all_names($path) or return;
  return [grep { /^(user[.](?!overlay[.])|system[.]posix_acl_)/ } @{$all}];
}

sub value_of {
  my ($path, $name) = @_;
  my $length = syscall SYS_lgetxattr, $path, $name, $room, $MOST;
  return $length < 0 ? undef : substr $room, 0, $length;
}

sub remove {
  my ($path, $name) = @_;
  return syscall(SYS_lremovexattr, $path, $name) >= 0;
}

sub look {
  my ($path) = @_;
  my $names = own_names($path) or return $FAILED;
  my @found;
  for my $name (@{$names}) {
    my $value = value_of($path, $name);
    return $FAILED unless defined $value;
    push @found, unpack('H*', $name) . q(:) . unpack 'H*', $value;
  }
  return join q(,), @found;
}

sub strip {
  my ($path) = @_;
  my $all = all_names($path) or return $FAILED;
  for my $name (grep { /^user[.]overlay[.]/ } @{$all}) { remove($path, $name) or return $FAILED }
  return q();
}

sub put {
  my ($path, @words) = @_;
  my %wanted = map { my ($name, $value) = split /:/; (pack('H*', $name), pack 'H*', $value // q()) } @words;
  my $names = own_names($path) or return "$!";
  for my $name (grep { !exists $wanted{$_} } @{$names}) { remove($path, $name) or return "$!" }
  for my $name (sort keys %wanted) {
    my ($now, $value) = (value_of($path, $name), $wanted{$name});
    next if defined $now && $now eq $value;
    return "$!" if syscall(SYS_lsetxattr, $path, $name, $value, length $value, 0) < 0;
  }
  return 'ok';
}

sub answer {
  my ($verb, @words) = @_;
  my @decoded = map { pack 'H*', $_ } $verb eq 'write' ? shift @words : @words;
  return put(@decoded, @words) if $verb eq 'write';
  return join q( ), map { $verb eq 'read' ? look($_) : strip($_) } @decoded;
}

while (defined(my $line = <STDIN>)) {
  chomp $line;
  print answer(split / /, $line), "\n";
}
