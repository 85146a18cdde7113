import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

/** A hook as the agent starts it. */
export interface RegisteredHook {
  readonly program: string
  readonly args: readonly string[]
}

/** The response of a hook to a call that it must deny. */
export interface Fired {
  readonly denied: boolean
  /** It denied, but something else printed before it, so that agents cannot read the answer. */
  readonly isCovered: boolean
  readonly status: number | null
  readonly said: string
}

const PATIENCE_MS = 15_000

/** Runs the registered command line with the call on stdin, as the agent does. */
export async function fireHook(
  { program, args }: RegisteredHook,
  payload: Readonly<Record<string, unknown>>,
  cwd: string,
): Promise<Fired> {
  // Outside a terminal, so that bash reads the startup file whose output would come before the answer.
  const env = { ...process.env, SHLVL: undefined }
  const child = spawn(program, [...args], { cwd, env, stdio: ['pipe', 'pipe', 'pipe'], detached: true })
  const stdout: Buffer[] = []
  const stderr: Buffer[] = []
  child.stdout.on('data', (chunk) => stdout.push(chunk))
  child.stderr.on('data', (chunk) => stderr.push(chunk))
  child.stdin.on('error', () => {})
  child.stdin.end(JSON.stringify({ cwd, ...payload }))
  const status = await ended(child)
  const answer = String(Buffer.concat(stdout))
  const denied = status === 0 && isDenial(answer)
  const isCovered = !denied && isDenial(answer.trim().split('\n').at(-1) ?? '')
  return { denied, isCovered, status, said: (answer || String(Buffer.concat(stderr))).trim() }
}

/** Kills the hook below its guard while it waits for the call. Returns whether the agent would be told no. */
export async function killedHookBlocks({ program, args }: RegisteredHook, cwd: string): Promise<boolean> {
  const child = spawn(program, [...args], { cwd, stdio: ['pipe', 'ignore', 'pipe'], detached: true })
  const stderr: Buffer[] = []
  child.stderr.on('data', (chunk) => stderr.push(chunk))
  child.stdin.on('error', () => {})
  const isEnded = ended(child)
  for (let tries = 0; tries < 100; tries++) {
    const hook = descendants(child.pid ?? 0).find(isHook)
    if (hook !== undefined) {
      process.kill(hook, 'SIGKILL')
      break
    }
    await delay(20)
  }
  child.stdin.end()
  const status = await isEnded
  const isShell = program.endsWith('sh')
  return isShell ? status === 2 && String(Buffer.concat(stderr)).trim() !== '' : status !== 0
}

function isDenial(stdout: string): boolean {
  try {
    const { hookSpecificOutput, permissionDecision, permission, decision, verdict } = JSON.parse(stdout)
    const answers = [hookSpecificOutput?.permissionDecision, permissionDecision, permission, decision, verdict]
    return answers.some((answer) => answer === 'deny' || answer === 'block')
  } catch {
    return false
  }
}

/** The exit status; everything it started is ended with it. */
async function ended(child: ReturnType<typeof spawn>): Promise<number | null> {
  const limit = setTimeout(() => child.pid && process.kill(-child.pid, 'SIGKILL'), PATIENCE_MS)
  try {
    const [status] = (await once(child, 'close')) as [number | null]
    return status
  } catch {
    return null
  } finally {
    clearTimeout(limit)
  }
}

const isHook = (pid: number): boolean => {
  const words = commandOf(pid)
  return words.includes('hook') && !/(?:^|\/)(?:sh|bash|dash|timeout)$/.test(words[0] ?? '')
}

function commandOf(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  } catch {
    return []
  }
}

function descendants(pid: number): readonly number[] {
  try {
    const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    )
    return children.flatMap((child) => [child, ...descendants(child)])
  } catch {
    return []
  }
}
