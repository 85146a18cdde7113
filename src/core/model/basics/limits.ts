/** Every numeric limit, with its reason. A profile may change those that its schema names. */
export const LIMITS = {
  /** Linux refuses one argument of 128 KiB or more (MAX_ARG_STRLEN), and the script is one argument of `bash -c`. */
  scriptBytes: 131_071,
  /** Linux refuses more than about 2 MiB of arguments and environment together; half of it is left for the rest. */
  argvBytes: 1_048_576,
  /** Deeper nesting overflows recursive parsers and is never honest work. */
  nestingDepth: 100,
  /** A script with deeper nesting is refused, because parsing alone would take seconds. */
  refusedNesting: 1_000,
  /** Maximum stdin of one request; larger input belongs in a file. */
  stdinBytes: 16 * 1024 * 1024,
  /** A timeout below one second is not reliable on a busy host. */
  timeoutFloorMs: 1_000,
  structuredTimeoutMs: 30_000,
  shellTimeoutMs: 120_000,
  maxTimeoutMs: 600_000,
  /** From SIGTERM to SIGKILL: long enough to flush a file, short enough not to be noticed. */
  graceMs: 2_000,
  /** Bytes kept per stream. Cordon counts the rest. */
  captureBytes: 10 * 1024 * 1024,
  /** Characters per stream a model is shown; about 12,000 tokens. */
  presentedChars: 50_000,
  /** The command in a log line. */
  loggedCommandChars: 200,
  tasksPerAgent: 16,
  tasksOverall: 64,
  /** Waiting requests per agent. Beyond it, Cordon refuses instead of queueing. */
  queuePerAgent: 256,
  /** /tmp in the sandbox is in memory: enough for the scratch files of a build, too little to starve the host. */
  sandboxTmpBytes: 1024 * 1024 * 1024,
  /** /dev/shm in the sandbox; bubblewrap does not limit it. */
  sandboxShmBytes: 256 * 1024 * 1024,
  /** Size of a private home and its /tmp: package caches of one project. Above it, Cordon asks for a reset. */
  homeBytes: 10 * 1024 * 1024 * 1024,
  /** A private home that no command has used for this long is removed: its caches are outdated by then. */
  homeAgeMs: 30 * 24 * 60 * 60 * 1000,
  /** Age at which Cordon removes unchanged files from a private /tmp, as systemd does on the host. */
  tmpAgeMs: 10 * 24 * 60 * 60 * 1000,
  /** Earlier file versions kept for undo, over all transactions: a few large builds. */
  undoBytes: 2 * 1024 * 1024 * 1024,
  undoAgeMs: 14 * 24 * 60 * 60 * 1000,
  /** Records in the history; Cordon removes the oldest above it. */
  undoRecords: 200,
  /** A longer file is compared by size only, because its diff would be too long to read. */
  diffBytes: 1024 * 1024,
} as const
