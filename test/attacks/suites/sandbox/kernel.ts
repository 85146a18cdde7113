import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { AttackedSandbox } from '../../support/attacked-sandbox.js'

const isX64 = process.arch === 'x64'
/** Refused calls, with their numbers on x64 and on arm64. */
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

/** Attacks the kernel. */
export function kernelInterfaces(who: string, sandbox: AttackedSandbox): void {
  describe(`${who}: the kernel`, () => {
    it('mounts cannot be made, moved, removed or made writable', async () => {
      const tries = [
        'mount -o remount,rw,bind /',
        'mount -o remount,rw /usr',
        'umount /tmp',
        'mount --bind /tmp /etc',
        'mount -t tmpfs none /etc',
        'mount -t proc none /proc',
        `mount --move ${sandbox.workspace} /mnt`,
      ]
      expect(
        (await sandbox.run(tries.map((attempt) => `${attempt} 2>/dev/null && echo '${attempt}'`).join('\n'))).stdout,
      ).toBe('')
    })

    it('new namespaces cannot be made, by unshare, clone or clone3', async () => {
      expect(
        (await sandbox.run('for n in U m n p i u C; do unshare -$n true 2>/dev/null && echo $n; done')).stdout,
      ).toBe('')
      const clone3 =
        'my $how = pack "Q11", 0x10000000, 0, 0, 0, 17; my $pid = syscall 435, $how, 88; exit if $pid == 0; print "$pid ", $! + 0, "\\n"'
      expect((await sandbox.perl(clone3)).stdout).toBe('-1 38\n')
      const clone = `my $pid = syscall ${isX64 ? 56 : 220}, 0x10000011, 0, 0, 0, 0; exit if $pid == 0; print "$pid ", $! + 0, "\\n"`
      expect((await sandbox.perl(clone)).stdout).toBe('-1 1\n')
    })

    it('kernel switches in /proc/sys cannot be written, even by root', async () => {
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
      const { stdout } = await sandbox.run(
        switches
          .slice(0, -1)
          .map((file) => `[[ -w ${file} ]] && (: > ${file}) 2>/dev/null && echo ${file}`)
          .join('\n'),
      )
      expect(stdout).toBe('')
      expect(readFileSync('/proc/sys/kernel/core_pattern', 'utf8')).toBe(before)
    })

    it('modes of devices and /proc files, which the whole host shares, cannot be changed', async () => {
      // Sets present modes, so success changes nothing.
      const own = '/dev/(fd|std.*|ptmx|pts|shm|core)$|/proc/(self|thread-self|net|mounts)(/|$)'
      const { stdout } = await sandbox.perl(
        `for (glob('/dev/*'), glob('/proc/[a-z]*'), glob('/proc/[a-z]*/*')) { next if m{^(${own})}; $n++; print "$_\\n" if chmod((stat)[2] & 07777, $_) } print 'what is read' if chmod(0666, *STDIN) || chmod 0666, '/dev/stdin'; print $n > 40 ? 'tried' : $n`,
      )
      expect(stdout).toBe('tried')
    })

    it('a device cannot be remounted from inside by mount, mount_setattr or a bind mount', async () => {
      const remounted = 'for d in null zero tty; do mount -o remount,bind,rw /dev/$d && echo $d; done 2>/dev/null'
      const bound = 'mount --bind /dev/null /tmp && echo bound; mount -o remount,rw /dev && echo whole'
      const code = `my ($p, $a) = ('/dev/null', pack 'Q4', 0, 1, 0, 0); print syscall(442, -100, $p, 0, $a, 32), "\\n"`
      expect((await sandbox.run(`${remounted}; { ${bound}; } 2>/dev/null; true`)).stdout).toBe('')
      expect((await sandbox.perl(code)).stdout).toBe('-1\n')
      const listed = await sandbox.run(
        'while read -r _ _ _ _ at how _; do case $at in /dev/null) echo ${how%%,*};; esac; done < /proc/self/mountinfo',
      )
      if (process.getuid?.() === 0) expect(listed.stdout).toBe('ro\n')
    })

    it("a command's pipes serve later commands, even with changed modes", async () => {
      for (let round = 0; round < 6; round += 1) {
        expect((await sandbox.run('chmod 0 /dev/stdout /dev/stderr; echo hi')).stdout).toBe('hi\n')
      }
    })

    it('refused system calls are refused', async () => {
      const code = REFUSED.map(
        ([name, x64, arm64]) => `print "${name} ", syscall(${isX64 ? x64 : arm64}, 0, 0, 0, 0, 0), ' ', $! + 0, "\\n";`,
      )
      const { stdout } = await sandbox.perl(code.join('\n'))
      expect(stdout.trim().split('\n')).toEqual(REFUSED.map(([name]) => `${name} -1 1`))
    })

    it('x32 system calls do not bypass the filter', async () => {
      const code = 'print syscall(0x40000000 | 250, 0, 0, 0, 0, 0), " ", $! + 0, "\\n"'
      if (isX64) expect((await sandbox.perl(code)).stdout).toBe('-1 38\n')
    })

    it('terminal input cannot be forged, and there is no terminal', async () => {
      const code =
        'my $x = "x"; print ioctl(STDIN, 0x5412, $x) ? "forged" : $! + 0, "\\n"; print open(my $tty, "<", "/dev/tty") ? "opened" : $! + 0, "\\n"'
      expect((await sandbox.perl(code)).stdout).toBe('1\n6\n')
    })

    it('ordinary tools still work: git, perl, node and a pipeline', async () => {
      const node = process.execPath
      const script = `git init -q . && perl -e 'print 6 * 7, "\\n"' && ${node} -e "require('child_process').execSync('echo node',{stdio:'inherit'})" && seq 3 | sort -r | paste -sd,`
      expect((await sandbox.run(script)).stdout).toBe('42\nnode\n3,2,1\n')
    })
  })
}
