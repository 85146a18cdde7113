/**
 * System calls that the sandbox refuses, with their numbers on x64 and arm64 (null: absent), grouped by their danger.
 */
export const REFUSED_CALLS: readonly (readonly [name: string, x64: number | null, arm64: number | null])[] = [
  // Reading other processes, the sandbox's own init among them.
  ['kcmp', 312, 272],
  ['pidfd_getfd', 438, 438],
  // The kernel's key rings have no namespace, so keys of the host's user are in reach.
  ['add_key', 248, 217],
  ['request_key', 249, 218],
  ['keyctl', 250, 219],
  // Large parts of the kernel with a history of vulnerabilities. Builds and tests do not need them.
  ['bpf', 321, 280],
  ['perf_event_open', 298, 241],
  ['userfaultfd', 323, 282],
  ['io_uring_setup', 425, 425],
  ['io_uring_enter', 426, 426],
  ['io_uring_register', 427, 427],
  ['modify_ldt', 154, null],
  ['uselib', 134, null],
  // Memory that counts neither as a process's nor as a file's.
  ['memfd_secret', 447, 447],
  // Changing the sandbox's mounts and namespaces.
  ['mount', 165, 40],
  ['umount2', 166, 39],
  ['pivot_root', 155, 41],
  ['chroot', 161, 51],
  ['open_tree', 428, 428],
  ['move_mount', 429, 429],
  ['fsopen', 430, 430],
  ['fsconfig', 431, 431],
  ['fsmount', 432, 432],
  ['fspick', 433, 433],
  ['mount_setattr', 442, 442],
  ['open_tree_attr', 467, 467],
  ['unshare', 272, 97],
  ['setns', 308, 268],
  ['open_by_handle_at', 304, 265],
  ['name_to_handle_at', 303, 264],
  ['fanotify_init', 300, 262],
  // Controlling the host.
  ['kexec_load', 246, 104],
  ['kexec_file_load', 320, 294],
  ['init_module', 175, 105],
  ['finit_module', 313, 273],
  ['delete_module', 176, 106],
  ['reboot', 169, 142],
  ['swapon', 167, 224],
  ['swapoff', 168, 225],
  ['acct', 163, 89],
  ['settimeofday', 164, 170],
  ['clock_settime', 227, 112],
  ['adjtimex', 159, 171],
  ['clock_adjtime', 305, 266],
  ['iopl', 172, null],
  ['ioperm', 173, null],
  ['quotactl', 179, 60],
  ['quotactl_fd', 443, 443],
  ['syslog', 103, 116],
  ['vhangup', 153, 58],
  ['lookup_dcookie', 212, 18],
]

/** Calls that are refused only for certain arguments. */
export const CHECKED_CALLS = {
  x64: {
    socket: 41,
    socketpair: 53,
    ioctl: 16,
    clone: 56,
    clone3: 435,
    ptrace: 101,
    process_vm_readv: 310,
    process_vm_writev: 311,
    fallocate: 285,
    personality: 135,
    fcntl: 72,
    prctl: 157,
  },
  arm64: {
    socket: 198,
    socketpair: 199,
    ioctl: 29,
    clone: 220,
    clone3: 435,
    ptrace: 117,
    process_vm_readv: 270,
    process_vm_writev: 271,
    fallocate: 47,
    personality: 92,
    fcntl: 25,
    prctl: 167,
  },
} as const

/** Call that sets a file's mode: index of the mode argument, and of the flags that decide if the mode applies. */
interface ModeCall {
  readonly number: number
  readonly mode: number
  readonly flags: number | null
}

const always = (number: number, mode: number): ModeCall => ({ number, mode, flags: null })

/** Calls that can make a file set-uid or set-gid, the most frequent first, because the filter tests them in order. */
export const MODE_CALLS: Record<keyof typeof CHECKED_CALLS, readonly ModeCall[]> = {
  x64: [
    { number: 257, mode: 3, flags: 2 },
    { number: 2, mode: 2, flags: 1 },
    ...[always(85, 1), always(90, 1), always(91, 1), always(268, 2), always(452, 2), always(133, 1), always(259, 2)],
  ],
  arm64: [{ number: 56, mode: 3, flags: 2 }, always(52, 1), always(53, 2), always(452, 2), always(33, 2)],
}

/** Number of `openat2` on both architectures. Its mode and flags lie in memory. */
export const OPENAT2 = 437
