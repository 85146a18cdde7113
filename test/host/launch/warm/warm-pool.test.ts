import { mkdirSync, readdirSync, readFileSync, readlinkSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createBubblewrap, type SandboxLauncher } from '../../../../src/host/launch/bubblewrap.js'
import {
  launchAndCollect,
  pathsOf,
  plainProfile,
  planOf,
  processesNaming,
  removeDirectory,
  sandboxAround,
  temporaryDirectory,
  unusualSeconds,
} from '../../../contract/launcher-plan.js'

let top: string
let workspace: string
let launcher: SandboxLauncher
let perl: string | undefined
beforeEach(() => {
  top = temporaryDirectory()
  workspace = `${top}/work`
  mkdirSync(workspace)
  launcher = createBubblewrap({ warm: 1, ...(perl === undefined ? {} : { perl }) })
})
afterEach(async () => {
  await launcher.close()
  removeDirectory(top)
})

const profile = pathsOf({ protected: ['cordon.toml'] })
const run = async (
  script: string,
  over: Parameters<typeof planOf>[2] = {},
  io: Parameters<typeof launchAndCollect>[2] = {},
) => {
  const heard = await launchAndCollect(
    launcher,
    planOf(workspace, sandboxAround(workspace, profile), { script, ...over }),
    io,
  )
  return {
    ending: heard.ending,
    stdout: heard.stdout.toString(),
    stderr: heard.stderr.toString(),
    started: heard.started,
  }
}

/** Counts shells that wait for a command in this test's workspace. */
function warmSandboxes(): number {
  return readdirSync('/proc').filter((pid) => {
    try {
      return (
        readlinkSync(`/proc/${pid}/cwd`) === workspace &&
        readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('-c "$BASH_EXECUTION_STRING"')
      )
    } catch {
      return false
    }
  }).length
}

const untilWarm = async (): Promise<void> => {
  await run('true')
  const kind = await launcher.whenReady(planOf(workspace, sandboxAround(workspace, profile), { script: 'true' }))
  expect(kind).toBe(perl === undefined ? 'cloned' : 'built')
}
const PLAIN: [string, string][] = [['PATH', '/usr/bin:/bin']]
/** Prints from inside if the sandbox was warm. */
const WAS_WARM = 'grep -qE "c .[$]BASH_EXECUTION_STRING|cordon-zygot[e]" /proc/1/cmdline && echo warm || echo cold'

