import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { resolve } from 'node:path'
import { rolldown } from 'rolldown'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { helperScripts } from '../../../script/helper-scripts.mjs'
import type { Plan } from '../../../src/core/model/policy/plan.js'
import { evidenceLine } from '../../../src/core/model/run/evidence.js'
import { createBubblewrap, type SandboxLauncher } from '../../../src/host/launch/bubblewrap.js'
import { diagnose } from '../../../src/host/launch/diagnose.js'
import { childrenOf, descendantsOf, identify, isAlive } from '../../../src/host/launch/process/process-tree.js'
import {
  launchAndCollect,
  plainProfile,
  planOf,
  removeDirectory,
  sandboxAround,
  temporaryDirectory,
  unusualSeconds,
} from '../../contract/launcher-plan.js'

const MS = 120_000
const PATIENCE = { timeout: 60_000, interval: 20 }
/** Prints from inside if the sandbox was warm. */
const WAS_WARM = 'grep -q "c .[$]BASH_EXECUTION_STRING" /proc/1/cmdline && echo warm || echo cold'

const wordsOf = (pid: number): readonly string[] => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1').split('\0')
  } catch {
    return []
  }
}
/** Returns the network helper of this process, and its networks. */
const networkHelpers = (): readonly number[] =>
  childrenOf(process.pid).filter((pid) => wordsOf(pid).includes('cordon-networks'))
const networks = (): readonly number[] => networkHelpers().flatMap(childrenOf)

let server: Server
let place: string
let workspace: string
let launcher: SandboxLauncher
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
  expect(networkHelpers()).toEqual([])
})

const opened = (warm: number): SandboxLauncher => {
  launcher = createBubblewrap({ warm, resolve: async () => ['127.0.0.1'] })
  return launcher
}
const planned = (script: string): Plan =>
  planOf(workspace, sandboxAround(workspace, { ...plainProfile, network: { hosts: [place] } }), {
    script,
    timeoutMs: MS,
  })
const run = async (script: string): Promise<string> =>
  (
    await launchAndCollect(launcher, planned(script), { onEvidence: (one) => evidence.push(evidenceLine(one)) })
  ).stdout.toString()
const FETCH = 'cat < /dev/tcp/${place/:/\\/}'
const fetched = (): string => `place=${place}; ${FETCH}`

describe('the network of a command', () => {
  it(
    'a network ends with its command, except the warm one for the next',
    async () => {
      opened(0)
      for (let count = 0; count < 4; count += 1) expect(await run(fetched())).toBe('served')
      await vi.waitFor(() => expect(networks().length).toBeLessThanOrEqual(1), PATIENCE)
      expect(await run(fetched())).toBe('served')
    },
    MS,
  )

  it(
    'a network of a warm sandbox is used once and reports its refusals',
    async () => {
      opened(1)
      const seen: string[] = []
      for (let count = 0; count < 3; count += 1) {
        seen.push(await run(`${WAS_WARM}; ${fetched()} 2>/dev/null; getent hosts "other$?.test"`))
        expect(await launcher.whenReady(planned('true'))).toBe('built')
      }
      const [cold, ...warm] = seen.map((text) => text.split('\n'))
      expect([cold?.[0], ...warm.map(([first]) => first)]).toEqual(['cold', 'warm', 'warm'])
      expect(seen.map((text) => text.split('\n')[1])).toEqual(['served', 'served', 'served'])
      expect(evidence).toEqual(Array(3).fill('network: other0.test refused'))
    },
    MS,
  )

  it(
    'a killed network helper is replaced, and commands that ran meanwhile lose their network',
    async () => {
      opened(0)
      expect(await run(fetched())).toBe('served')
      const script = `echo up; until [[ -e go ]]; do sleep 0.02; done; ${fetched()} 2>/dev/null || echo nothing`
      let said = ''
      const kill = async (): Promise<void> => {
        const targets = [...networkHelpers(), ...networks()].flatMap((pid) => identify(pid) ?? [])
        for (const helper of networkHelpers()) process.kill(helper, 'SIGKILL')
        await vi.waitFor(() => expect(targets.filter(isAlive)).toEqual([]), PATIENCE)
        writeFileSync(`${workspace}/go`, '')
      }
      let killed: Promise<void> | undefined
      await launchAndCollect(launcher, planned(script), {
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
    'a killed network cannot be joined by a process with a reused pid',
    async () => {
      opened(1)
      await run('true')
      await launcher.whenReady(planned('true'))
      const targets = networks().map(identify)
      for (const target of networks()) process.kill(target, 'SIGKILL')
      await vi.waitFor(
        () => expect(targets.every((target) => target === null || !isAlive(target))).toBe(true),
        PATIENCE,
      )
      // The sandbox was in it already, so its network is gone.
      expect(await run(`${fetched()} 2>/dev/null || echo nothing`)).toBe('nothing\n')
    },
    MS,
  )
})

describe('making networks', () => {
  it('the doctor makes a network, and leaves nothing of it', async () => {
    opened(0)
    const found = (await diagnose()).find(({ name }) => name === 'listed hosts')
    expect(found).toMatchObject({ ok: true, detail: 'every program reaches them', fix: null })
    expect(networkHelpers()).toEqual([])
  })

  it('a command with listed hosts is refused without Perl, with the reason', async () => {
    launcher = createBubblewrap({ perl: '/nonexistent/perl' })
    await expect(run('echo ran')).rejects.toThrow(/need Perl, and \/nonexistent\/perl does not exist\. Install Perl/)
  })
})

describe('the networks of an engine', () => {
  it(
    'networks and their processes end with the engine, also by kill -9',
    async () => {
      opened(0)
      const built = temporaryDirectory()
      const input = resolve(import.meta.dirname, '../../../src/host/launch/bubblewrap.ts')
      const bundle = await rolldown({ input, platform: 'node', logLevel: 'silent', plugins: [helperScripts] })
      await bundle.write({ file: `${built}/bubblewrap.mjs`, format: 'esm' })
      await bundle.close()
      writeFileSync(
        `${built}/engine.mjs`,
        `import { createBubblewrap } from './bubblewrap.mjs'
const launcher = createBubblewrap({ warm: 1 })
const launch = (plan) => launcher.launch(plan, { stdin: 'closed', signal: new AbortController().signal, onStart: () => {}, onChunk: () => console.log('up') })
const [quick, long] = JSON.parse(process.argv[2])
await launch(quick)
await launcher.whenReady(quick)
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
