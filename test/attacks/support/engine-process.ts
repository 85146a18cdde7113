import { mkdirSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { helperScripts } from '../../../script/helper-scripts.mjs'
import type { Plan } from '../../../src/core/model/policy/plan.js'
import { planOf, removeDirectory, sandboxAround, temporaryDirectory } from '../../contract/launcher-plan.js'

const ENGINE = `
const { createBubblewrap } = await import(process.argv[2])
const { createDirect } = await import(process.argv[3])
const plan = JSON.parse((await import('node:fs')).readFileSync(process.argv[4], 'utf8'))
const launcher = plan.sandbox.kind === 'none' ? createDirect() : createBubblewrap(process.env.BWRAP ? { bwrapPaths: [process.env.BWRAP] } : {})
process.stdout.write('ready\\n')
const ending = await launcher.launch(plan, { stdin: 'closed', signal: new AbortController().signal,
  onStart: () => {}, onChunk: (_stream, bytes) => process.stdout.write(bytes) })
await launcher.close()
process.stdout.write(JSON.stringify(ending) + '\\n')
`
const SOURCES = ['bubblewrap', 'direct'] as const

export interface EngineProcess {
  /** Contains the workspace, and is not part of it. */
  readonly top: string
  readonly workspace: string
  /**
   * Returns arguments of a Node that runs a script as an engine, prints `ready` before it and its result afterwards.
   * BWRAP: another bubblewrap.
   */
  args(script: string, over?: Partial<Plan>): string[]
}

/** Provides an engine in its own process, which can be killed, leak descriptors, or live in another namespace. */
export function engineProcess(): EngineProcess {
  let top = ''
  let built = ''
  beforeAll(async () => {
    built = temporaryDirectory()
    for (const name of SOURCES) {
      const bundle = await rolldown({
        input: resolve(import.meta.dirname, `../../../src/host/launch/${name}.ts`),
        platform: 'node',
        logLevel: 'silent',
        plugins: [helperScripts],
      })
      await bundle.write({ file: `${built}/${name}.mjs`, format: 'esm' })
      await bundle.close()
    }
    writeFileSync(`${built}/engine.mjs`, ENGINE)
  })
  afterAll(() => removeDirectory(built))
  beforeEach(() => {
    top = temporaryDirectory()
    mkdirSync(`${top}/work`)
  })
  afterEach(() => removeDirectory(top))
  return {
    get top() {
      return top
    },
    get workspace() {
      return `${top}/work`
    },
    args(script, over = {}) {
      const plan = planOf(`${top}/work`, over.sandbox ?? sandboxAround(`${top}/work`), { script, ...over })
      writeFileSync(`${top}/plan.json`, JSON.stringify(plan))
      const modules = SOURCES.map((name) => pathToFileURL(`${built}/${name}.mjs`).href)
      return [`${built}/engine.mjs`, ...modules, `${top}/plan.json`]
    },
  }
}
