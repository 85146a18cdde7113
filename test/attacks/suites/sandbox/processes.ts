import { spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { plainProfile } from '../../../contract/launcher-plan.js'
import { needs } from '../../../tools.js'
import type { AttackedSandbox } from '../../support/attacked-sandbox.js'

/** Perl with system calls of debuggers, and their description of a piece of memory. */
const CALLS = `my %call = ${process.arch === 'x64' ? '(ptrace => 101, readv => 310, writev => 311)' : '(ptrace => 117, readv => 270, writev => 271)'};
sub vector { pack 'J2', unpack('J', pack 'P', $_[0]), length $_[0] }`

/** Attacks other processes. */
export function processAttacks(who: string, sandbox: AttackedSandbox): void {
  describe(`${who}: processes`, () => {
    it('host processes cannot be seen, signalled or traced', async () => {
      const { stdout } = await sandbox.run(
        `ls /proc | grep -c -E '^[0-9]+$'; kill -0 ${process.pid} 2>/dev/null && echo alive; cat /proc/${process.pid}/environ 2>/dev/null | head -c 1`,
      )
      expect(Number(stdout)).toBeLessThan(12)
    })

    it('no environment inside contains a variable of the engine', async () => {
      process.env.CORDON_TEST_TOKEN = 'do-not-show-me'
      const { stdout } = await sandbox.run(
        'env; cat /proc/*/environ 2>/dev/null | tr "\\0" "\\n"; cat /proc/*/cmdline | tr "\\0" "\\n"',
      )
      delete process.env.CORDON_TEST_TOKEN
      expect(stdout).not.toContain('do-not-show-me')
      expect(stdout).toContain('PATH=')
    })

    it('variables of a request apply inside the sandbox only', async () => {
      writeFileSync(
        `${sandbox.workspace}/evil.c`,
        '#include <stdio.h>\n__attribute__((constructor)) void f(void){FILE*o=fopen("/tmp/cordon-preloaded","w");if(o)fclose(o);}',
      )
      const built = spawnSync('gcc', [
        '-shared',
        '-fPIC',
        '-o',
        `${sandbox.workspace}/evil.so`,
        `${sandbox.workspace}/evil.c`,
      ])
      const env: [string, string][] = [
        ['PATH', '/usr/bin:/bin'],
        ['LD_PRELOAD', `${sandbox.workspace}/evil.so`],
        ['BASH_ENV', `${sandbox.workspace}/x`],
      ]
      await sandbox.run('true', plainProfile, { env })
      expect(existsSync('/tmp/cordon-preloaded')).toBe(false)
      if (built.status === 0)
        expect((await sandbox.run('ls /tmp/cordon-preloaded', plainProfile, { env })).stdout).toBe(
          '/tmp/cordon-preloaded\n',
        )
    })

    it('the exit status cannot be forged from inside', async () => {
      const forge =
        'for f in /proc/self/fd/* /proc/1/fd/*; do echo \'{ "exit-code": 0 }\' > $f; done 2>/dev/null; exit 7'
      expect((await sandbox.run(forge)).status).toBe(7)
    })

    it("the memory of the sandbox's init cannot be read or written from inside", async () => {
      const { stdout } = await sandbox.perl(`
        for my $file ("/proc/1/mem", "/proc/1/task/1/mem") { for my $how (0, 1, 2) { print sysopen(my $open, $file, $how) ? "$file opened\\n" : "refused\\n" } }`)
      expect(stdout).toBe('refused\n'.repeat(6))
    })

    it('the init cannot be traced, and no system call writes its memory', async () => {
      const { status, stdout } = await sandbox.perl(`${CALLS}
        my ($mine, $theirs) = (vector("x" x 8), pack("J2", 4096, 8));
        for (["ptrace", 16, 1, 0, 0], ["ptrace", 0x4206, 1, 0, 0], ["readv", 1, $mine, 1, $theirs, 1, 0], ["writev", 1, $mine, 1, $theirs, 1, 0]) {
          my ($name, @args) = @$_; $! = 0; print syscall($call{$name}, @args), " ", $! + 0, "\n" }
        exit 7`)
      expect([status, stdout]).toEqual([7, '-1 1\n'.repeat(4)])
    })

    it("a command's processes can trace and read each other, as debuggers and sanitizers do", async () => {
      const { stdout, stderr } = await sandbox.perl(`${CALLS}
        my $text = "in memory"; my $pid = fork; if (!$pid) { sleep 1 while 1 }
        my $copy = " " x 9;
        print syscall($call{ptrace}, 16, $pid, 0, 0), " ", waitpid($pid, 0) == $pid, "\n";
        print syscall($call{readv}, $pid, vector($copy), 1, vector($text), 1, 0), " $copy\n";
        kill 9, $pid`)
      expect(stdout, stderr).toBe('0 1\n9 in memory\n')
    })

    it('strace and gdb work', async (context) => {
      needs(context, 'strace', 'gdb')
      const gdb = "gdb -batch -nx -ex 'break exit' -ex run -ex kill /bin/true 2>&1 | grep -c 'Breakpoint 1, '"
      const { stdout, stderr } = await sandbox.run(`strace -f -o trace true && grep -c execve trace; ${gdb}`)
      expect(stdout, stderr).toBe('1\n1\n')
    })

    it("the sandbox's init cannot be killed or stopped from inside to escape a limit", async () => {
      const { status } = await sandbox.run('kill -KILL 1; kill -STOP 1; exit 4')
      expect(status).toBe(4)
    })
  })
}
