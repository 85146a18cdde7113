import { type ChildProcess, spawn } from 'node:child_process'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const ROOT = resolve(import.meta.dirname, '../../..')

/** Builds `appender.ts` into one file that plain Node can run. */
export async function buildAppender(directory: string): Promise<string> {
  const file = join(directory, 'appender.mjs')
  const build = await rolldown({
    input: fileURLToPath(new URL('./appender.ts', import.meta.url)),
    platform: 'node',
    logLevel: 'silent',
  })
  await build.write({ file, format: 'esm' })
  await build.close()
  return file
}

/** The addon is required by name from wherever the built file lies. */
const appenderEnv = { PATH: process.env.PATH ?? '', NODE_PATH: join(ROOT, 'node_modules') }

export interface Appender {
  readonly child: ChildProcess
  readonly said: string[]
  readonly exited: Promise<void>
  /** Settles with the first line that fits; rejects when the process ends without it. */
  line(pattern: RegExp): Promise<string>
}

export function startAppender(command: readonly string[]): Appender {
  const [program = '', ...args] = command
  const child = spawn(program, args, { env: appenderEnv, stdio: ['pipe', 'pipe', 'inherit'] })
  const said: string[] = []
  const lines = createInterface({ input: child.stdout })
  const read = new Promise<void>((done) => lines.once('close', done))
  // The pipe of a killed process is closed a moment before the process is gone.
  const exited = new Promise<void>((done) => child.once('close', () => done())).then(() => read)
  lines.on('line', (line) => said.push(line))
  return {
    child,
    said,
    exited,
    line: (pattern) =>
      new Promise((found, missed) => {
        const look = (line: string): void => void (pattern.test(line) && found(line))
        said.forEach(look)
        lines.on('line', look)
        lines.once('close', () => missed(new Error(`ended without ${pattern}: ${said.slice(-3).join(' | ')}`)))
      }),
  }
}
