/** Numbers of the descriptors a wall is started with, after the three standard ones. */
export const ARGS_FD = 3
/** On which bubblewrap reports. */
export const STATUS_FD = 4
/** The filter of system calls, for which bubblewrap waits until the command may run. */
export const SECCOMP_FD = 5
export const PRELUDE_FD = 6
/** On which a wall built ahead waits for its command. */
export const REQUEST_FD = 7
/** Reads as what bubblewrap says when everything is mounted. */
export const MOUNTED_FD = 8
/** Where it says so, among what it reports; closed before anything of the command runs. */
export const TOLD_FD = 10
/** Where a wall built ahead says that it waits, among what bubblewrap reports. */
export const READY_FD = 9
/** First of those that read as the contents of masks and hidden files. */
export const FIRST_CONTENT_FD = 11
/** Above all that are given to the shell of a wall that is a copy. */
export const FIRST_FREE_FD = READY_FD + 1
