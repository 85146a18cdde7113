import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmodSync, closeSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { wallArguments } from '../../src/host/launch/bubblewrap-arguments.js'
import { privatePrefix, requiredFilter } from '../../src/host/launch/cold-wall.js'
import { findBubblewrap } from '../../src/host/launch/find-bubblewrap.js'
import {
  planOf,
  processesNaming,
  removeDirectory,
  temporaryDirectory,
  unusualSeconds,
  wallAround,
} from '../contract/launcher-plan.js'
import { isWalledIn } from '../contract/walled-workspace.js'

/** An engine in a process of its own, so that it can be killed, leak descriptors, or live in another namespace. */
const ENGINE = `
const { createBubblewrap } = await import(process.argv[2])
const { createDirect } = await import(process.argv[3])
const plan = JSON.parse((await import('node:fs')).readFileSync(process.argv[4], 'utf8'))
const launcher = plan.wall.kind === 'none' ? createDirect() : createBubblewrap(process.env.BWRAP ? { places: [process.env.BWRAP] } : {})
process.stdout.write('ready\\n')
const ending = await launcher.launch(plan, { stdin: 'closed', signal: new AbortController().signal,
  onStart: () => {}, onChunk: (_stream, bytes) => process.stdout.write(bytes) })
await launcher.close()
process.stdout.write(JSON.stringify(ending) + '\\n')
`
const found = findBubblewrap()
const BWRAP = found.wall === 'none' ? '' : found.path
let top: string
let workspace: string
let built: string
const SOURCES = ['bubblewrap', 'direct'] as const
beforeAll(async () => {
  built = temporaryDirectory()
  for (const name of SOURCES) {
    const bundle = await rolldown({
      input: resolve(import.meta.dirname, `../../src/host/launch/${name}.ts`),
      platform: 'node',
      logLevel: 'silent',
    })
    await bundle.write({ file: `${built}/${name}.mjs`, format: 'esm' })
    await bundle.close()
  }
  writeFileSync(`${built}/engine.mjs`, ENGINE)
})
afterAll(() => removeDirectory(built))
beforeEach(() => {
  top = temporaryDirectory()
  workspace = `${top}/work`
  mkdirSync(workspace)
})
afterEach(() => removeDirectory(top))

function engineArgs(script: string, walled = true): string[] {
  const wall = walled ? wallAround(workspace) : ({ kind: 'none' } as const)
  writeFileSync(`${top}/plan.json`, JSON.stringify(planOf(workspace, wall, { script })))
  const modules = SOURCES.map((name) => pathToFileURL(`${built}/${name}.mjs`).href)
  return [`${built}/engine.mjs`, ...modules, `${top}/plan.json`]
}

const firstWords = (child: ChildProcess): Promise<void> =>
  new Promise((done) => child.stdout?.once('data', () => done()))
const gone = (child: ChildProcess): Promise<void> => new Promise((done) => child.once('close', () => done()))

/** What dies with its parent dies a moment after it. */
async function survivors(word: string): Promise<readonly string[]> {
  for (let tries = 0; tries < 100 && processesNaming(word).length > 0; tries += 1) await sleep(20)
  return processesNaming(word)
}

