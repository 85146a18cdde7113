import { spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { plainProfile } from '../contract/launcher-plan.js'
import type { AttackedWall } from './attacked-wall.js'

/** Other processes, and what is known of them. */
export function processAttacks(who: string, wall: AttackedWall): void {
  describe(`${who}: processes`, () => {
    it('no process of the host is to be seen, signalled or traced', async () => {
      const { stdout } = await wall.run(
        `ls /proc | grep -c -E '^[0-9]+$'; kill -0 ${process.pid} 2>/dev/null && echo alive; cat /proc/${process.pid}/environ 2>/dev/null | head -c 1`,
      )
      expect(Number(stdout)).toBeLessThan(12)
    })

    it('no variable of the engine is in any environment there is', async () => {
      process.env.CORDON_TEST_TOKEN = 'do-not-show-me'
      const { stdout } = await wall.run(
        'env; cat /proc/*/environ 2>/dev/null | tr "\\0" "\\n"; cat /proc/*/cmdline | tr "\\0" "\\n"',
      )
      delete process.env.CORDON_TEST_TOKEN
      expect(stdout).not.toContain('do-not-show-me')
      expect(stdout).toContain('PATH=')
    })

    it('what a request sets acts inside the wall only', async () => {
      writeFileSync(
        `${wall.workspace}/evil.c`,
        '#include <stdio.h>\n__attribute__((constructor)) void f(void){FILE*o=fopen("/tmp/cordon-preloaded","w");if(o)fclose(o);}',
      )
      const built = spawnSync('gcc', [
        '-shared',
        '-fPIC',
        '-o',
        `${wall.workspace}/evil.so`,
        `${wall.workspace}/evil.c`,
      ])
      const env: [string, string][] = [
        ['PATH', '/usr/bin:/bin'],
        ['LD_PRELOAD', `${wall.workspace}/evil.so`],
        ['BASH_ENV', `${wall.workspace}/x`],
      ]
      await wall.run('true', plainProfile, { env })
      expect(existsSync('/tmp/cordon-preloaded')).toBe(false)
      if (built.status === 0)
        expect((await wall.run('ls /tmp/cordon-preloaded', plainProfile, { env })).stdout).toBe(
          '/tmp/cordon-preloaded\n',
        )
    })

    it('the exit status cannot be forged from inside', async () => {
      const forge =
        'for f in /proc/self/fd/* /proc/1/fd/*; do echo \'{ "exit-code": 0 }\' > $f; done 2>/dev/null; exit 7'
      expect((await wall.run(forge)).status).toBe(7)
    })

    it('the memory of the init of the wall is neither read nor written from inside', async () => {
      const { stdout } = await wall.perl(`
        for my $file ("/proc/1/mem", "/proc/1/task/1/mem") { for my $how (0, 1, 2) { print sysopen(my $open, $file, $how) ? "$file opened\\n" : "refused\\n" } }`)
      expect(stdout).toBe('refused\n'.repeat(6))
    })

    it('the init of the wall cannot be killed or stopped from inside to escape a limit', async () => {
      const { status } = await wall.run('kill -KILL 1; kill -STOP 1; exit 4')
      expect(status).toBe(4)
    })
  })
}
