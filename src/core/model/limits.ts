/** Every number that bounds something, with its reason. A profile may lower or raise those its schema names. */
export const LIMITS = {
  /** Linux refuses one argument of 128 KiB or more (MAX_ARG_STRLEN), and the script is one argument of `bash -c`. */
  scriptBytes: 131_071,
  /** Linux refuses more than about 2 MiB of arguments and environment together; half of it is left for the rest. */
  argvBytes: 1_048_576,
  /** Deeper nesting overflows recursive parsers and is never honest work. */
  nestingDepth: 100,
  /** Past this a script is refused at the door instead of being read as opaque: parsing it alone would take seconds. */
  refusedNesting: 1_000,
  /** What a caller may send on stdin in one request; larger input belongs in a file. */
  stdinBytes: 16 * 1024 * 1024,
  /** A timeout below one second cannot be told from a busy machine. */
  timeoutFloorMs: 1_000,
  structuredTimeoutMs: 30_000,
  shellTimeoutMs: 120_000,
  maxTimeoutMs: 600_000,
  /** From SIGTERM to SIGKILL: long enough to flush a file, short enough not to be noticed. */
  graceMs: 2_000,
  /** Bytes kept per stream. What is cut is counted. */
  captureBytes: 10 * 1024 * 1024,
  /** Characters per stream a model is shown; about 12,000 tokens. */
  presentedChars: 50_000,
  /** The command in a log line. */
  loggedCommandChars: 200,
  tasksPerAgent: 16,
  tasksOverall: 64,
  /** Requests waiting for a place, per agent. Past it, refusing is kinder than queueing. */
  queuePerAgent: 256,
  /** /tmp inside the wall lives in memory: enough for a build's scratch files, not enough to starve the host. */
  wallTmpBytes: 1024 * 1024 * 1024,
  /** /dev/shm inside the wall; bubblewrap leaves it unlimited. */
  wallShmBytes: 256 * 1024 * 1024,
  /** A private home and its /tmp: package caches of one project. Past it a command is told to reset it. */
  homeBytes: 10 * 1024 * 1024 * 1024,
  /** A private home that no command has used for this long is removed: its caches are outdated by then. */
  homeAgeMs: 30 * 24 * 60 * 60 * 1000,
  /** What has not changed in a private /tmp for this long is removed, as systemd does with the host's. */
  tmpAgeMs: 10 * 24 * 60 * 60 * 1000,
  /** Previous versions kept for undo, over all transactions: a few large builds. */
  undoBytes: 2 * 1024 * 1024 * 1024,
  undoAgeMs: 14 * 24 * 60 * 60 * 1000,
  /** Records in the history; past it the oldest are forgotten. */
  undoRecords: 200,
  /** A longer file is compared by its size: a diff of it would be read by nobody. */
  diffBytes: 1024 * 1024,
} as const