describe('the holes of the usual recipe', () => {
  it.each([
    ['inside the wall', true],
    ['without a wall', false],
  ])('kill -9 of the engine at any moment leaves nothing running %s', async (_where, walled) => {
    const seconds = unusualSeconds()
    const args = engineArgs(`(setsid sleep ${seconds} >/dev/null 2>&1 &); trap "" TERM HUP; sleep ${seconds}`, walled)
    for (let delayMs = 0; delayMs < 24; delayMs += 2) {
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'], env: { TMPDIR: top } })
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
    const bwrap = `${top}/bwrap`
    const words = `[[ $1 == --version ]] && exec ${BWRAP} "$@"\nkill -STOP $PPID\n${BWRAP} "$@" &\nwait\n`
    writeFileSync(bwrap, `#!/bin/bash\n${words}`)
    chmodSync(bwrap, 0o755)
    const child = spawn(process.execPath, engineArgs('touch ran'), {
      stdio: 'ignore',
      env: { TMPDIR: top, BWRAP: bwrap },
    })
    const over = gone(child)
    while (!isWalledIn(workspace)) await sleep(10)
    child.kill('SIGKILL')
    await over
    while (isWalledIn(workspace)) await sleep(10)
    expect(existsSync(`${workspace}/ran`)).toBe(false)
  })

  it('a wall whose filter of system calls does not come, or only a part of it, runs nothing', () => {
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
    const filter = requiredFilter()
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

  it('a directory the engine was started with is no door out of the wall', () => {
    writeFileSync(`${top}/secret`, 'the secret')
    const leaked = openSync(top, 'r')
    const LEAK = 40
    const stdio: ('ignore' | 'pipe' | number)[] = ['ignore', 'pipe', 'ignore']
    while (stdio.length < LEAK) stdio.push('ignore')
    stdio.push(leaked)
    const script = `exec 2>/dev/null; cat /proc/self/fd/${LEAK}/secret; for f in /proc/self/fd/*; do cat $f/secret; done; cat /dev/fd/${LEAK}; true`
    const { stdout } = spawnSync(process.execPath, engineArgs(script), { stdio, encoding: 'utf8' })
    closeSync(leaked)
    expect(stdout).toBe('ready\n{"how":"exited","status":0}\n')
  })

  it('a mount the host makes later does not appear inside', () => {
    if (process.getuid?.() !== 0) return
    // In a namespace of its own whose mounts are shared, as they are on most hosts; the wall is up while the mount is made.
    mkdirSync(`${top}/later`)
    const script = `touch up; while [[ ! -e mounted ]]; do sleep 0.02; done; ls /mnt; touch /mnt/written`
    writeFileSync(
      `${workspace}/host.sh`,
      `"$@" > ${top}/said & while [ ! -e ${workspace}/up ]; do sleep 0.02; done
mount -t tmpfs none /mnt && touch /mnt/late && touch ${workspace}/mounted; wait; ls /mnt > ${top}/after; umount /mnt`,
    )
    const engine = [process.execPath, ...engineArgs(script)]
    spawnSync('unshare', ['--mount', '--propagation', 'shared', 'bash', `${workspace}/host.sh`, ...engine], {
      timeout: 20_000,
    })
    expect(readFileSync(`${top}/after`, 'utf8')).toBe('late\n')
    expect(readFileSync(`${top}/said`, 'utf8')).toContain('"status":1')
    expect(readFileSync(`${top}/said`, 'utf8')).not.toContain('late')
  })

  it('sharing of mounts is recognised in the list the kernel gives', () => {
    const shared = '22 27 0:21 / / rw,relatime shared:1 - ext4 /dev/vda rw\n'
    const notShared =
      '22 27 0:21 / /shared:1 rw,relatime - ext4 /dev/vda rw\n23 27 0:2 / /x rw master:4 - ext4 /dev/x rw\n'
    expect(privatePrefix(shared)[0]).toBe('/usr/bin/unshare')
    expect(privatePrefix(notShared)).toEqual([])
  })

  it('the engine is not left waiting by a wall that cannot be built', () => {
    const plan = planOf(workspace, wallAround(workspace), { cwd: `${workspace}/not-there` })
    writeFileSync(`${top}/plan.json`, JSON.stringify(plan))
    const args = engineArgs('true')
    writeFileSync(`${top}/plan.json`, JSON.stringify(plan))
    const { stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 10_000 })
    expect(status).toBe(1)
    expect(stderr).toMatch(/SANDBOX_UNAVAILABLE[\s\S]*|cannot be walled in/)
    expect(existsSync(`${workspace}/not-there`)).toBe(false)
  })
})
