import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { AttackedWall } from './attacked-wall.js'

const isX64 = process.arch === 'x64'
/** Calls the filter refuses, with their numbers on x64 and on arm64. */
const REFUSED = [
  ['bpf', 321, 280],
  ['io_uring_setup', 425, 425],
  ['userfaultfd', 323, 282],
  ['keyctl', 250, 219],
  ['perf_event_open', 298, 241],
  ['open_by_handle_at', 304, 265],
  ['kexec_load', 246, 104],
  ['reboot', 169, 142],
  ['fsopen', 430, 430],
  ['setns', 308, 268],
] as const

/** What the kernel can be asked for. */
export function kernelDoors(who: string, wall: AttackedWall): void {
  describe(`${who}: the kernel`, () => {
    it('mounts cannot be made, moved, removed or made writable', async () => {
      const tries = [
        'mount -o remount,rw,bind /',
        'mount -o remount,rw /usr',
        'umount /tmp',
        'mount --bind /tmp /etc',
        'mount -t tmpfs none /etc',
        'mount -t proc none /proc',
        `mount --move ${wall.workspace} /mnt`,
      ]
      expect(
        (await wall.run(tries.map((attempt) => `${attempt} 2>/dev/null && echo '${attempt}'`).join('\n'))).stdout,
      ).toBe('')
    })

    it('new namespaces cannot be made, by unshare, clone or clone3', async () => {
      expect((await wall.run('for n in U m n p i u C; do unshare -$n true 2>/dev/null && echo $n; done')).stdout).toBe(
        '',
      )
      const clone3 =
        'my $how = pack "Q11", 0x10000000, 0, 0, 0, 17; my $pid = syscall 435, $how, 88; exit if $pid == 0; print "$pid ", $! + 0, "\\n"'
      expect((await wall.perl(clone3)).stdout).toBe('-1 38\n')
      const clone = `my $pid = syscall ${isX64 ? 56 : 220}, 0x10000011, 0, 0, 0, 0; exit if $pid == 0; print "$pid ", $! + 0, "\\n"`
      expect((await wall.perl(clone)).stdout).toBe('-1 1\n')
    })

    it('the switches of the kernel cannot be turned, even by root', async () => {
      const switches = [
        '/proc/sys/kernel/core_pattern',
        '/proc/sys/kernel/modprobe',
        '/proc/sys/vm/overcommit_memory',
        '/proc/sys/kernel/hostname',
        '/proc/sysrq-trigger',
        '/sys/kernel/uevent_helper',
        '/sys/power/state',
        '/proc/self/loginuid',
      ]
      const before = readFileSync('/proc/sys/kernel/core_pattern', 'utf8')
      const { stdout } = await wall.run(
        switches
          .slice(0, -1)
          .map((file) => `[[ -w ${file} ]] && (: > ${file}) 2>/dev/null && echo ${file}`)
          .join('\n'),
      )
      expect(stdout).toBe('')
      expect(readFileSync('/proc/sys/kernel/core_pattern', 'utf8')).toBe(before)
    })

    it('the modes of devices and of what is in /proc, which are those of the whole host, cannot be changed', async () => {
      // To what they are: where it succeeds, nothing has happened.
      const own = '/dev/(fd|std.*|ptmx|pts|shm|core)$|/proc/(self|thread-self|net|mounts)(/|$)'
      const { stdout } = await wall.perl(
        `for (glob('/dev/*'), glob('/proc/[a-z]*'), glob('/proc/[a-z]*/*')) { next if m{^(${own})}; $n++; print "$_\\n" if chmod((stat)[2] & 07777, $_) } print 'what is read' if chmod(0666, *STDIN) || chmod 0666, '/dev/stdin'; print $n > 40 ? 'tried' : $n`,
      )
      expect(stdout).toBe('tried')
    })

    it('a remount of a device from inside is refused, by mount, mount_setattr or a bind of it', async () => {
      const remounted = 'for d in null zero tty; do mount -o remount,bind,rw /dev/$d && echo $d; done 2>/dev/null'
      const bound = 'mount --bind /dev/null /tmp && echo bound; mount -o remount,rw /dev && echo whole'
      const code = `my ($p, $a) = ('/dev/null', pack 'Q4', 0, 1, 0, 0); print syscall(442, -100, $p, 0, $a, 32), "\\n"`
      expect((await wall.run(`${remounted}; { ${bound}; } 2>/dev/null; true`)).stdout).toBe('')
      expect((await wall.perl(code)).stdout).toBe('-1\n')
      const listed = await wall.run(
        'while read -r _ _ _ _ at how _; do case $at in /dev/null) echo ${how%%,*};; esac; done < /proc/self/mountinfo',
      )
      if (process.getuid?.() === 0) expect(listed.stdout).toBe('ro\n')
    })

    it('the pipes a command was given serve the next ones, whatever it did to their modes', async () => {
      for (let round = 0; round < 6; round += 1) {
        expect((await wall.run('chmod 0 /dev/stdout /dev/stderr; echo hi')).stdout).toBe('hi\n')
      }
    })

    it('refused system calls are refused', async () => {
      const code = REFUSED.map(
        ([name, x64, arm64]) => `print "${name} ", syscall(${isX64 ? x64 : arm64}, 0, 0, 0, 0, 0), ' ', $! + 0, "\\n";`,
      )
      const { stdout } = await wall.perl(code.join('\n'))
      expect(stdout.trim().split('\n')).toEqual(REFUSED.map(([name]) => `${name} -1 1`))
    })

    it('the x32 system calls are no way round the filter', async () => {
      const code = 'print syscall(0x40000000 | 250, 0, 0, 0, 0, 0), " ", $! + 0, "\\n"'
      if (isX64) expect((await wall.perl(code)).stdout).toBe('-1 38\n')
    })

    it('terminal input cannot be forged, and there is no terminal to forge it on', async () => {
      const code =
        'my $x = "x"; print ioctl(STDIN, 0x5412, $x) ? "forged" : $! + 0, "\\n"; print open(my $tty, "<", "/dev/tty") ? "opened" : $! + 0, "\\n"'
      expect((await wall.perl(code)).stdout).toBe('1\n6\n')
    })

    it('ordinary tools still work: git, perl, node and a pipeline', async () => {
      const node = process.execPath
      const script = `git init -q . && perl -e 'print 6 * 7, "\\n"' && ${node} -e "require('child_process').execSync('echo node',{stdio:'inherit'})" && seq 3 | sort -r | paste -sd,`
      expect((await wall.run(script)).stdout).toBe('42\nnode\n3,2,1\n')
    })
  })
}
