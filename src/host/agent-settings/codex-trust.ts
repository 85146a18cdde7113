import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/** A hook as Codex lists it. It runs only `trusted` and `managed` ones, and skips the others in silence. */
export interface CodexHook {
  readonly key: string
  readonly currentHash: string
  readonly trustStatus: string
  readonly command: string
}

const PATIENCE_MS = 20_000

/** Asks Codex's own app server for its hooks. Null where it does not answer. */
export async function listCodexHooks(
  program: string,
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<readonly CodexHook[] | null> {
  const child = spawn(program, ['app-server'], { cwd, env, stdio: ['pipe', 'pipe', 'ignore'], detached: true })
  child.on('error', () => {})
  child.stdin.on('error', () => {})
  const stop = (): void => {
    try {
      if (child.pid) process.kill(-child.pid, 'SIGKILL')
    } catch {
      // It has ended.
    }
  }
  const limit = setTimeout(stop, PATIENCE_MS)
  const send = (message: object): void => void child.stdin.write(`${JSON.stringify(message)}\n`)
  const clientInfo = { name: 'cordon', title: 'Cordon', version: '0' }
  send({ id: 1, method: 'initialize', params: { clientInfo } })
  send({ method: 'initialized' })
  send({ id: 2, method: 'hooks/list', params: { cwds: [cwd] } })
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      const message = parsed(line)
      if (message.id !== 2) continue
      return hooksIn(message.result)
    }
    return null
  } finally {
    clearTimeout(limit)
    stop()
    if (child.exitCode === null && child.signalCode === null) await once(child, 'close').catch(() => {})
  }
}

/** The lines that give consent in the person's name: written on an explicit yes only. */
export const trustLines = (hooks: readonly CodexHook[]): string =>
  hooks
    .map(
      ({ key, currentHash }) =>
        `\n[hooks.state.${JSON.stringify(key)}]\ntrusted_hash = ${JSON.stringify(currentHash)}\n`,
    )
    .join('')

function parsed(line: string): { readonly id?: unknown; readonly result?: unknown } {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}

/** Every hook in the answer, wherever Codex puts them. */
function hooksIn(value: unknown): readonly CodexHook[] {
  if (Array.isArray(value)) return value.flatMap(hooksIn)
  if (typeof value !== 'object' || value === null) return []
  const { key, currentHash, trustStatus, command } = value as Readonly<Record<string, unknown>>
  if (typeof key === 'string' && typeof trustStatus === 'string')
    return [{ key, trustStatus, currentHash: String(currentHash ?? ''), command: String(command ?? '') }]
  return Object.values(value).flatMap(hooksIn)
}