describe.each([
  ['a copy', undefined],
  ['built where there is no Perl', '/nonexistent/perl'],
])('a warm sandbox, %s', (_, place) => {
  beforeAll(() => {
    perl = place
  })

  it('a warm sandbox serves the next matching command, once', async () => {
    await untilWarm()
    expect((await run(`${WAS_WARM}; echo x > /tmp/left`)).stdout).toBe('warm\n')
    await untilWarm()
    expect((await run(`${WAS_WARM}; ls /tmp/left 2>/dev/null`)).stdout).toBe('warm\n')
  })

  it('a warm sandbox is not used for other limits, mounts, live input or bash start-up variables', async () => {
    await untilWarm()
    const others = [
      await run(WAS_WARM, { limits: { ...plainProfile.limits, openFiles: 99 } }),
      await run(WAS_WARM, { sandbox: sandboxAround(workspace, { ...profile, network: 'full' }) }),
      await run(WAS_WARM, { env: [...PLAIN, ['LC_ALL', 'C.UTF-8']] }),
      await run(WAS_WARM, { env: [...PLAIN, ['BASH_ENV', '/dev/null']] }),
      await run(`${WAS_WARM} # ${'x'.repeat(20_000)}`),
      await run(WAS_WARM, {}, { stdin: 'open' }),
    ]
    expect(others.map(({ stdout }) => stdout)).toEqual(others.map(() => 'cold\n'))
  })

  it('a warm sandbox accepts another directory, variables, input, or a program instead of a script', async () => {
    mkdirSync(`${workspace}/it's`)
    const warm = async (...args: Parameters<typeof run>): Promise<string> => {
      await untilWarm()
      return (await run(...args)).stdout
    }
    const where = 'pwd; echo "$PWD|${OLDPWD-none}"; declare -p OLDPWD'
    expect(
      await warm(`${WAS_WARM}; ${where}`, {
        cwd: `${workspace}/it's`,
        env: [...PLAIN, ['PWD', `${workspace}/it's`]],
      }),
    ).toBe(`warm\n${workspace}/it's\n${workspace}/it's|none\ndeclare -x OLDPWD\n`)
    expect(
      await warm(`${WAS_WARM}; echo "$A"; env | grep -c ^A=`, { env: [...PLAIN, ['PWD', workspace], ['A', "b'\n$c"]] }),
    ).toBe("warm\nb'\n$c\n1\n")
    expect(await warm(`${WAS_WARM}; cat; cat /dev/stdin`, {}, { stdin: { text: 'in\n' } })).toBe('warm\nin\nin\n')
    const argv = ['/usr/bin/grep', '-cE', 'c .[$]BASH_EXECUTION_STRING|cordon-zygot[e]', '/proc/1/cmdline']
    expect(await warm('', { argv })).toBe('1\n')
  })

  it('a warm sandbox is not used if a mounted file was replaced meanwhile', async () => {
    await untilWarm()
    renameSync(workspace, `${top}/old`)
    mkdirSync(workspace)
    writeFileSync(`${workspace}/new`, 'new')
    expect((await run(`cat new; ${WAS_WARM}`)).stdout).toBe('newcold\n')
    rmSync(`${top}/old`, { recursive: true })
  })

  it('a warm sandbox protects files created since it was built', async () => {
    await untilWarm()
    writeFileSync(`${workspace}/cordon.toml`, 'mine')
    await run('echo evil > cordon.toml; rm -f cordon.toml')
    expect(readFileSync(`${workspace}/cordon.toml`, 'utf8')).toBe('mine')
  })

  it.each([
    ['printf "%s|" "$0" "$#" "$@"; echo "$BASH_EXECUTION_STRING"'],
    ['exit 9'],
    ['set -e; false; echo not reached'],
    ['trap "echo bye" EXIT; echo hi; exit 3'],
    ["echo é'ü\\\"'$'\\x41'; cat <<'E'\n$x `y`\nE\necho end"],
    ['f() { return 4; }; f'],
    ['kill -TERM $$'],
    ['echo a; )'],
    ['compgen -v | grep -i cordon; env | grep -i -E "cordon|BASH_ENV"; echo /proc/$$/fd/?'],
    ['read x; echo "$? [$x]"; exec 2>&1; nosuchcommand; echo $?'],
    ['(exit 6) & wait $!; echo $? $-'],
    ['#only a comment'],
    ['x=1; { x=2; }; (x=3); echo $x; echo ${BASH_SUBSHELL} $SHLVL'],
    ['echo "$_|$SECONDS|$$|$BASHPID|$PPID|$LINENO|${#BASH_SOURCE[@]}|${OLDPWD-unset}"'],
    ['set -x\necho a\n(echo b)\neval "echo c"\nx=$(echo d)'],
    ['set -v\necho a\necho b'],
    ['set -u; echo $nothing; echo not reached'],
    ['echo a\necho b\nif; then\necho c'],
    ["echo 'open"],
    ['f() {\n  caller 0; echo $LINENO; nosuch\n}\n\nf\nreturn 3\necho $?'],
    ["sh -c 'kill -SEGV $$'"],
    ["sh -c 'kill -SEGV $$'; echo $?"],
    ['trap "echo $LINENO \\$BASH_COMMAND" ERR DEBUG; false; true'],
    ['alias a=echo; a x; shopt -s expand_aliases\nalias b=echo\nb y'],
    [
      'declare -p | grep -vE "RANDOM|EPOCH|BASHPID|SECONDS|BASH_ARGC|PIPESTATUS"; set -o; shopt; trap; umask; ulimit -a; jobs; dirs; hash',
    ],
    ['env -0 | sort -z | tr "\\0" "\\n"; exec env'],
    ['tr "\\0" "|" </proc/$$/cmdline | head -c 60; cat /proc/self/status | grep -E "Sig|Cap|NoNew|Seccomp|Groups"'],
    ['exec nosuchprogram'],
    ['/nosuch/program; . /nosuch/file; cd /nosuch; echo $?'],
    ['echo ${x?is not set}; echo not reached'],
    ['readonly r=1; r=2; echo not reached'],
    ['echo $((1/0)); echo reached?'],
    ['kill -INT $$; sleep 300'],
  ])('does what bash -c does: %s', async (script) => {
    const cold = await run(script)
    await untilWarm()
    expect(await run(script)).toEqual(cold)
    expect(cold.started).toBe(1)
  })

  it('a warm sandbox applies timeout, cancellation and limits', async () => {
    const seconds = unusualSeconds()
    await untilWarm()
    const late = await run(`(setsid sleep ${seconds} &); sleep ${seconds}`, { timeoutMs: 300 })
    expect(late.ending).toEqual({ how: 'killed', signal: 'SIGTERM', by: 'timeout' })
    await untilWarm()
    const controller = new AbortController()
    const cancelled = run(
      `echo up; sleep ${seconds}`,
      {},
      { signal: controller.signal, onChunk: () => controller.abort() },
    )
    expect((await cancelled).ending).toMatchObject({ how: 'killed', by: 'caller' })
    expect(processesNaming(seconds)).toEqual([])
  })

  it('a warm sandbox ends when the launcher closes', async () => {
    await untilWarm()
    expect(warmSandboxes()).toBeGreaterThan(0)
    await launcher.close()
    expect(warmSandboxes()).toBe(0)
  })
})
