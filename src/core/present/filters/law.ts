import type { Noise } from './filter.js'

/** Longer lines are data, not progress; and patterns need not be run over megabytes. */
const LONGEST_PROGRESS = 1_000

const TROUBLE =
  /error|\berr[!:]|fail|fatal|panic|exception|traceback|warn|denied|refus|cannot|can't|couldn't|could not|unable|not found|not allowed|no such|abort|segfault|segmentation|core dumped|killed|timed out|timeout|conflict|reject|invalid|illegal|unexpected|assert|vulnerab|deprecat|missing|unresolved|undefined|mismatch|corrupt|\bbad\b|\bbroken\b|\bFAIL\b|[✗✖✘×❌⚠❯❗🔴]/iu
const TRACE = /^\s*(?:at\s|File "|#\d+\s|\^|~+\^?|caused by|in \S+ at |\d+ \||\|)|-->|:\d+:\d+/i
/** A mode column of `ls -l` starts with the same sign as a removed line. */
const DIFF = /^(?:diff |index [0-9a-f]|@@|[+<>]|-(?!(?:[r-][w-][xsS-]){2}[r-][w-][xtT-][.+@]?\s|-- PASS: ))/

/** An error, a warning, a failure, a trace or a diff, as far as words can tell. Such a line is never removed. */
export const looksImportant = (line: string): boolean => TROUBLE.test(line) || TRACE.test(line) || DIFF.test(line)

const PROGRESS: readonly RegExp[] = [
  /^\s*[[(|]?[#=>.\-\s█▉▊▋▌▍▎▏░▒▓━╸╺─]*[\])|]?\s*\d{1,3}(?:\.\d+)?\s?%/u,
  /^(?:remote: )?(?:Enumerating|Counting|Compressing|Receiving|Resolving|Writing|Unpacking|Filtering|Updating|Checking out)\b[\w ]*:\s+\d/,
  /^[⠁-⣿◐◓◑◒|/\\-](?:\s|$)/u,
  /^npm (?:http fetch|timing|sill|verb|http cache)\b/,
  /^(?:Progress: resolved|\[\d+\/\d+\] )/,
  /^\s*(?:Downloading|Downloaded|Fetching|Collecting|Using cached|Requirement already satisfied|Extracting|Pulling|Unpacking)\b/,
  /^\s+(?:Compiling|Checking|Fresh|Updating|Locking|Adding|Installing)\s\S+ (?:v\d|crates|index)/,
  /^go: (?:downloading|extracting) /,
  /^=== (?:RUN|PAUSE|CONT) /,
]

/** Proven noise: the state of a download, a bar, a spinner. The only thing that may go when a command failed. */
export const looksLikeProgress = (line: string): boolean =>
  line.length <= LONGEST_PROGRESS && PROGRESS.some((pattern) => pattern.test(line))

/** The law over all filters: what a filter may propose, and what really goes. */
export function mayDrop(line: string, noise: Noise | null, ok: boolean): boolean {
  if (noise === null || looksImportant(line)) return false
  return ok || (noise.kind === 'progress' && looksLikeProgress(line))
}
