const daemon =
  'use POSIX; exit if fork; POSIX::setsid; POSIX::_exit(0) if fork; $SIG{$_} = "IGNORE" for qw(HUP INT TERM); chdir "/"; POSIX::close($_) for 0 .. 63; %ENV = (); exec "/bin/sleep", $ARGV[0]'
const hopper = 'use POSIX; POSIX::setsid; while (1) { POSIX::_exit(0) if fork; select undef, undef, undef, 0.005 }'

/** Only a sandbox is sure to end this one. Without one, no single check may find it. */
export const HOPPER = 'one that forks and ends, again and again'

/** Commands that resist their end. @ stands for a number of seconds that identifies their processes. */
const TEMPLATES: Readonly<Record<string, string>> = {
  'one process': 'exec sleep @',
  'children that hold the output': 'sleep @ & sleep @ & echo up; wait',
  'a child in a session of its own': 'setsid sleep @ & sleep @',
  'a double fork': '( ( setsid sleep @ >/dev/null 2>&1 & ) & ); sleep @',
  'a deaf loop': 'trap "" TERM INT HUP; sleep @ & while :; do sleep @; done',
  'a daemon left behind': 'nohup setsid sleep @ >/dev/null 2>&1 & sleep 0.02; exit 0',
  'disowned children': 'sleep @ & sleep @ & disown -a; sleep @',
  'a storm': 'for i in {1..60}; do (setsid sleep @ >/dev/null 2>&1 &); done; sleep @',
  'a daemon without an environment': '(env -i /usr/bin/setsid /bin/sleep @ </dev/null >/dev/null 2>&1 &); sleep @',
  'a daemon by the book': `perl -e '${daemon}' @ & sleep @`,
  [HOPPER]: `perl -e '${hopper}' @ & sleep @`,
  'stopped processes': 'sleep @ & kill -STOP $!; sleep @ & kill -STOP $$',
  'a pipeline': 'sleep @ | sleep @ | cat',
  'a writer': 'for i in {1..200}; do echo $i > file$i; done; mkdir -p made; sleep @ & sleep @',
}

export const KINDS: readonly string[] = Object.keys(TEMPLATES)

export const commandOf = (kind: string, seconds: string): string => (TEMPLATES[kind] ?? '').replaceAll('@', seconds)
