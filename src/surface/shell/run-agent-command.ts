import { CordonError } from '../../core/model/basics/errors.js'
import type { Engine } from '../../engine/api.js'
import { listenForInterrupts } from '../cli/terminal/interrupts.js'
import type { Io } from '../cli/terminal/io.js'
import { createRelay } from '../cli/terminal/relay.js'
import { createPaint } from '../cli/terminal/style.js'
import { resultNotes } from '../cli/text/result-notes.js'

/**
 * Runs a command of an agent with the agent's own stdout and stderr, and an empty stdin. Resolves to its exit status,
 * which is 126 for a refusal and 123 for a held command: the reason is on stderr. Sets no time limit, for agents end
 * their commands themselves.
 */
export async function runAgentCommand(
  engine: Engine,
  script: string,
  options: { readonly agent: string | undefined; readonly cwd: string },
  io: Io,
): Promise<number> {
  const { signal, connect, stop } = listenForInterrupts(io)
  const relay = createRelay(io, { stdin: false, interrupts: connect })
  try {
    const request = { ...options, caller: 'shell', timeoutMs: 'none', relay, signal, filters: false } as const
    const result = await engine.run(script, request)
    await relay.end()
    io.stderr.write(resultNotes(result, createPaint(false)))
    return result.exitCode
  } catch (thrown) {
    if (!(thrown instanceof CordonError)) throw thrown
    io.stderr.write(`${thrown.message}\n`)
    return thrown.exit
  } finally {
    stop()
  }
}
