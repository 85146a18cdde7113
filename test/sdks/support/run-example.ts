import { spawn } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { TestContext } from 'vitest'
import { startScriptedModel, type Turn } from '../../agents/support/scripted-model.js'
import { folderOf, nodeFor, SDKS, type SdkName, type TestedSdk } from './sdks.js'

export const ROOT = resolve(import.meta.dirname, '../../..')
const LIMIT_MS = 60_000

/** Returns the SDK; skips the test and names the SDK where it is not installed, unless it was asked for. */
export function needsSdk({ skip }: TestContext, name: SdkName): TestedSdk {
  const sdk = SDKS.find((one) => one.name === name)
  if (sdk === undefined) throw new Error(`There is no SDK ${name}.`)
  const asked = process.env.CORDON_TEST_SDKS?.split(',')
  if (asked && !asked.includes(name)) skip(`${name} was not asked for`)
  const isThere = existsSync(join(folderOf(sdk), 'node_modules')) && existsSync(nodeFor(sdk))
  if (!isThere && !asked) skip(`${name} not installed: npm run test:sdks ${name}`)
  return sdk
}

/** A project in which an example finds Cordon and its SDK, and a workspace with a home and a state of its own. */
export interface ExampleGround {
  readonly app: string
  readonly workspace: string
  readonly env: NodeJS.ProcessEnv
  remove(): void
}

export function exampleGround(sdk: TestedSdk): ExampleGround {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'cordon-sdk-')))
  const [app, workspace, home] = ['app', 'workspace', 'home'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ]
  for (const folder of [app, workspace, home, join(root, 'node_modules')]) mkdirSync(folder)
  symlinkSync(ROOT, join(root, 'node_modules/cordon'))
  symlinkSync(join(folderOf(sdk), 'node_modules'), join(app, 'node_modules'))
  writeFileSync(join(app, 'package.json'), '{ "type": "module" }\n')
  return {
    app,
    workspace,
    env: { PATH: process.env.PATH, HOME: home, XDG_STATE_HOME: join(root, 'state') },
    remove: () => rmSync(root, { recursive: true, force: true }),
  }
}

export interface RanExample {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
  /** The tool results that the model was shown. */
  readonly shown: readonly string[]
}

export interface ExampleOptions {
  /** Input of the person. */
  readonly stdin?: string
  /** The environment that leads the SDK to the model. */
  env(url: string): Readonly<Record<string, string>>
  /** Types `with` once the example has written `text` to stderr, and calls `first` just before. */
  readonly answerAt?: { readonly text: string; readonly with: string; first(): void }
  /** Interrupts the example once it has written this to stderr. */
  readonly interruptAt?: string
}

/** Runs a file of `examples/` with the SDK, against a model that plays the turns. */
export async function runExample(
  sdk: TestedSdk,
  file: string,
  { app, workspace, env }: ExampleGround,
  turns: readonly Turn[],
  { stdin = '', answerAt, interruptAt, ...options }: ExampleOptions,
): Promise<RanExample> {
  copyFileSync(join(ROOT, 'examples', file), join(app, file))
  const model = await startScriptedModel(turns)
  try {
    const child = spawn(nodeFor(sdk), [join(app, file), 'go'], {
      cwd: workspace,
      env: { ...env, ...options.env(model.url) },
    })
    const taken = { stdout: '', stderr: '' }
    child.stdout.on('data', (chunk) => (taken.stdout += chunk))
    child.stderr.on('data', (chunk) => {
      const before = taken.stderr
      taken.stderr += chunk
      const isNow = (text: string | undefined): boolean =>
        text !== undefined && !before.includes(text) && taken.stderr.includes(text)
      if (isNow(interruptAt)) child.kill('SIGINT')
      if (isNow(answerAt?.text)) {
        answerAt?.first()
        child.stdin.end(answerAt?.with)
      }
    })
    child.stdin.on('error', () => {})
    if (answerAt === undefined) child.stdin.end(stdin)
    // An example that hangs is stopped, so that the test fails by what was shown.
    const limit = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS)
    const status = await new Promise<number | null>((done, reject) => {
      child.once('error', reject)
      child.once('close', done)
    })
    clearTimeout(limit)
    return { status, ...taken, shown: model.requests.at(-1)?.results ?? [] }
  } finally {
    await model.close()
  }
}
