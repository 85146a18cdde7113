# Covers one path in a running sandbox with /dev/null.
# Arguments: the architecture, the pid of the sandbox's init, the path there. Exit status 0 if it is covered.
use strict;
use Syscalls;

my ($pid, $path) = @ARGV;
# A system call takes no constant for a string.
my ($null, $none) = ('/dev/null', q());
sysopen my $mounts, "/proc/$pid/ns/mnt", O_RDONLY or exit 1;
my $owner = ioctl $mounts, NS_GET_USERNS, 0 or exit 1;
exit 1 if syscall(SYS_setns, $owner + 0, CLONE_NEWUSER) < 0 || syscall(SYS_setns, fileno $mounts, CLONE_NEWNS) < 0;
exit 1 if syscall(SYS_mount, $null, $path, $none, MS_BIND, $none) < 0;
