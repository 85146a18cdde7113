import * as z from 'zod'
import { HelperProcess } from '../helper-process/helper-process.js'

/**
 * Extended attributes of one entry that are the user's own, access lists among them: name to value, both one character per byte. Labels of
 * security modules and what overlayfs notes for itself are none of them.
 */
export const Attributes = z.record(z.string(), z.string()).readonly()
export type Attributes = z.infer<typeof Attributes>

/** Node can neither read nor write extended attributes. Perl can, and where there is no shell tool for them there mostly is Perl. */
export interface AttributeDesk {
  /** Starts what it takes, so that it is there when asked. */
  warm(): void
  /** Null for what cannot be read, and for all on a host without Perl. A place ends in a name, never in a link to follow. */
  read(places: readonly Buffer[]): Promise<readonly (Attributes | null)[]>
  /** Takes away what overlayfs noted for itself. False for what could not be changed, and for all on a host without Perl. */
  strip(places: readonly Buffer[]): Promise<readonly boolean[]>
  /** Exactly these. */
  write(place: Buffer, wanted: Attributes): Promise<void>
  close(): void
}

/** Numbers of lsetxattr, lgetxattr, llistxattr and lremovexattr. */
const NEWER = ['6', '9', '12', '15']
const CALLS: Readonly<Record<string, readonly string[]>> = {
  x64: ['189', '192', '195', '198'],
  arm64: NEWER,
  riscv64: NEWER,
  loong64: NEWER,
}

/** One line in, one line out; paths, names and values in hexadecimal, so that no byte means anything. */
const PROGRAM = `
my ($set, $get, $list, $remove) = map { $_ + 0 } @ARGV;
my ($most, $room) = (65536, "\\0" x 65536);
$| = 1;
sub mine { grep { /^(user\\.(?!overlay\\.)|system\\.posix_acl_)/ } @_ }
sub all { my ($path) = @_; my $n = syscall($list, $path, $room, $most); $n < 0 ? undef : [split /\\0/, substr($room, 0, $n)] }
sub names { my $all = all(@_) or return undef; [mine(@$all)] }
sub strip {
  my ($path) = @_; my $all = all($path) or return '!';
  for my $name (grep { /^user\\.overlay\\./ } @$all) { syscall($remove, $path, $name) < 0 and return '!' }
  ''
}
sub value { my ($path, $name) = @_; my $n = syscall($get, $path, $name, $room, $most); $n < 0 ? undef : substr($room, 0, $n) }
sub look {
  my ($path) = @_; my $names = names($path) or return '!'; my @found;
  for my $name (@$names) { my $value = value($path, $name); return '!' unless defined $value; push @found, unpack('H*', $name) . ':' . unpack('H*', $value) }
  join ',', @found
}
sub put {
  my ($path, @wanted) = @_; my %wanted = map { my ($n, $v) = split /:/; (pack('H*', $n), pack('H*', $v // '')) } @wanted;
  my $names = names($path) or return "$!";
  for my $name (grep { !exists $wanted{$_} } @$names) { syscall($remove, $path, $name) < 0 and return "$!" }
  for my $name (sort keys %wanted) {
    my $now = value($path, $name); next if defined $now && $now eq $wanted{$name};
    my $value = $wanted{$name}; syscall($set, $path, $name, $value, length $value, 0) < 0 and return "$!"
  }
  'ok'
}
while (defined(my $line = <STDIN>)) {
  chomp $line; my ($verb, @words) = split / /, $line;
  print $verb eq 'write' ? put(pack('H*', shift @words), @words)
    : join(' ', map { my $path = pack('H*', $_); $verb eq 'read' ? look($path) : strip($path) } @words), "\\n"
}
`

const NONE = '!'
/** Descriptors of at most this many directories are kept open by a tree. */
const BATCH = 32

/** Runs the script: one line for one line, in order. It keeps the engine's process alive only while an answer is awaited. */
class AttributeProcess extends HelperProcess {
  readonly #waiting: ((answer: string | null) => void)[] = []

  constructor(calls: readonly string[]) {
    super(['perl', '-e', PROGRAM, ...calls], { env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' } })
  }

  /** Null if there is no Perl, or it has ended. */
  ask(line: string): Promise<string | null> {
    if (this.isGone) return Promise.resolve(null)
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
      this.hold(true)
      this.send(line)
    })
  }

  protected override read(line: string): void {
    this.#waiting.shift()?.(line)
    if (this.#waiting.length === 0) this.hold(false)
  }

  protected override ended(): void {
    for (const answered of this.#waiting.splice(0)) answered(null)
  }
}

export function createAttributeDesk(): AttributeDesk {
  const calls = CALLS[process.arch]
  let running: AttributeProcess | null = null
  const started = (): AttributeProcess | null => {
    if (calls) running ??= new AttributeProcess(calls)
    return running
  }
  const ask = async (words: readonly string[]): Promise<string | null> => started()?.ask(words.join(' ')) ?? null
  const askAbout = async (verb: 'read' | 'strip', places: readonly Buffer[]): Promise<readonly string[]> => {
    const found: string[] = []
    for (let at = 0; at < places.length; at += BATCH) {
      const batch = places.slice(at, at + BATCH)
      const answers = (await ask([verb, ...batch.map((place) => place.toString('hex'))]))?.split(' ')
      found.push(...batch.map((_, index) => answers?.[index] ?? NONE))
    }
    return found
  }
  return {
    warm: () => void started(),
    read: async (places) => (await askAbout('read', places)).map(parsed),
    strip: async (places) => (await askAbout('strip', places)).map((answer) => answer !== NONE),
    async write(place, wanted) {
      const words = Object.entries(wanted).map(([name, value]) => `${hex(name)}:${hex(value)}`)
      const answer = await ask(['write', place.toString('hex'), ...words])
      if (answer !== 'ok') throw new Error(`extended attributes could not be set: ${answer ?? 'there is no Perl'}`)
    },
    close() {
      running?.end()
      running = null
    },
  }
}

const hex = (text: string): string => Buffer.from(text, 'latin1').toString('hex')
const text = (word: string): string => Buffer.from(word, 'hex').toString('latin1')

function parsed(answer: string): Attributes | null {
  if (answer === NONE) return null
  const pairs = answer === '' ? [] : answer.split(',').map((pair) => pair.split(':'))
  return Object.fromEntries(pairs.map(([name = '', value = '']) => [text(name), text(value)]).sort())
}

export const sameAttributes = (a: Attributes, b: Attributes): boolean =>
  Object.keys(a).length === Object.keys(b).length && Object.entries(a).every(([name, value]) => b[name] === value)

export interface AttributeChange {
  readonly before: Attributes
  readonly after: Attributes
}

/** What others have set since stays, unless the entry is `fresh` and has only what it inherited. */
export async function writeChange(
  desk: AttributeDesk,
  place: Buffer,
  { before, after }: AttributeChange,
  fresh: boolean,
): Promise<void> {
  const [current] = fresh ? [] : await desk.read([place])
  const others = Object.entries(current ?? {}).filter(([name]) => !(name in before))
  await desk.write(place, { ...Object.fromEntries(others), ...after })
}
