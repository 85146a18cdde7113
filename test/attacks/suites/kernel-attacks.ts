import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { plainProfile } from '../../contract/launcher-plan.js'
import { type Seen, sandboxedWorkspace } from '../../contract/sandboxed-workspace.js'
import { CALL_ALL, HOSTILE_CALLS, HOSTILE_IN_HOST_NETWORK, oldDoor, X32_BIT } from '../support/system-calls.js'

const isX64 = process.arch === 'x64'
const EPERM = 1
const EACCES = 13
const ENOSYS = 38
const EAFNOSUPPORT = 97

const resultsOf = ({ stdout }: Seen): readonly (readonly string[])[] =>
  stdout
    .trim()
    .split('\n')
    .map((line) => line.split('\t'))

/** Every way to give a file the set-uid or set-gid bit. Numbers: x64, arm64, then the arguments. */
const MODES = `
use strict; my $x = ${isX64 ? 1 : 0};
sub try_it { my ($name, $x64, $arm64, @args) = @_; my $n = $x ? $x64 : $arm64; return if $n < 0;
  $! = 0; my $came = syscall($n, @args); print "$name\\t$came\\t", $! + 0, "\\n"; }
my $at = -100; my ($f, $g) = ("f", "g"); open(my $h, ">", $f) or die; my $fd = fileno($h);
my @names = map { "n$_" } 0 .. 20;
try_it("chmod", 90, -1, $f, 04755); try_it("chmod g", 90, -1, $f, 02755);
try_it("fchmod", 91, 52, $fd, 04755); try_it("fchmodat", 268, 53, $at, $f, 04755);
try_it("fchmodat2", 452, 452, $at, $f, 04755, 0);
try_it("chmod with bits the kernel does not look at", 90, -1, $f, 0x7_0001_0000 | 04755);
try_it("open", 2, -1, $names[0], 0x41, 04755); try_it("creat", 85, -1, $names[1], 04755);
try_it("openat", 257, 56, $at, $names[2], 0x41, 06755);
try_it("openat of a file without a name", 257, 56, $at, my $dot = ".", 0x410002 | ($x ? 0 : 0x4000), 04755);
try_it("openat2", 437, 437, $at, $names[3], pack("QQQ", 0x41, 04755, 0), 24);
try_it("mknod", 133, -1, $names[4], 0104755, 0); try_it("mknodat", 259, 33, $at, $names[5], 0104755, 0);
try_it("mknod of a device", 133, -1, $names[6], 020666, 0x101); try_it("mknodat of a device", 259, 33, $at, $names[7], 060666, 0x800);
try_it("a file's own capabilities", 188, 5, $f, my $c = "security.capability", pack("V5", 0x2000001, 1, 0, 0, 0), 20, 0);
`

/** Prints each datagram of a socket as a line, until the word \`over\` arrives. */
const LISTENER =
  'use IO::Socket::UNIX; $| = 1; my $s = IO::Socket::UNIX->new(Type => SOCK_DGRAM, Local => $ARGV[0]) or die; chmod 0777, $ARGV[0]; print "up\\n"; while (1) { $s->recv(my $w, 99); last if $w eq "over"; print "$w\\n" }'
const SAY_OVER =
  'use IO::Socket::UNIX; IO::Socket::UNIX->new(Type => SOCK_DGRAM, Peer => $ARGV[0])->send("over") or die'

