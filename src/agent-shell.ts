import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { agentPorts } from './agent-ports.js'
import { CordonError } from './core/model/basics/errors.js'
import { createEngine } from './engine/create-engine.js'
import type { Ports } from './engine/ports/ports.js'
import { redeemingPasses } from './host/agents/agent-approver.js'
import { agentOf } from './host/agents/agent-of.js'
import { type EndDirectory, isCwdFile, openEndDirectory, writeCwdFile } from './host/agents/cwd-file.js'
import { isOwnStart, runOutside, startsOwnHook } from './host/agents/own-start.js'
import { runningPorts } from './node.js'
import { processIo } from './surface/cli/terminal/io.js'
import { readEnvelope, type ShellCall } from './surface/shell/envelope.js'
import { guardedHook } from './surface/shell/own-hook.js'
import { runAgentCommand } from './surface/shell/run-agent-command.js'
import { commandOf } from './surface/shell/shell-words.js'

const OWN_FAILURE = 125

/** `cordon-shell`: runs one command of an agent in the sandbox, and resolves to its exit status. */
export async function runAgentShell(words: readonly string[]): Promise<number> {
  const text = commandOf(words)
  if (text === null) {
    process.stderr.write('cordon-shell runs one command: cordon-shell <command>, or cordon-shell -c <command>.\n')
    return OWN_FAILURE
  }
  const call = callIn(text)
  try {
    const started = ownStart(call, text)
    if (started !== null) return await started
    return await runCall(call)
  } catch (thrown) {
    process.stderr.write(`${thrown instanceof Error ? thrown.message : String(thrown)}\n`)
    return thrown instanceof CordonError ? thrown.exit : OWN_FAILURE
  }
}

/**
 * Runs outside the sandbox what the agent starts for itself: Cordon's own hook, and hooks and MCP servers of Claude
 * Code.
 */
function ownStart({ script, cwdFile }: ShellCall, text: string): Promise<number> | null {
  if (cwdFile !== null || script !== text) return null
  if (isOwnStart(process.env)) return runOutside(['/bin/bash', '-c', text])
  const words = guardedHook(text)
  if (words === null || !startsOwnHook(words, OWN_BINARY)) return null
  return runOutside(words).then((status) => (status === 0 ? 0 : 2))
}

const OWN_BINARY = fileURLToPath(new URL('bin.cjs', import.meta.url))

/** Treats the whole text as a command if the file is not one of Claude Code's. */
function callIn(text: string): ShellCall {
  const call = readEnvelope(text)
  const isClaudes = call.cwdFile === null || isCwdFile(call.cwdFile, process.env.TMPDIR)
  return isClaudes ? call : { script: text, cwdFile: null }
}

async function runCall({ script, cwdFile }: ShellCall): Promise<number> {
  const cwd = process.cwd()
  const { places, homes, passes, session, ...deciding } = agentPorts(cwd)
  const end = cwdFile === null ? null : openEndDirectory(process.env.TMPDIR || tmpdir())
  const ports = runningPorts(
    { ...deciding, approver: redeemingPasses(deciding.approver, passes, session) },
    places,
    homes,
  )
  const engine = createEngine(end === null ? ports : recordingDirectory(ports, end))
  try {
    const options = { agent: agentOf(process.env) ?? undefined, cwd }
    const status = await runAgentCommand(engine, script, options, processIo(''))
    const directory = status === 0 ? (end?.within(places.workspace) ?? null) : null
    if (directory !== null && cwdFile !== null) writeCwdFile(cwdFile, directory)
    return status
  } finally {
    await engine.close()
    end?.close()
  }
}

const recordingDirectory = (ports: Ports, end: EndDirectory): Ports => ({
  ...ports,
  launchers: { bubblewrap: end.recording(ports.launchers.bubblewrap), none: end.recording(ports.launchers.none) },
})
