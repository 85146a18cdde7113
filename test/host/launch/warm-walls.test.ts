import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Launcher } from '../../../src/engine/ports.js'
import { createBubblewrap } from '../../../src/host/launch/bubblewrap.js'
import {
  launchAndHear,
  pathsOf,
  plainProfile,
  planOf,
  processesNaming,
  removeDirectory,
  temporaryDirectory,
  unusualSeconds,
  wallAround,
} from '../../contract/launcher-plan.js'

let top: string
let workspace: string
let launcher: Launcher
beforeEach(() => {
  top = temporaryDirectory()
  workspace = `${top}/work`
  mkdirSync(workspace)
  launcher = createBubblewrap({ warm: 1 })
})
afterEach(async () => {
  await launcher.close()
  removeDirectory(top)
})

const profile = pathsOf({ protected: ['cordon.toml'] })
const run = async (
  script: string,
  over: Parameters<typeof planOf>[2] = {},
  io: Parameters<typeof launchAndHear>[2] = {},
) => {
  const heard = await launchAndHear(
    launcher,
    planOf(workspace, wallAround(workspace, profile), { script, ...over }),
    io,
  )
  return {
    ending: heard.ending,
    stdout: heard.stdout.toString(),
    stderr: heard.stderr.toString(),
    started: heard.started,
  }
}

/** Bubblewrap processes of this test's engine whose bash waits for a command. */
function waitingWalls(): number {
  return readdirSync('/proc').filter((pid) => {
    try {
      return (
        readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('__cordon_n') &&
        readFileSync(`/proc/${pid}/cwd/.pool`, 'utf8') === top
      )
    } catch {
      return false
    }
  }).length
}

const untilWarm = async (): Promise<void> => {
  writeFileSync(`${workspace}/.pool`, top)
  await run('true')
  for (let tries = 0; tries < 200 && waitingWalls() === 0; tries += 1) await sleep(10)
}
/** Tells from inside whether this wall had waited. */
const WAS_WARM = 'grep -q [_]_cordon_n /proc/1/cmdline && echo warm || echo cold'

describe('a wall built ahead', () => {
  it('is used for the next command that fits, once', async () => {
    await untilWarm()
    expect((await run(`${WAS_WARM}; echo x > /tmp/left`)).stdout).toBe('warm\n')
    await untilWarm()
    expect((await run(`${WAS_WARM}; ls /tmp/left 2>/dev/null`)).stdout).toBe('warm\n')
  })

  it('is not used for another directory, environment, limit, wall or input', async () => {
    await untilWarm()
    mkdirSync(`${workspace}/sub`)
    const others = [
      await run(WAS_WARM, { cwd: `${workspace}/sub` }),
      await run(WAS_WARM, {
        env: [
          ['PATH', '/usr/bin:/bin'],
          ['A', 'b'],
        ],
      }),
      await run(WAS_WARM, { limits: { ...plainProfile.limits, openFiles: 99 } }),
      await run(WAS_WARM, { wall: wallAround(workspace, { ...profile, network: 'full' }) }),
      await run(WAS_WARM, {}, { stdin: { text: 'x' } }),
    ]
    expect(others.map(({ stdout }) => stdout)).toEqual(others.map(() => 'cold\n'))
  })

  it('is not used when what it shows has been replaced meanwhile', async () => {
    await untilWarm()
    renameSync(workspace, `${top}/old`)
    mkdirSync(workspace)
    writeFileSync(`${workspace}/new`, 'new')
    expect((await run(`cat new; ${WAS_WARM}`)).stdout).toBe('newcold\n')
    rmSync(`${top}/old`, { recursive: true })
  })

  it('protects what has come to exist since it was built', async () => {
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
    ['compgen -v | grep -i cordon; env | grep -i -E "cordon|BASH_ENV"; ls /proc/$$/fd | paste -sd,'],
    ['read x; echo "$? [$x]"; exec 2>&1; nosuchcommand; echo $?'],
    ['sleep 0.01 & wait $!; echo $? $-| tr -d c'],
    ['#only a comment'],
    ['x=1; { x=2; }; (x=3); echo $x; echo ${BASH_SUBSHELL} $SHLVL'],
  ])('does what bash -c does: %s', async (script) => {
    const cold = await run(script)
    await untilWarm()
    const warm = await run(script)
    expect({ ending: warm.ending, stdout: warm.stdout }).toEqual({ ending: cold.ending, stdout: cold.stdout })
    expect(warm.stderr === '').toBe(cold.stderr === '')
  })

  it('ends at its timeout and cancels like any other, and its limits hold', async () => {
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

  it('is gone when the launcher is closed', async () => {
    await untilWarm()
    expect(waitingWalls()).toBeGreaterThan(0)
    await launcher.close()
    expect(waitingWalls()).toBe(0)
  })
})