/** Attacks the kernel from inside, as the tests' user and as an ordinary user. */
export function kernelAttacks(who: string): void {
  describe.each([
    ['built cold', 0],
    ['built ahead', 1],
  ])(`the kernel, attacked ${who}, in a sandbox %s`, (_how, warm) => {
    const sandboxed = sandboxedWorkspace({ warm })
    const attack = async (perl: string, table = '', network: 'none' | 'full' = 'none'): Promise<Seen> => {
      const profileOf = { ...plainProfile, network }
      writeFileSync(`${sandboxed.workspace}/attack.pl`, perl)
      writeFileSync(`${sandboxed.workspace}/table`, table)
      if (warm > 0) await sandboxed.untilWarm({ profileOf })
      return sandboxed.run('perl attack.pl < table', { profileOf })
    }
    const calls = (table = HOSTILE_CALLS, bit = 0): string =>
      table.map(([name, x64, arm64, ...args]) => [name, (isX64 ? x64 : arm64) + bit, ...args].join('\t')).join('\n')

    it.each(['none', 'full'] as const)('hostile system calls are refused, with network %s', async (network) => {
      const table = network === 'full' ? [...HOSTILE_CALLS, ...HOSTILE_IN_HOST_NETWORK] : HOSTILE_CALLS
      const seen = resultsOf(await attack(CALL_ALL, calls(table), network))
      const refused = [EPERM, ENOSYS, EAFNOSUPPORT].map(String)
      expect(seen.map(([name]) => name)).toEqual(table.map(([name]) => name))
      expect(seen.filter(([, came, errno = '']) => came !== '-1' || !refused.includes(errno))).toEqual([])
    })

    it.runIf(isX64)('hostile system calls are refused by other call tables too', async () => {
      const x32 = resultsOf(await attack(CALL_ALL, calls(HOSTILE_CALLS, X32_BIT)))
      expect(x32.filter(([, came, errno]) => came !== '-1' || errno !== `${ENOSYS}`)).toEqual([])
      expect(x32).toHaveLength(HOSTILE_CALLS.length)
      writeFileSync(`${sandboxed.workspace}/door`, oldDoor(), { mode: 0o755 })
      // Outside the sandbox it works, or the attack would prove nothing. A kernel without such a table kills it there
      // too.
      const { status } = await sandboxed.run('./door')
      expect([128 + 11, 128 + 31]).toContain(status === -1 ? 128 + 31 : status)
    })

    it('no file can become set-uid, set-gid, a device or get capabilities', async () => {
      const seen = resultsOf(await attack(MODES))
      const refused = [EPERM, EACCES, ENOSYS].map(String)
      expect(seen.length).toBeGreaterThan(isX64 ? 14 : 8)
      expect(seen.filter(([, came, errno = '']) => came !== '-1' || !refused.includes(errno))).toEqual([])
      await sandboxed.run(
        'touch a; chmod u+s a; chmod g+s a; install -m 4755 /bin/true b; cp -p /usr/bin/passwd c; mkdir -m 6777 d; echo "#!" > e; chmod 755 e',
      )
      const modes = readdirSync(sandboxed.workspace).map((name) => statSync(`${sandboxed.workspace}/${name}`).mode)
      expect(modes.filter((mode) => (mode & 0o6000) !== 0)).toEqual([])
      expect(statSync(`${sandboxed.workspace}/e`).mode & 0o777).toBe(0o755)
    })

    it('an existing set-uid file loses its bits when its contents change', async () => {
      const file = `${sandboxed.workspace}/before`
      writeFileSync(file, '')
      chmodSync(file, 0o4755)
      await sandboxed.run('echo evil > before')
      expect(statSync(file).mode & 0o7777).toBe(0o755)
    })

    it('a file lease, which would keep the engine from opening the file, is refused', async () => {
      const { stdout } = await attack(
        'use Fcntl; for my $file ("attack.pl", "table") { sysopen(my $open, $file, O_RDONLY) or die; for my $kind (0, 1) { print defined fcntl($open, 1024, $kind) ? "leased" : $! + 0, "\\n" } }',
      )
      expect(stdout).toBe(`${EPERM}\n`.repeat(4))
    })

    it('datagrams do not reach a socket of the host', async () => {
      const at = `${sandboxed.workspace}/host.sock`
      const listener = spawn('perl', ['-e', LISTENER, at], { stdio: ['ignore', 'pipe', 'inherit'] })
      const heard: string[] = []
      listener.stdout.setEncoding('utf8').on('data', (text: string) => heard.push(text))
      await once(listener.stdout, 'data')
      const over = once(listener, 'close')
      const seen = await attack(
        `use Socket; my $n = 0; for my $type (2, 3, 5, 1) {
          socketpair(my $a, my $b, 1, $type, 0) or next;
          $n++ if send($a, "evil", 0, pack_sockaddr_un("${at}")) && $type != 5;
          $n++ if connect($b, pack_sockaddr_un("${at}")) && send($b, "evil", 0);
        } print "$n\\n";`,
        '',
        'full',
      )
      expect(spawnSync('perl', ['-e', SAY_OVER, at]).status).toBe(0)
      await over
      expect([seen.stdout, heard.join('')]).toEqual(['0\n', 'up\n'])
    })

    it("socket pairs between a program's own processes work", async () => {
      const { stdout } = await attack(
        'use Socket; for my $type (1, 5) { socketpair(my $a, my $b, 1, $type, 0) or die $!; syswrite($a, "x"); sysread($b, my $w, 1); print $w }',
      )
      expect(stdout).toBe('xx')
    })

    it('cgroups, kernel switches and memory of the host cannot be written', async () => {
      const doors = [
        'find /sys -type f -writable',
        'find /sys/fs/cgroup -type d -exec mkdir {}/cordon-was-here \\; -print -quit',
        'for f in /sys/fs/cgroup/*/{release_agent,cgroup.procs,notify_on_release} /sys/fs/cgroup/cgroup.procs; do (echo $$ > $f) && echo $f; done',
        'for f in /dev/mem /dev/kmem /dev/port /proc/kcore /proc/kmsg /dev/kmsg /proc/mtrr; do (: < $f) && echo $f; done',
        'for f in /proc/irq/*/smp_affinity /proc/bus/pci/*/* /proc/sys/kernel/{core_pattern,modprobe,hotplug} /proc/sysrq-trigger; do (: >> $f) && echo $f; done',
        '(echo x | dd of=/proc/1/root/etc/cordon-was-here) && echo root',
      ]
      expect((await sandboxed.run(`exec 2>/dev/null; ${doors.join('; ')}; true`)).stdout).toBe('')
    })
  })
}
