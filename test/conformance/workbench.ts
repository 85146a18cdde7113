import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import { CordonError, type ErrorCode } from '../../src/core/model/basics/errors.js'
import { type Cordon, type CordonOptions, createCordon } from '../../src/node.js'

export interface LogLine {
  readonly level: string
  readonly message: string
  readonly fields: Readonly<Record<string, unknown>>
}

/**
 * A Cordon of its own: workspace, home and state in a temporary directory, and a parent environment full of secrets.
 */
export interface Workbench {
  readonly cordon: Cordon
  readonly workspace: string
  readonly home: string
  readonly log: readonly LogLine[]
  path(...parts: string[]): string
  write(name: string, text: string): string
  read(name: string): string
  /** Closes the engine and leaves nothing behind. */
  close(): Promise<void>
}

/** Variables no command may ever see. */
export const SECRETS = {
  DISCORD_TOKEN: 'secret-discord',
  OPENAI_API_KEY: 'secret-openai',
  AWS_SECRET_ACCESS_KEY: 'secret-aws',
} as const

export async function openWorkbench(
  options: Pick<CordonOptions, 'profile'> & { readonly settings?: string } = {},
): Promise<Workbench> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'cordon-conformance-')))
  const workspace = join(root, 'workspace')
  const home = join(root, 'home')
  for (const folder of [workspace, join(home, '.config/cordon')]) mkdirSync(folder, { recursive: true })
  if (options.settings !== undefined) writeFileSync(join(home, '.config/cordon/cordon.toml'), options.settings)
  const log: LogLine[] = []
  const cordon = await createCordon({
    workspace,
    stateDirectory: join(root, 'state'),
    log: (level, message, fields) => void log.push({ level, message, fields }),
    env: { PATH: process.env['PATH'], HOME: home, USER: 'tester', LOGNAME: 'tester', LANG: 'C.UTF-8', ...SECRETS },
    ...(options.profile === undefined ? {} : { profile: options.profile }),
  })
  const path = (...parts: string[]): string => join(workspace, ...parts)
  return {
    cordon,
    workspace,
    home,
    log,
    path,
    write(name, text) {
      mkdirSync(dirname(path(name)), { recursive: true })
      writeFileSync(path(name), text)
      return path(name)
    },
    read: (name) => readFileSync(path(name), 'utf8'),
    async close() {
      await cordon.close()
      rmSync(root, { recursive: true, force: true })
    },
  }
}

/** The CordonError a promise rejects with, after checking its code. */
export async function refusal(promise: Promise<unknown>, code?: ErrorCode): Promise<CordonError> {
  const thrown = await promise.then(
    (value) => expect.unreachable(`it should have been refused, but gave ${JSON.stringify(value)}`),
    (error: unknown) => error,
  )
  if (!(thrown instanceof CordonError)) throw thrown
  if (code !== undefined) expect({ code: thrown.code, message: thrown.message }).toMatchObject({ code })
  return thrown
}

/** Pids of living processes whose arguments hold the text: the proof that nothing was left running. */
export function processesWith(text: string): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => {
      try {
        const alive = !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
        return alive && readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').includes(text)
      } catch {
        return false
      }
    })
    .map(Number)
}

/** Returns a number of seconds that no other sleep on the machine uses, to recognise surviving processes. */
export const oddSeconds = (): string => `3${Math.floor(Math.random() * 1e9)}.5`
