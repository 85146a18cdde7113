import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmodSync, closeSync, existsSync, openSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { requiredFilter } from '../../../src/host/launch/lifecycle/start-cold.js'
import { sandboxArguments } from '../../../src/host/launch/sandbox/bubblewrap-arguments.js'
import { findBubblewrap } from '../../../src/host/launch/sandbox/find-bubblewrap.js'
import { planOf, processesNaming, sandboxAround, unusualSeconds } from '../../contract/launcher-plan.js'
import { isSandboxedIn } from '../../contract/sandboxed-workspace.js'
import { engineProcess } from '../support/engine-process.js'
import { processesWith } from '../support/kill-traces.js'

const found = findBubblewrap()
const BWRAP = found.sandbox === 'none' ? '' : found.path

const firstWords = (child: ChildProcess): Promise<void> =>
  new Promise((done) => child.stdout?.once('data', () => done()))
const gone = (child: ChildProcess): Promise<void> => new Promise((done) => child.once('close', () => done()))

/** A process that dies with its parent dies a moment after it. */
async function survivors(word: string): Promise<readonly string[]> {
  for (let tries = 0; tries < 1_000 && processesNaming(word).length > 0; tries += 1) await sleep(20)
  return processesNaming(word)
}

describe('kill -9 of the engine', () => {
  const engine = engineProcess()

  it.each([
    ['inside the sandbox', true],
    ['without a sandbox', false],
  ])('kill -9 of the engine at any moment leaves nothing running %s', async (_where, sandboxed) => {
    const seconds = unusualSeconds()
    const script = `(setsid sleep ${seconds} >/dev/null 2>&1 &); trap "" TERM HUP; sleep ${seconds}`
    const args = engine.args(script, sandboxed ? {} : { sandbox: { kind: 'none' } })
    for (let delayMs = 0; delayMs < 24; delayMs += 2) {
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'], env: { TMPDIR: engine.top } })
      const over = gone(child)
      await firstWords(child)
      await sleep(delayMs)
      child.kill('SIGKILL')
      await over
    }
    expect(await survivors(seconds)).toEqual([])
  })

  it('kill -9 of the engine before the mount check starts nothing, though bubblewrap lives on', async () => {
    // bubblewrap without its death signal, and an engine that checks nothing any more.
    const { top, workspace } = engine
    const bwrap = `${top}/bwrap`
    const words = `[[ $1 == --version ]] && exec ${BWRAP} "$@"\nkill -STOP $PPID\n${BWRAP} "$@" &\nwait\n`
    writeFileSync(bwrap, `#!/bin/bash\n${words}`)
    chmodSync(bwrap, 0o755)
    const child = spawn(process.execPath, engine.args('touch ran'), {
      stdio: 'ignore',
      env: { TMPDIR: engine.top, BWRAP: bwrap },
    })
    const over = gone(child)
    while (!isSandboxedIn(workspace)) await sleep(10)
    child.kill('SIGKILL')
    await over
    while (isSandboxedIn(workspace)) await sleep(10)
    expect(existsSync(`${workspace}/ran`)).toBe(false)
  })

  it('a sandbox without its complete seccomp filter starts nothing', () => {
    const { top, workspace } = engine
    const sandbox = sandboxAround(workspace)
    if (sandbox.kind === 'none') throw new Error('the plan has no sandbox')
    const { args } = sandboxArguments(
      planOf(workspace, sandbox),
      { ...sandbox, mounts: sandbox.mounts.filter(({ op }) => op !== 'mask') },
      {
        fds: { status: 1, seccomp: 3, prelude: null, contents: 4 },
        asRoot: process.getuid?.() === 0,
        existing: new Set(),
        preludePath: '',
        joinsNetwork: false,
      },
    )
    const filter = requiredFilter(true)
    const outcome = (bytes: Buffer): readonly [number | null, boolean] => {
      writeFileSync(`${top}/filter`, bytes)
      const file = openSync(`${top}/filter`, 'r')
      const command = ['--', '/bin/bash', '-c', 'touch ran']
      const { status } = spawnSync(BWRAP, [...args, ...command], { stdio: ['ignore', 'ignore', 'ignore', file] })
      closeSync(file)
      return [status, existsSync(`${workspace}/ran`)]
    }
    for (let length = 0; length < filter.length; length += 8 * 7)
      expect(outcome(filter.subarray(0, length))).toEqual([1, false])
    expect(outcome(filter)).toEqual([0, true])
  })

  it('kill -9 of the engine before bash starts without a sandbox leaves no daemon, even with a wiped environment', async () => {
    const { top } = engine
    const seconds = unusualSeconds()
    // bash itself, after an event at the moment before its start.
    writeFileSync(
      `${top}/bash`,
      '#!/bin/sh\nkill -KILL $PPID\nwhile [ -d /proc/$PPID/fd ]; do :; done\nexec /bin/bash "$@"\n',
    )
    chmodSync(`${top}/bash`, 0o755)
    const script = `exec env -i setsid sleep ${seconds} </dev/null >/dev/null 2>&1`
    const args = engine.args(script, { sandbox: { kind: 'none' }, argv: [`${top}/bash`, '-c', script] })
    const child = spawn(process.execPath, args, { stdio: 'ignore', env: { TMPDIR: top } })
    await gone(child)
    // The watchdog names the directory of temporary files. Its end means that its search is complete.
    while (processesWith(top).length > 0) await sleep(20)
    expect(await survivors(seconds)).toEqual([])
  })
})
