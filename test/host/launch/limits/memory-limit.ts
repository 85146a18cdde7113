import { describe, expect, it } from 'vitest'
import { sandboxedWorkspace } from '../../../contract/sandboxed-workspace.js'

const PATIENCE_MS = 60_000
const LIMIT = 96 << 20
const isX64 = process.arch === 'x64'

/** Perl that makes anonymous files in memory: `file()` returns a descriptor, `fill($fd, $mebibytes)` writes to it. */
const PRELUDE = `
use strict; my $n = 0; $| = 1;
# No constant: what is computed of constants is there from the start.
my $large = 200 << 20;
my %call = ${isX64 ? '(memfd => 319, mmap => 9, munmap => 11, read => 0, exit => 60, prctl => 157)' : '(memfd => 279, mmap => 222, munmap => 215, read => 63, exit => 93, prctl => 167)'};
sub file { my $name = "f" . $n++; my $fd = syscall($call{memfd}, $name, 0); die "no file: $!" if $fd < 0; $fd }
sub fill { my ($fd, $mebibytes) = @_; open(my $to, ">>&=", $fd) or die; syswrite($to, "x" x (1 << 20)) for 1 .. $mebibytes; $to }
sub mapped { my ($fd, $mebibytes) = @_; my $at = syscall($call{mmap}, 0, $mebibytes << 20, 3, 1, $fd, 0); die "no map: $!" if $at == -1; $at }
# Every page of it is there for this process afterwards.
sub touched { my ($at, $mebibytes) = @_; open(my $from, "<", "/dev/zero") or die; syscall($call{read}, fileno $from, $at, $mebibytes << 20) }
`
const perl = (script: string): string => `cat > a.pl <<'END'\n${PRELUDE}${script}\nEND\nexec perl a.pl`

const HOGS: readonly (readonly [what: string, script: string])[] = [
  [
    'what is mapped of a file in memory without a name',
    perl('my $fd = file(); my $f = fill($fd, 200); touched(mapped($fd, 200), 200); sleep 300'),
  ],
  [
    'memory, and lets nobody look at it',
    perl('syscall($call{prctl}, 4, 0, 0, 0, 0) == 0 or die; my $x = "x" x $large; sleep 300'),
  ],
  [
    'files in the private /tmp and /dev/shm',
    'head -c 60M /dev/zero > /tmp/f; head -c 60M /dev/zero > /dev/shm/f; sleep 300',
  ],
  ['a file in the private /tmp that is deleted', 'exec 5> /tmp/f; rm /tmp/f; head -c 200M /dev/zero >&5; sleep 300'],
]

/** Tests the memory count of a command without a cgroup. */
export function memoryLimitTests(title: string): void {
  describe(`memory without a cgroup, ${title}`, () => {
    const sandboxed = sandboxedWorkspace({ cgroups: [] })
    const run = (script: string, memoryBytes = LIMIT) =>
      sandboxed.run(script, { limits: { memoryBytes }, timeoutMs: 50_000 })

    it.each(HOGS)(
      'the memory watcher kills a command that holds %s, and no other',
      async (_what, script) => {
        const other = run('for i in 1 2 3; do sleep 0.1; echo $i > mine; cat mine; done')
        const hog = await run(script)
        expect(hog.ending).toEqual({ how: 'killed', signal: 'SIGKILL', by: 'limit', limit: 'memory (96 MiB)' })
        expect((await other).stdout).toBe('1\n2\n3\n')
      },
      PATIENCE_MS,
    )

    it('shared memory counts once for all processes that hold and map it', async () => {
      const shared = perl(
        'my $fd = file(); my $f = fill($fd, 60); for (1 .. 3) { fork or do { touched(mapped($fd, 60), 60); print "up\\n"; sleep 1; exit } } 1 while wait > 0',
      )
      const { ending, stdout } = await run(shared)
      expect([ending, stdout]).toEqual([{ how: 'exited', status: 0 }, 'up\nup\nup\n'])
    })

    it('released memory no longer counts', async () => {
      const many = perl('for (1 .. 20) { my $f = fill(file(), 40); close $f; select undef, undef, undef, 0.03 }')
      expect((await run(many)).ending).toEqual({ how: 'exited', status: 0 })
    })
  })
}
