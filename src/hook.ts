import { fstatSync, readSync, writeSync } from 'node:fs'
import { agentPorts } from './agent-ports.js'
import { authorize } from './engine/authorize.js'
import { authorizeFiles } from './engine/authorize-files.js'
import { usesCordonShell } from './host/agents/agent-shell.js'
import { answerHook, failure, type OpenHookEngine } from './surface/hook/answer-hook.js'
import { dialectOf, HOOK_AGENTS } from './surface/hook/dialects/dialect-of.js'
import { blocked, type HookReply, replyOf } from './surface/hook/reply.js'

/** Below the time that the guard in the agent's settings waits. */
const PATIENCE_MS = 7_000
/** Fits a command of one megabyte, escaped, and the fields around it. */
const MAX_INPUT = 16 * 1024 * 1024

/** Decides without anything that could run a command: the hook starts faster without it. */
const openHookEngine: OpenHookEngine = ({ agent, cwd, shell }) => {
  const { env } = process
  const { passes, session, ...parts } = agentPorts(cwd ?? process.cwd())
  // The shell starts these plans and finds out itself if the sandbox can be built.
  const probe = () => ({ sandbox: 'bubblewrap', version: '', path: '' }) as const
  const ports = { ...parts, launchers: { bubblewrap: { probe } } }
  return {
    authorize: (command, options) => authorize(command, options ?? {}, ports),
    authorizeFiles: (paths, options) => authorizeFiles(paths, options ?? {}, ports),
    hasShell: usesCordonShell(agent, env, shell),
    leavePass: (pass) => passes.leave({ ...pass, agent, session, until: Date.now() + PASS_MS }),
    close: () => ports.audit.close(),
  }
}

/** As long as a person may leave a dialog open. */
const PASS_MS = 24 * 60 * 60 * 1000

/**
 * Answers the agent that started this process, and ends the process. Every failure is a refusal; nothing but the
 * answer reaches stdout, for one line more would make agents run a denied command.
 */
export async function answerAgent(args: readonly string[]): Promise<never> {
  const name = HOOK_AGENTS.find((agent) => agent === args[0]) ?? null
  const refuse = (reason: string): never => finish(replyOf(dialectOf(null, name), null, { verdict: 'deny', reason }))
  closeStdout()
  process.on('uncaughtException', (error) => refuse(failure(error)))
  process.on('unhandledRejection', (error) => refuse(failure(error)))
  setTimeout(() => refuse('Cordon did not decide in time, so the command is not run. Try again.'), PATIENCE_MS)
  try {
    return finish(
      args.length > 0 && name === null ? unknownName(args) : await answerHook(await input(), name, openHookEngine),
    )
  } catch (thrown) {
    return refuse(failure(thrown))
  }
}

const unknownName = (args: readonly string[]): HookReply =>
  blocked(`Cordon knows no agent ${JSON.stringify(args.join(' '))}. Name one of: ${HOOK_AGENTS.join(', ')}.`)

/** Swallows what anything else prints. */
function closeStdout(): void {
  const nothing = { write: () => true, end: () => {}, on: () => nothing, once: () => nothing, emit: () => false }
  Object.defineProperty(process, 'stdout', { get: () => nothing })
}

function finish({ stdout, reason, stderr, exit }: HookReply): never {
  const isTold = print(1, stdout)
  print(2, isTold ? stderr : `${reason}\n`)
  process.exit(isTold ? exit : 2)
}

/** The device number of /dev/null, which Node opens in place of a descriptor that is closed. */
const NULL_DEVICE = 0x103

/** Writes to a descriptor. Returns false if it is closed or its reader is gone. */
function print(descriptor: number, text: string): boolean {
  let rest = Buffer.from(text)
  if (rest.length > 0 && fstatSync(descriptor).rdev === NULL_DEVICE) return false
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(descriptor, rest))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return false
    }
  }
  return true
}

/** Reads what the agent sends. Reading by descriptor starts faster than a stream, which sockets may need. */
async function input(): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  const take = (chunk: Buffer): void => {
    size += chunk.length
    if (size > MAX_INPUT) throw new Error(`the agent sent more than ${MAX_INPUT} bytes`)
    chunks.push(chunk)
  }
  try {
    for (let chunk = next(); chunk.length > 0; chunk = next()) take(chunk)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
    for await (const chunk of process.stdin) take(chunk)
  }
  return new TextDecoder().decode(Buffer.concat(chunks))
}

function next(): Buffer {
  const chunk = Buffer.allocUnsafe(65_536)
  return chunk.subarray(0, readSync(0, chunk))
}
