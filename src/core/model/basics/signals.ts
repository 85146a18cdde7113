/** Linux signal numbers, as far as a command can end by one. Core cannot ask the host for them. */
const NUMBERS = new Map<string, number>([
  ['SIGHUP', 1],
  ['SIGINT', 2],
  ['SIGQUIT', 3],
  ['SIGILL', 4],
  ['SIGTRAP', 5],
  ['SIGABRT', 6],
  ['SIGBUS', 7],
  ['SIGFPE', 8],
  ['SIGKILL', 9],
  ['SIGUSR1', 10],
  ['SIGSEGV', 11],
  ['SIGUSR2', 12],
  ['SIGPIPE', 13],
  ['SIGALRM', 14],
  ['SIGTERM', 15],
  ['SIGSTKFLT', 16],
  ['SIGXCPU', 24],
  ['SIGXFSZ', 25],
  ['SIGVTALRM', 26],
  ['SIGPROF', 27],
  ['SIGIO', 29],
  ['SIGPWR', 30],
  ['SIGSYS', 31],
])

/** The number of a signal; 0 for a name that ends no process. */
export const signalNumber = (name: string): number => NUMBERS.get(name) ?? 0
