import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { helperScripts } from '../../../../script/helper-scripts.mjs'
import { planOf, removeDirectory, sandboxAround, temporaryDirectory } from '../../../contract/launcher-plan.js'

/** Engine in its own process that keeps warm sandboxes, reports that, and then idles or stays. */
const ENGINE = `
const { createBubblewrap } = await import(process.argv[2])
const plan = JSON.parse((await import('node:fs')).readFileSync(process.argv[3], 'utf8'))
const launcher = createBubblewrap({ warm: 2 })
const io = { stdin: 'closed', signal: new AbortController().signal, onStart: () => {}, onChunk: () => {} }
for (let round = 0; round < 3; round += 1) await launcher.launch(plan, io)
await launcher.whenReady(plan)
if (process.argv[4] === 'stay') setInterval(() => {}, 1000)
process.stdin.once('data', () => process.stdin.destroy())
process.stdout.write('ready\\n')
`
const TIMEOUT_MS = 120_000

let top: string
let workspace: string
beforeAll(async () => {
  top = temporaryDirectory()
  workspace = `${top}/work`
  mkdirSync(workspace)
  const input = resolve(import.meta.dirname, '../../../../src/host/launch/bubblewrap.ts')
  const bundle = await rolldown({ input, platform: 'node', logLevel: 'silent', plugins: [helperScripts] })
  await bundle.write({ file: `${top}/bubblewrap.mjs`, format: 'esm' })
  await bundle.close()
  writeFileSync(`${top}/engine.mjs`, ENGINE)
  writeFileSync(`${top}/plan.json`, JSON.stringify(planOf(workspace, sandboxAround(workspace), { script: 'true' })))
}, TIMEOUT_MS)
afterAll(() => removeDirectory(top))

function start(mode: 'leave' | 'stay'): ChildProcess {
  const args = [`${top}/engine.mjs`, pathToFileURL(`${top}/bubblewrap.mjs`).href, `${top}/plan.json`, mode]
  return spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'], env: { TMPDIR: top } })
}

const gone = (child: ChildProcess): Promise<number | null> =>
  new Promise((done) => child.once('close', (code) => done(code)))

/** Returns the zygote host of an engine, and the shells that wait in the workspace. */
function belongings(engine: number | undefined): readonly string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, 'latin1').split('\0')
      return words.includes(`cordon-zygote-host ${engine}`) || readlinkSync(`/proc/${pid}/cwd`) === workspace
    } catch {
      return false
    }
  })
}

/** Waits for a condition. One that holds for a moment only is not tested again. */
async function until(isSo: () => boolean): Promise<boolean> {
  for (const end = Date.now() + TIMEOUT_MS / 3; Date.now() < end; await sleep(10)) if (isSo()) return true
  return false
}

describe('an engine with warm sandboxes', () => {
  it.each([
    ['ends when it has nothing more to do, and they with it', 'leave'],
    ['takes them and its zygote host along when it is killed', 'stay'],
  ] as const)(
    '%s',
    async (_title, mode) => {
      const child = start(mode)
      const over = gone(child)
      await new Promise((done) => child.stdout?.once('data', done))
      expect(await until(() => belongings(child.pid).length >= 3)).toBe(true)
      if (mode === 'stay') child.kill('SIGKILL')
      else child.stdin?.end('go\n')
      expect(await over).toBe(mode === 'stay' ? null : 0)
      await until(() => belongings(child.pid).length === 0)
      expect(belongings(child.pid)).toEqual([])
    },
    TIMEOUT_MS,
  )
})
