import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { resolve } from 'node:path'
import { rolldown } from 'rolldown'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Plan } from '../../src/core/model/plan.js'
import { createBubblewrap, type WallLauncher } from '../../src/host/launch/bubblewrap.js'
import { diagnose } from '../../src/host/launch/diagnose.js'
import { childrenOf, descendantsOf, identify, isAlive } from '../../src/host/launch/process-tree.js'
import {
  launchAndHear,
  plainProfile,
  planOf,
  removeDirectory,
  temporaryDirectory,
  unusualSeconds,
  wallAround,
} from '../contract/launcher-plan.js'

const MS = 120_000
const PATIENCE = { timeout: 60_000, interval: 20 }
/** Tells from inside whether this wall had waited. */
const WAS_WARM = 'grep -q "c .[$]BASH_EXECUTION_STRING" /proc/1/cmdline && echo warm || echo cold'

const wordsOf = (pid: number): readonly string[] => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1').split('\0')
  } catch {
    return []
  }
}
/** The process of ours that keeps networks, and those it keeps. */
const keepers = (): readonly number[] =>
  childrenOf(process.pid).filter((pid) => wordsOf(pid).includes('cordon-networks'))
const networks = (): readonly number[] => keepers().flatMap(childrenOf)

let server: Server
let place: string
let workspace: string
let launcher: WallLauncher
let evidence: string[]
beforeAll(async () => {
  server = createServer((socket) => socket.end('served'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  place = `tool:${typeof address === 'object' && address !== null ? address.port : 0}`
})
afterAll(() => new Promise((done) => server.close(done)))
beforeEach(() => {
  workspace = temporaryDirectory()
  evidence = []
})
afterEach(async () => {
  await launcher.close()
  removeDirectory(workspace)
  expect(keepers()).toEqual([])
})

const opened = (warm: number): WallLauncher => {
  launcher = createBubblewrap({ warm, resolve: async () => ['127.0.0.1'] })
  return launcher
}
const planned = (script: string): Plan =>
  planOf(workspace, wallAround(workspace, { ...plainProfile, network: { hosts: [place] } }), { script, timeoutMs: MS })
const run = async (script: string): Promise<string> =>
  (await launchAndHear(launcher, planned(script), { onEvidence: (line) => evidence.push(line) })).stdout.toString()
const FETCH = 'cat < /dev/tcp/${place/:/\\/}'
const fetched = (): string => `place=${place}; ${FETCH}`

describe('the network of a command', () => {
  it(
    'is gone with it, but for one that is made ahead for the next',
    async () => {
      opened(0)
      for (let count = 0; count < 4; count += 1) expect(await run(fetched())).toBe('served')
      await vi.waitFor(() => expect(networks().length).toBeLessThanOrEqual(1), PATIENCE)
      expect(await run(fetched())).toBe('served')
    },
    MS,
  )

  it(
    'is made ahead with a wall that waits, which is used once and tells what it refused',
    async () => {
      opened(1)
      const seen: string[] = []
      for (let count = 0; count < 3; count += 1) {
        seen.push(await run(`${WAS_WARM}; ${fetched()} 2>/dev/null; getent hosts "other$?.test"`))
        expect(await launcher.readied(planned('true'))).toBe('built')
      }
      const [cold, ...warm] = seen.map((text) => text.split('\n'))
      expect([cold?.[0], ...warm.map(([first]) => first)]).toEqual(['cold', 'warm', 'warm'])
      expect(seen.map((text) => text.split('\n')[1])).toEqual(['served', 'served', 'served'])
      expect(evidence).toEqual(Array(3).fill('network: other0.test refused'))
    },
    MS,
  )

  it(
    'is replaced where its keeper was killed, and what ran meanwhile has none',
    async () => {
      opened(0)
      expect(await run(fetched())).toBe('served')
      const script = `echo up; until [[ -e go ]]; do sleep 0.02; done; ${fetched()} 2>/dev/null || echo nothing`
      let said = ''
      const kill = async (): Promise<void> => {
        const victims = [...keepers(), ...networks()].flatMap((pid) => identify(pid) ?? [])
        for (const keeper of keepers()) process.kill(keeper, 'SIGKILL')
        await vi.waitFor(() => expect(victims.filter(isAlive)).toEqual([]), PATIENCE)
        writeFileSync(`${workspace}/go`, '')
      }
      let killed: Promise<void> | undefined
      await launchAndHear(launcher, planned(script), {
        onChunk: (stream, bytes) => {
          if (stream === 'stdout') said += Buffer.from(bytes).toString()
          killed ??= kill()
        },
      })
      await killed
      expect(said).toBe('up\nnothing\n')
      await vi.waitFor(async () => expect(await run(fetched())).toBe('served'), PATIENCE)
    },
    MS,
  )

  it(
    'is closed to whoever it was not made for: a killed one is not somebody else by its number',
    async () => {
      opened(1)
      await run('true')
      await launcher.readied(planned('true'))
      const victims = networks().map(identify)
      for (const victim of networks()) process.kill(victim, 'SIGKILL')
      await vi.waitFor(
        () => expect(victims.every((victim) => victim === null || !isAlive(victim))).toBe(true),
        PATIENCE,
      )
      // The wall was in it already: nothing is there any more.
      expect(await run(`${fetched()} 2>/dev/null || echo nothing`)).toBe('nothing\n')
    },
    MS,
  )
})

describe('where networks can be made', () => {
  it('the doctor makes one, and leaves nothing of it', async () => {
    opened(0)
    const found = (await diagnose()).find(({ name }) => name === 'networks of listed hosts')
    expect(found).toMatchObject({ ok: true, detail: 'reached by every program', fix: null })
    expect(keepers()).toEqual([])
  })

  it('no command with a list of hosts is run without Perl, and it is told why', async () => {
    launcher = createBubblewrap({ perl: '/nonexistent/perl' })
    await expect(run('echo ran')).rejects.toThrow(/made by Perl, and there is none at \/nonexistent\/perl\. Install it/)
  })
})

describe('the networks of an engine', () => {
  it(
    'end with it, kill -9 or not, and their processes too',
    async () => {
      opened(0)
      const built = temporaryDirectory()
      const input = resolve(import.meta.dirname, '../../src/host/launch/bubblewrap.ts')
      const bundle = await rolldown({ input, platform: 'node', logLevel: 'silent' })
      await bundle.write({ file: `${built}/bubblewrap.mjs`, format: 'esm' })
      await bundle.close()
      writeFileSync(
        `${built}/engine.mjs`,
        `import { createBubblewrap } from './bubblewrap.mjs'
const launcher = createBubblewrap({ warm: 1 })
const launch = (plan) => launcher.launch(plan, { stdin: 'closed', signal: new AbortController().signal, onStart: () => {}, onChunk: () => console.log('up') })
const [quick, long] = JSON.parse(process.argv[2])
await launch(quick)
await launcher.readied(quick)
await launch(long)
`,
      )
      const long = planned(`echo up; sleep ${unusualSeconds()}`)
      const engine = spawn(process.execPath, [`${built}/engine.mjs`, JSON.stringify([planned('true'), long])], {
        stdio: ['ignore', 'pipe', 'inherit'],
        env: { TMPDIR: built },
      })
      try {
        const gone = once(engine, 'close')
        await once(engine.stdout, 'data')
        const all = descendantsOf(engine.pid ?? 0).flatMap((pid) => identify(pid) ?? [])
        expect(all.filter(({ pid }) => wordsOf(pid).includes('cordon-networks')).length).toBeGreaterThanOrEqual(2)
        engine.kill('SIGKILL')
        await gone
        await vi.waitFor(() => expect(all.filter(isAlive)).toEqual([]), PATIENCE)
      } finally {
        engine.kill('SIGKILL')
        removeDirectory(built)
      }
    },
    MS,
  )
})
