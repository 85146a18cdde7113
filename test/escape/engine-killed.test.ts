import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmodSync, closeSync, existsSync, openSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { wallArguments } from '../../src/host/launch/bubblewrap-arguments.js'
import { requiredFilter } from '../../src/host/launch/cold-wall.js'
import { findBubblewrap } from '../../src/host/launch/find-bubblewrap.js'
import { planOf, processesNaming, unusualSeconds, wallAround } from '../contract/launcher-plan.js'
import { isWalledIn } from '../contract/walled-workspace.js'
import { engineProcess } from './engine-process.js'
import { processesWith } from './kill-traces.js'

const found = findBubblewrap()
const BWRAP = found.sandbox === 'none' ? '' : found.path

const firstWords = (child: ChildProcess): Promise<void> =>
  new Promise((done) => child.stdout?.once('data', () => done()))
const gone = (child: ChildProcess): Promise<void> => new Promise((done) => child.once('close', () => done()))

/** What dies with its parent dies a moment after it. */
async function survivors(word: string): Promise<readonly string[]> {
  for (let tries = 0; tries < 1_000 && processesNaming(word).length > 0; tries += 1) await sleep(20)
  return processesNaming(word)
}

describe('kill -9 of the engine', () => {
  const engine = engineProcess()

  it.each([
    ['inside the wall', true],
    ['without a wall', false],
  ])('kill -9 of the engine at any moment leaves nothing running %s', async (_where, walled) => {
    const seconds = unusualSeconds()
    const script = `(setsid sleep ${seconds} >/dev/null 2>&1 &); trap "" TERM HUP; sleep ${seconds}`
    const args = engine.args(script, walled ? {} : { sandbox: { kind: 'none' } })
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

  it('kill -9 of the engine while a wall waits to be looked at runs nothing in it, though bubblewrap lives on', async () => {
    // Bubblewrap itself, but for a parent that does not die; and the engine looks at nothing any more.
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
    while (!isWalledIn(workspace)) await sleep(10)
    child.kill('SIGKILL')
    await over
    while (isWalledIn(workspace)) await sleep(10)
    expect(existsSync(`${workspace}/ran`)).toBe(false)
  })

  it('a wall whose filter of system calls does not come, or only a part of it, runs nothing', () => {
    const { top, workspace } = engine
    const wall = wallAround(workspace)
    if (wall.kind === 'none') throw new Error('there is a wall around it')
    const { args } = wallArguments(
      planOf(workspace, wall),
      { ...wall, mounts: wall.mounts.filter(({ op }) => op !== 'mask') },
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

  it('before bash has begun without a wall leaves no daemon either, though that has wiped its environment', async () => {
    const { top } = engine
    const seconds = unusualSeconds()
    // Bash itself, but for what happens the moment before it starts.
    writeFileSync(
      `${top}/bash`,
      '#!/bin/sh\nkill -KILL $PPID\nwhile [ -d /proc/$PPID/fd ]; do :; done\nexec /bin/bash "$@"\n',
    )
    chmodSync(`${top}/bash`, 0o755)
    const script = `exec env -i setsid sleep ${seconds} </dev/null >/dev/null 2>&1`
    const args = engine.args(script, { sandbox: { kind: 'none' }, argv: [`${top}/bash`, '-c', script] })
    const child = spawn(process.execPath, args, { stdio: 'ignore', env: { TMPDIR: top } })
    await gone(child)
    // The watchdog names the place of temporary files; when it has gone, it has found all it will.
    while (processesWith(top).length > 0) await sleep(20)
    expect(await survivors(seconds)).toEqual([])
  })
})
