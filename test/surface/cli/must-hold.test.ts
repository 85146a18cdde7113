import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { BINARY, type Ground, grounds, processesWith, type Started, uniqueSeconds, until } from '../binary.js'

const newGround = grounds()
const NO_STACK = /^\s+at .*[(:]\d/m

const audited = async (ground: Ground): Promise<readonly Record<string, unknown>[]> =>
  JSON.parse((await ground.run(['audit', '--json'])).stdout)

describe('the binary', () => {
  it('runs a pipeline and prints its output and nothing else', async () => {
    expect(await newGround().run(['run', '--', 'echo hi | tr h H'])).toMatchObject({
      status: 0,
      stdout: 'Hi\n',
      stderr: '',
    })
  })

  it('refuses sudo, starts nothing and records it', async () => {
    const ground = newGround()
    const { status, stdout, stderr } = await ground.run(['run', '--', 'touch started; sudo id'])
    expect([status, stdout]).toEqual([126, ''])
    expect(stderr).toMatch(/^Command not allowed: sudo/)
    expect(existsSync(join(ground.workspace, 'started'))).toBe(false)
    expect(await audited(ground)).toMatchObject([
      { command: 'touch started; sudo id', outcome: 'blocked', verdict: 'deny', caller: 'cli' },
    ])
  })

  it('refuses rm in structured mode and prints a dangerous text literally', async () => {
    const ground = newGround()
    writeFileSync(join(ground.workspace, 'x'), '')
    const refused = await ground.run(['exec', '--', 'rm', 'x'])
    expect(refused.status).toBe(126)
    expect(refused.stderr).toMatch(/^Command not allowed: rm/)
    expect(existsSync(join(ground.workspace, 'x'))).toBe(true)
    expect(await ground.run(['exec', '--', 'echo', '; rm -rf /'])).toMatchObject({ status: 0, stdout: '; rm -rf /\n' })
  })

  it('ends everything at the timeout, a setsid child too', async () => {
    const seconds = uniqueSeconds()
    const { status, stderr, ms } = await newGround().run([
      'run',
      '--timeout',
      '1',
      '--',
      `setsid sleep ${seconds} & sleep ${seconds}`,
    ])
    expect(status).toBe(124)
    expect(stderr).toContain('Command timed out after 1s')
    expect(ms).toBeLessThan(4_000)
    expect(processesWith(seconds)).toEqual([])
  })

  it('returns at once from a command that leaves a child behind, and leaves none', async () => {
    const seconds = uniqueSeconds()
    const { status, stdout, ms } = await newGround().run(['run', '--', `sleep ${seconds} & echo done`])
    expect([status, stdout]).toEqual([0, 'done\n'])
    expect(ms).toBeLessThan(5_000)
    expect(processesWith(seconds)).toEqual([])
  })

  it('--present shows the tail of endless output, counts all of it and stays small', async () => {
    const { process: child, ended } = newGround().start(['run', '--present', '--timeout', '3', '--', 'yes'])
    const peaks = await peakMemory({ process: child, ended })
    const { status, stdout, stderr } = await ended
    const [, shown, total] = /^\[Output truncated: showing last (\d+) chars of (\d+) chars\]\n/.exec(stdout) ?? []
    expect([status, Number(shown), stderr]).toEqual([124, 50_000, ''])
    expect(stdout).toMatch(/\n(?:y\n){25000}\nCommand timed out after 3s\n\nTook 3/)
    expect(Number(total)).toBeGreaterThan(1_000_000)
    expect(peaks).toBeLessThan(200 * 1024 * 1024)
  })

  it('a command cannot see tokens of its parent, not even in /proc', async () => {
    const { stdout, status } = await newGround().run(['run', '--', 'env; cat /proc/*/environ; true'], {
      env: { API_TOKEN: 'x' },
    })
    expect(status).toBe(0)
    expect(stdout).toContain('PATH=')
    expect(stdout).not.toContain('API_TOKEN')
  })

  it.each([
    ['workspace', 126, /^Command not allowed: curl/],
    ['developer', 123, /example\.com/],
    ['readonly', 126, /^Command not allowed: curl/],
    ['strict', 126, /shell/i],
  ])('profile %s gives its documented verdicts with reasons and touches nothing', async (profile, status, reason) => {
    const ground = newGround()
    const ended = await ground.run(['run', '--profile', profile, '--', 'touch /etc/x; echo > ~/x; curl example.com'])
    expect(ended.stderr).toMatch(reason)
    expect(ended.status).toBe(status)
    expect([existsSync('/etc/x'), existsSync(join(ground.home, 'x'))]).toEqual([false, false])
  })

  it('without a network program the sandbox alone protects the host', async () => {
    const ground = newGround()
    const { stderr } = await ground.run(['run', '--', 'touch /etc/x || true'])
    expect(stderr).toMatch(/\/etc\/x/)
    expect(existsSync('/etc/x')).toBe(false)
  })

  it('a directory outside, a symlink out, a file and a missing directory give different errors', async () => {
    const ground = newGround()
    symlinkSync('/etc', join(ground.workspace, 'link'))
    writeFileSync(join(ground.workspace, 'file'), '')
    const sentences: string[] = []
    for (const [cwd, status] of [
      ['../../etc', 126],
      ['link', 126],
      ['file', 125],
      ['missing', 125],
    ] as const) {
      const ended = await ground.run(['run', '--cwd', cwd, '--', 'pwd'])
      expect([cwd, ended.status, ended.stdout]).toEqual([cwd, status, ''])
      sentences.push(ended.stderr.replaceAll(cwd, '…'))
    }
    expect(new Set(sentences).size).toBe(4)
  })
})

describe('bad input is a clear error in under a second: 125, no stack', () => {
  const long = `: ${'x'.repeat(1024 * 1024)}`
  it.each([
    ['a NUL byte', ['run', '-'], 'echo a\0b', /NUL/],
    ['half of a surrogate pair', ['run', '-'], Buffer.from([0x65, 0x63, 0xed, 0xa0, 0x80]), /UTF-8/],
    ['a script of 1 MB', ['run', '-'], long, /longer|larger/],
    ['an unknown flag', ['run', '--sandbox', 'off', 'ls'], '', /unknown option '--sandbox'/],
    ['an unknown profile', ['run', '--profile', 'nope', 'ls'], '', /nope/],
    ['a blank script', ['run', '--', '  '], '', /empty|blank/i],
    ['an unknown command', ['fly'], '', /unknown command 'fly'/],
  ])('%s', async (_, argv, input, message) => {
    const ended = await newGround().run(argv, { input })
    expect([ended.status, ended.stdout]).toEqual([125, ''])
    expect(ended.stderr).toMatch(message)
    expect(ended.stderr).not.toMatch(NO_STACK)
  })

  it('a removed current directory gives one sentence', async () => {
    const ground = newGround()
    const before = ['bash', '-c', 'mkdir gone && cd gone && rmdir ../gone && exec "$@"', 'bash']
    expect(await ground.start(['run', 'ls'], { before }).ended).toMatchObject({
      status: 125,
      stderr: 'The current directory is gone. Change to another with cd.\n',
    })
  })

  it('10,000 nested substitutions are refused before they are read', async () => {
    const script = `${'$('.repeat(10_000)}true${')'.repeat(10_000)}`
    const { status, stderr, ms } = await newGround().run(['run', '-'], { input: script })
    expect([status, stderr]).toEqual([125, expect.stringMatching(/nests/)])
    expect(stderr).not.toMatch(NO_STACK)
    expect(ms).toBeLessThan(5_000)
  })

  it('a broken cordon.toml is reported with its line', async () => {
    const ground = newGround()
    writeFileSync(join(ground.workspace, 'cordon.toml'), 'profile = "workspace"\nnonsense = = 1\n')
    const ended = await ground.run(['run', 'ls'])
    expect([ended.status, ended.stdout]).toEqual([125, ''])
    expect(ended.stderr).toMatch(/cordon\.toml.*2/s)
    expect(ended.stderr).not.toMatch(NO_STACK)
  })

  it('an audit log that cannot be written stops everything', async () => {
    const ground = newGround()
    mkdirSync(join(ground.state, 'cordon/audit.db'), { recursive: true })
    const ended = await ground.run(['run', '--', 'touch started'])
    expect(ended.status).toBe(125)
    expect(ended.stderr).toMatch(/audit/)
    expect(ended.stderr).not.toMatch(NO_STACK)
    expect(existsSync(join(ground.workspace, 'started'))).toBe(false)
  })

  it('a full disk stops everything', async () => {
    const ground = newGround()
    const fill = `head -c 1000000 /dev/zero > ${ground.state}/fill 2>/dev/null; exec "$@"`
    const before = [
      'bwrap',
      '--dev-bind',
      '/',
      '/',
      '--size',
      '65536',
      '--tmpfs',
      ground.state,
      'bash',
      '-c',
      fill,
      'bash',
    ]
    const ended = await ground.run(['run', '--', 'touch started'], { before })
    expect(ended.status).toBe(125)
    expect(ended.stderr).not.toMatch(NO_STACK)
    expect(ended.stderr.trim()).not.toBe('')
    expect(existsSync(join(ground.workspace, 'started'))).toBe(false)
  })
})

describe('however it ends, nothing is left running', () => {
  it.each([
    // SIGINT reaches the command, as in a shell; the others end it.
    ['SIGINT', 'error'],
    ['SIGTERM', 'cancelled'],
    ['SIGHUP', 'cancelled'],
  ] as const)('%s ends the command and its processes with status 130, recorded as %s', async (signal, outcome) => {
    const ground = newGround()
    const seconds = uniqueSeconds()
    const { process: child, ended } = ground.start(['run', '--', `setsid sleep ${seconds} & sleep ${seconds}`])
    await until(() => processesWith(seconds).length === 2)
    child.kill(signal)
    const { status, stderr } = await ended
    expect(status).toBe(130)
    expect(stderr).not.toMatch(NO_STACK)
    expect(processesWith(seconds)).toEqual([])
    expect(await audited(ground)).toMatchObject([{ outcome, exit_code: 130 }])
  })

  it('kill -9 of Cordon ends the command, and the audit log shows it as interrupted with an intact chain', async () => {
    const ground = newGround()
    const seconds = uniqueSeconds()
    const { process: child, ended } = ground.start(['run', '--', `setsid sleep ${seconds} & sleep ${seconds}`])
    await until(() => processesWith(seconds).length === 2)
    child.kill('SIGKILL')
    await ended
    await until(() => processesWith(seconds).length === 0)
    expect(await audited(ground)).toMatchObject([{ outcome: 'interrupted' }])
    expect(await ground.run(['audit', 'verify'])).toMatchObject({ status: 0 })
  })

  it('a closed stdout pipe is no error', () => {
    const ground = newGround()
    const command = `set -o pipefail; "$1" "$2" run -- 'seq 1 5000' | head -n 1; echo "status \${PIPESTATUS[0]}"`
    const out = execFileSync('bash', ['-c', command, 'bash', process.execPath, BINARY], {
      cwd: ground.workspace,
      env: ground.env,
      encoding: 'utf8',
    })
    // 141 if `head` has ended before the last write, as in any shell.
    expect(out).toMatch(/^1\nstatus (?:0|141)\n$/)
  })
})

/** The most memory the process had resident, looked at until it ends. */
async function peakMemory({ process: child, ended }: Started): Promise<number> {
  let peak = 0
  const over = ended.then(() => true)
  while (!(await Promise.race([over, delay(50, false)]))) {
    try {
      const [, kilobytes] = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? []
      peak = Math.max(peak, Number(kilobytes ?? 0) * 1024)
    } catch {
      // It ended between two looks.
    }
  }
  return peak
}
