/** Descriptors of a sandbox, after the three standard ones. */
export const ARGS_FD = 3
/** Receives bubblewrap's reports. */
export const STATUS_FD = 4
/** Yields the seccomp filter. bubblewrap waits for it until the command may run. */
export const SECCOMP_FD = 5
export const PRELUDE_FD = 6
/** Yields the command of a warm sandbox. */
export const REQUEST_FD = 7
/** Yields the line that bubblewrap reports after all mounts. */
export const MOUNTED_FD = 8
/** Receives that line, among bubblewrap's reports. Closed before the command starts. */
export const MOUNTED_REPORT_FD = 10
/** Receives the line by which a warm sandbox reports that it waits, among bubblewrap's reports. */
export const READY_FD = 9
/** First descriptor of the contents of masks and hidden files. */
export const FIRST_CONTENT_FD = 11
/** Lies above all descriptors of the shell of a cloned sandbox. */
export const FIRST_FREE_FD = READY_FD + 1
