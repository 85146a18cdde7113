/** System calls of an attacker, with their numbers on x64 and arm64, listed independently of the filter. */
export const HOSTILE_CALLS: readonly (readonly [name: string, x64: number, arm64: number, ...args: number[]])[] = [
  ['unshare of user, mount, pid, net, ipc, uts, cgroup', 272, 97, 0x7e020000],
  ['unshare of time', 272, 97, 0x80],
  ['setns', 308, 268, 0, 0],
  ['clone into a user namespace', 56, 220, 0x10000011, 0, 0, 0, 0],
  ['clone3', 435, 435, 0, 88],
  ['mount', 165, 40, 0, 0, 0, 0, 0],
  ['umount2', 166, 39, 0, 0],
  ['pivot_root', 155, 41, 0, 0],
  ['chroot', 161, 51, 0],
  ['open_tree', 428, 428, 0, 0, 1],
  ['open_tree_attr', 467, 467, 0, 0, 1],
  ['move_mount', 429, 429, 0, 0, 0, 0, 0],
  ['fsopen', 430, 430, 0, 0],
  ['fsconfig', 431, 431, 0, 0, 0, 0, 0],
  ['fsmount', 432, 432, 0, 0, 0],
  ['fspick', 433, 433, 0, 0, 0],
  ['mount_setattr', 442, 442, 0, 0, 0, 0, 0],
  ['name_to_handle_at', 303, 264, 0, 0, 0, 0, 0],
  ['open_by_handle_at', 304, 265, 0, 0, 0],
  ['ptrace, attaching', 101, 117, 16, 1, 0, 0],
  ['ptrace, seizing', 101, 117, 0x4206, 1, 0, 0],
  ['ptrace, attaching, with bits the kernel does not look at', 101, 117, 16, 0x7_0000_0001, 0, 0],
  ['process_vm_readv', 310, 270, 1, 0, 0, 0, 0, 0],
  ['process_vm_writev, with bits the kernel does not look at', 311, 271, 0x7_0000_0001, 0, 0, 0, 0, 0],
  ['process_vm_writev', 311, 271, 1, 0, 0, 0, 0, 0],
  ['pidfd_getfd', 438, 438, 0, 0, 0],
  ['kcmp', 312, 272, 1, 1, 0, 0, 0],
  ['add_key', 248, 217, 0, 0, 0, 0, 0],
  ['request_key', 249, 218, 0, 0, 0, 0],
  ['keyctl', 250, 219, 0, 0, 0, 0, 0],
  ['bpf', 321, 280, 0, 0, 0],
  ['perf_event_open', 298, 241, 0, 0, 0, 0, 0],
  ['io_uring_setup', 425, 425, 1, 0],
  ['io_uring_enter', 426, 426, 0, 0, 0, 0, 0, 0],
  ['io_uring_register', 427, 427, 0, 0, 0, 0],
  ['userfaultfd', 323, 282, 1],
  ['fanotify_init', 300, 262, 0, 0],
  ['memfd_secret', 447, 447, 0],
  ['kexec_load', 246, 104, 0, 0, 0, 0],
  ['kexec_file_load', 320, 294, 0, 0, 0, 0, 0],
  ['init_module', 175, 105, 0, 0, 0],
  ['finit_module', 313, 273, 0, 0, 0],
  ['delete_module', 176, 106, 0, 0],
  ['reboot', 169, 142, 0, 0, 0, 0],
  ['swapon', 167, 224, 0, 0],
  ['acct', 163, 89, 0],
  ['quotactl', 179, 60, 0, 0, 0, 0],
  ['quotactl_fd', 443, 443, 0, 0, 0, 0],
  ['syslog', 103, 116, 3, 0, 0],
  ['settimeofday', 164, 170, 0, 0],
  ['clock_settime', 227, 112, 0, 0],
  ['adjtimex', 159, 171, 0],
  ['memory at address 0, by personality', 135, 92, 0x0100000],
  ['memory that is all executable, by personality', 135, 92, 0x0400000],
  ['TIOCSTI', 16, 29, 0, 0x5412, 0],
  ['TIOCSTI with bits the kernel does not look at', 16, 29, 0, 0x7_0000_5412, 0],
  ['TIOCLINUX', 16, 29, 0, 0x541c, 0],
  ['a pair of TIPC sockets', 53, 199, 30, 5, 0, 0],
  ['a packet socket', 41, 198, 17, 3, 0],
  ['a VSOCK socket', 41, 198, 40, 1, 0],
  ['an XDP socket', 41, 198, 44, 3, 0],
  ['an AF_ALG socket', 41, 198, 38, 5, 0],
  ['a raw IP socket', 41, 198, 2, 3, 1],
]

/** Calls that are hostile only in the network of the host. */
export const HOSTILE_IN_HOST_NETWORK: typeof HOSTILE_CALLS = [
  ['an AF_UNIX socket', 41, 198, 1, 1, 0],
  ['an AF_UNIX socket with bits the kernel does not look at', 41, 198, 0x7_0000_0001, 1, 0],
  ['a pair of datagram sockets', 53, 199, 1, 2, 0, 0],
  ['a pair of raw sockets, which are datagram sockets', 53, 199, 1, 3, 0, 0],
  ['a pair of datagram sockets, its type in flags', 53, 199, 1, 0x80802, 0, 0],
]

/** Bit of calls by the kernel's x32 table. */
export const X32_BIT = 0x4000_0000

/**
 * Perl that reads a table on stdin, with a name, a number and arguments in each line, calls each and prints the result.
 */
export const CALL_ALL = `
while (<STDIN>) {
  chomp; my ($name, @call) = map { /^\\d+$/ ? $_ + 0 : $_ } split /\\t/;
  $! = 0; my $came = syscall(shift(@call), @call);
  exit 0 if $came == 0 && $name =~ /clone/;
  print "$name\\t$came\\t", $! + 0, "\\n";
}`

/**
 * Builds a 64-bit program that makes one system call of the 32-bit table (\`int 0x80\`: getpid), and exits 0 if it
 * returns.
 */
export function oldDoor(): Buffer {
  const code = Buffer.from('b814000000cd8031ffb83c0000000f05', 'hex')
  const elf = Buffer.alloc(120)
  elf.write('7f454c4602010100', 0, 'hex')
  elf.writeUInt16LE(2, 16)
  elf.writeUInt16LE(62, 18)
  elf.writeUInt32LE(1, 20)
  elf.writeBigUInt64LE(0x400078n, 24)
  elf.writeBigUInt64LE(64n, 32)
  elf.writeUInt16LE(64, 52)
  elf.writeUInt16LE(56, 54)
  elf.writeUInt16LE(1, 56)
  elf.writeUInt32LE(1, 64)
  elf.writeUInt32LE(5, 68)
  elf.writeBigUInt64LE(0x400000n, 80)
  elf.writeBigUInt64LE(0x400000n, 88)
  elf.writeBigUInt64LE(BigInt(120 + code.length), 96)
  elf.writeBigUInt64LE(BigInt(120 + code.length), 104)
  elf.writeBigUInt64LE(0x1000n, 112)
  return Buffer.concat([elf, code])
}
