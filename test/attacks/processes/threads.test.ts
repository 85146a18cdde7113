import { existsSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { rolldown } from 'rolldown'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { helperScripts } from '../../../script/helper-scripts.mjs'
import type { Plan } from '../../../src/core/model/policy/plan.js'
import type { Ending } from '../../../src/core/model/run/ending.js'
import { createBubblewrap } from '../../../src/host/launch/bubblewrap.js'
import {
  launchAndCollect,
  plainProfile,
  planOf,
  processesNaming,
  removeDirectory,
  sandboxAround,
  temporaryDirectory,
  unusualSeconds,
} from '../../contract/launcher-plan.js'

const PATIENCE_MS = 60_000
/** Engine in a thread that reports its command's start and end. */
const ENGINE = `
import { parentPort, workerData } from 'node:worker_threads'
const { createBubblewrap } = await import(workerData.module)
const launcher = createBubblewrap(workerData.options)
const ending = await launcher.launch(workerData.plan, { stdin: 'closed', signal: new AbortController().signal,
  onStart: () => {}, onChunk: () => parentPort.postMessage('up') })
await launcher.close()
parentPort.postMessage(ending)
`

let built: string
let workspace: string
beforeAll(async () => {
  built = temporaryDirectory()
  const input = resolve(import.meta.dirname, '../../../src/host/launch/bubblewrap.ts')
  const bundle = await rolldown({ input, platform: 'node', logLevel: 'silent', plugins: [helperScripts] })
  await bundle.write({ file: `${built}/bubblewrap.mjs`, format: 'esm' })
  await bundle.close()
  writeFileSync(`${built}/engine.mjs`, ENGINE)
})
afterAll(() => removeDirectory(built))
beforeEach(() => {
  workspace = temporaryDirectory()
})
afterEach(() => removeDirectory(workspace))

const limits = { ...plainProfile.limits, processes: 100, memoryBytes: 1 << 30 }
const planFor = (script: string): Plan =>
  planOf(workspace, sandboxAround(workspace), { script, limits, timeoutMs: PATIENCE_MS })

interface Thread {
  readonly worker: Worker
  readonly up: Promise<void>
  readonly ending: Promise<Ending>
}

function engineInThread(script: string, options: { readonly warm?: number } = {}): Thread {
  const module = pathToFileURL(`${built}/bubblewrap.mjs`).href
  const workerData = { module, options, plan: planFor(script) }
  // Otherwise Node would close, at the thread's end, descriptors with numbers of closed sockets.
  const worker = new Worker(`${built}/engine.mjs`, { workerData, trackUnmanagedFds: false })
  const up = new Promise<void>((done) => worker.on('message', (said) => said === 'up' && done()))
  const ending = new Promise<Ending>((done) => worker.on('message', (said) => typeof said === 'object' && done(said)))
  return { worker, up, ending }
}

async function survivors(word: string): Promise<readonly string[]> {
  for (let tries = 0; tries < 500 && processesNaming(word).length > 0; tries += 1) await sleep(20)
  return processesNaming(word)
}

/** Runs until it is released, so no clock decides. */
const untilTold = (name: string): string =>
  `echo up; until [[ -e ${name} ]]; do sleep 0.02; done; echo over > ${name}.done`

describe('a death signal that follows the thread', () => {
  it(
    'the end of a thread ends the commands of its engine only',
    async () => {
      const seconds = unusualSeconds()
      const ended = engineInThread(`echo up; (setsid sleep ${seconds} &); trap "" TERM HUP; sleep ${seconds}`)
      const other = engineInThread(untilTold('go'))
      await Promise.all([ended.up, other.up])
      await ended.worker.terminate()
      expect(await survivors(seconds)).toEqual([])
      writeFileSync(`${workspace}/go`, '')
      expect(await other.ending).toEqual({ how: 'exited', status: 0 })
      expect(existsSync(`${workspace}/go.done`)).toBe(true)
    },
    PATIENCE_MS,
  )

  it(
    "the end of another thread does not end an engine's commands",
    async () => {
      const launcher = createBubblewrap({ warm: 1 })
      try {
        const idle = new Worker('require("node:worker_threads").parentPort.once("message", () => {})', { eval: true })
        let up = (): void => undefined
        const running = new Promise<void>((done) => {
          up = done
        })
        const heard = launchAndCollect(launcher, planFor(untilTold('go')), { onChunk: () => up() })
        await running
        await idle.terminate()
        writeFileSync(`${workspace}/go`, '')
        expect((await heard).ending).toEqual({ how: 'exited', status: 0 })
      } finally {
        await launcher.close()
      }
    },
    PATIENCE_MS,
  )

  it(
    'an engine in a thread limits its commands',
    async () => {
      const { ending } = engineInThread('bomb() { sleep 300 & bomb | bomb & }; bomb; wait')
      expect(await ending).toMatchObject({ how: 'killed', by: 'limit', limit: 'processes (100)' })
    },
    PATIENCE_MS,
  )
})
