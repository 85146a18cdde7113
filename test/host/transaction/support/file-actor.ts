const SET = process.arch === 'x64' ? 189 : 6
const REMOVE = process.arch === 'x64' ? 198 : 15

/** One deed: a verb and the names it is done to. */
export type Deed = readonly [verb: string, ...names: string[]]

/**
 * Does to files what shell commands would, in one process: thousands of sequences are not a matter of starting
 * programs. A deed that fails is passed over, as the next command of a script would be reached.
 */
export const ACTOR = `
my $status = shift;
sub put { my ($how, $name, $text) = @_; return if -p $name; open(my $file, $how, $name) or return; print $file $text; close $file }
sub remove_tree { my ($at) = @_; return unlink $at if -l $at || !-d $at; opendir(my $d, $at) or return; for (readdir $d) { remove_tree("$at/$_") unless /^\\.\\.?$/ } rmdir $at }
my %do = (
  append => sub { put('>>', $_[0], "more\\n") }, over => sub { put('>', $_[0], "over\\n") },
  unlink => sub { unlink $_[0] }, remove => sub { remove_tree($_[0]) }, mkdir => sub { mkdir $_[0] },
  anew => sub { remove_tree($_[0]); mkdir $_[0]; put('>', "$_[0]/in", 'in') },
  private => sub { chmod 0600, $_[0] }, public => sub { chmod 0755, $_[0] }, sticky => sub { chmod 03775, $_[0] },
  touch => sub { utime(981173106.789, 981173106.789, $_[0]) }, truncate => sub { truncate($_[0], 100000) },
  fifo => sub { system('mkfifo', "$_[0].pipe") }, rename => sub { rename($_[0], $_[1]) },
  into => sub { rename($_[0], "$_[1]/moved") },
  link => sub { unlink $_[1] if -e $_[0] && !-d $_[0]; link($_[0], $_[1]) }, symlink => sub { unlink $_[1]; symlink($_[0], $_[1]) },
  set => sub { my ($p, $n, $v) = (@_[0, 1], 'value'); syscall(${SET}, $p, $n, $v, 5, 0) },
  unset => sub { my ($p, $n) = @_; syscall(${REMOVE}, $p, $n) },
  copy => sub { system('cp', '-a', '--', @_[0, 1]) },
);
open(STDERR, '>', '/dev/null');
for my $deed (@ARGV) {
  my ($verb, @names) = map { pack('H*', $_) } split /,/, $deed;
  if ($verb eq 'in') { chdir $names[0] or die $! } else { eval { $do{$verb}->(@names) } }
}
exit $status;
`

/** The changes made in one directory. */
export interface Part {
  readonly directory: string
  readonly deeds: readonly Deed[]
}

/** Arguments of a process that does the deeds, one directory after the other, and ends with a status. */
export const actorArgv = (parts: readonly Part[], status: number): readonly string[] => {
  const all = parts.flatMap(({ directory, deeds }): readonly Deed[] => [['in', directory], ...deeds])
  const words = all.map((deed) => deed.map((word) => Buffer.from(word).toString('hex')).join(','))
  return ['perl', '-e', ACTOR, `${status}`, ...words]
}

export const describeDeeds = (deeds: readonly Deed[]): string => deeds.map((deed) => deed.join(' ')).join('; ')
