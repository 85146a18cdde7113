import { statSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Plan, ResourceLimits } from '../../../../src/core/model/policy/plan.js'
import { processesNaming, unusualSeconds } from '../../../contract/launcher-plan.js'
import { sandboxedWorkspace } from '../../../contract/sandboxed-workspace.js'

const sandboxed = sandboxedWorkspace()
const run = (script: string, limits: Partial<ResourceLimits>, over: Partial<Omit<Plan, 'limits'>> = {}) =>
  sandboxed.run(script, { limits, ...over })
const killedBy = (limit: string) => ({ how: 'killed', signal: 'SIGKILL', by: 'limit', limit })

describe('limits', () => {
  it('a memory hog is killed, and the result names the limit', async () => {
    const hog = 'a=$(head -c 60000000 /dev/zero | tr "\\0" x); b=$a$a$a$a$a$a; sleep 300'
    expect((await run(hog, { memoryBytes: 128 << 20 })).ending).toEqual(killedBy('memory (128 MiB)'))
  })

  it('memory is counted over the whole tree, not per process', async () => {
    // Each waits until the last has its memory, however slowly they fill, so only the limit ends this.
    const small = '(a=$(head -c 40000000 /dev/zero | tr "\\0" x); sleep 300) &'
    expect((await run(`${small} ${small} ${small} ${small} wait`, { memoryBytes: 100 << 20 })).ending).toEqual(
      killedBy('memory (100 MiB)'),
    )
  })

  it('a fork bomb is killed while another command continues', async () => {
    const seconds = unusualSeconds()
    const bomb = run(`bomb() { sleep ${seconds} & bomb | bomb & }; bomb; wait`, { processes: 60 })
    const other = run('for i in 1 2 3; do sleep 0.1; echo $i; done', { processes: 60 })
    expect((await bomb).ending).toEqual(killedBy('processes (60)'))
    expect((await other).stdout.toString()).toBe('1\n2\n3\n')
    expect(processesNaming(seconds)).toEqual([])
  })

  it('CPU time is limited, in one process and over many', async () => {
    const one = (await run('while :; do :; done', { cpuSeconds: 1 })).ending
    expect(one).toEqual({ how: 'killed', signal: 'SIGXCPU', by: 'limit', limit: 'CPU time (1 s)' })
    const many = (await run('for i in 1 2 3 4; do (while :; do :; done) & done; wait', { cpuSeconds: 1 })).ending
    expect(many).toEqual(killedBy('CPU time (1 s)'))
  })

  it('a file cannot grow past its limit', async () => {
    const heard = await run('exec dd if=/dev/zero of=big bs=1M count=64 status=none', { fileBytes: 8 << 20 })
    expect(heard.ending).toMatchObject({ by: 'limit', limit: 'file size (8 MiB)' })
    expect(statSync(`${sandboxed.workspace}/big`).size).toBe(8 << 20)
  })

  it('a limit of descriptors applies to the command alone', async () => {
    const heard = await run('for i in {1..100}; do exec {fd}</dev/null || exit 9; done', { openFiles: 32 })
    expect(heard.ending).toEqual({ how: 'exited', status: 9 })
    expect(heard.stderr.toString()).toMatch(/Too many open files/)
  })

  it('limits apply to a program started without a shell', async () => {
    const heard = await run(
      '',
      { openFiles: 77, fileBytes: 5 << 20 },
      { argv: ['bash', '--norc', '-c', 'ulimit -n; ulimit -f; ulimit -c'] },
    )
    expect(heard.stdout.toString()).toBe('77\n5120\n0\n')
  })

  it('limits cannot be raised from inside', async () => {
    const heard = await run('ulimit -n 500 2>&1; ulimit -n; env | grep BASH_ENV', { openFiles: 64 })
    expect(heard.stdout.toString()).toMatch(/cannot modify limit.*\n64\n$/)
  })

  it('limits keep the BASH_ENV of the request', async () => {
    const env: [string, string][] = [
      ['PATH', '/usr/bin:/bin'],
      ['BASH_ENV', `${sandboxed.workspace}/it's mine`],
    ]
    const heard = await run('echo "$BASH_ENV"', { openFiles: 64 }, { env })
    expect(heard.stdout.toString()).toBe(`${sandboxed.workspace}/it's mine\n`)
  })

  it('memory in /tmp and /dev/shm is bounded', async () => {
    const heard = await run('df -B1 --output=size /dev/shm /tmp | tail -n 2; head -c 300M /dev/zero > /dev/shm/x', {})
    expect(heard.stdout.toString().trim().split(/\s+/).map(Number)).toEqual([256 << 20, 1 << 30])
    expect(heard.stderr.toString()).toMatch(/No space left/)
  })
})
