# Stops processes when they write to a pipe: bubblewrap, when it reports the exit status. Each is registered as the
# receiver of SIGIO for the pipe, with SIGSTOP as the signal, so the kernel stops it in the system call that writes. The
# registration lasts as long as the pipe is open here.
#
# Arguments: the architecture, the pid of the engine.
# Input: "hold PID FD", with a descriptor of the engine that reads from the pipe, which is answered by "held PID" or
# "failed PID"; and "release PID".
use strict;
use Syscalls;

my ($engine) = @ARGV;
my %held;
$0 = "cordon-exit-hold $engine";
syswrite STDOUT, "ready\n";
while (defined(my $line = <STDIN>)) {
  my ($what, $pid, $fd) = split / |\n/, $line;
  if ($what ne 'hold') {
    delete $held{$pid};
    next;
  }
  my $pipe;
  my $is_held = sysopen($pipe, "/proc/$engine/fd/$fd", O_RDONLY | O_NONBLOCK)
    && fcntl($pipe, F_SETOWN, $pid + 0)
    && fcntl($pipe, F_SETSIG, SIGSTOP)
    && fcntl($pipe, F_SETFL, O_NONBLOCK | O_ASYNC);
  $held{$pid} = $pipe if $is_held;
  syswrite STDOUT, ($is_held ? 'held' : 'failed') . " $pid\n";
}
