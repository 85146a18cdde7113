import type { Readable, Writable } from 'node:stream'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { createMcpServer } from './create-server.js'
import { RequestGuard, refusalLine } from './guard-requests.js'
import type { McpEngine, McpIdentity } from './mcp-engine.js'
import { createServing, type Track } from './serving.js'

export interface ServeOptions extends McpIdentity {
  readonly stdin: Readable
  readonly stdout: Writable
  readonly signal: AbortSignal
}

/**
 * Serves one client on stdin and stdout. Resolves when it is gone (or `signal` fires) and every command it had under
 * way has ended: the protocol aborts requests in flight when the connection closes, and this waits for that to have
 * its effect. Throws NOT_FOUND or SETTINGS_INVALID at once when the profile it is to serve under cannot be had.
 */
export async function serveMcp(engine: McpEngine, { stdin, stdout, signal, ...identity }: ServeOptions): Promise<void> {
  engine.profiles.get(identity.profile ?? null, identity.agent ?? null)
  const underWay = new Set<Promise<unknown>>()
  const track: Track = (work) => {
    underWay.add(work)
    return work.finally(() => underWay.delete(work))
  }
  const guard = new RequestGuard((id, message) => void stdout.write(refusalLine(id, message)))
  const transport = new StdioServerTransport(stdin.pipe(guard), stdout)
  const send = transport.send.bind(transport)
  transport.send = (message) => {
    guard.answered(message)
    return send(message)
  }
  const serving = createServing(engine, identity, track)
  const handle = serveStdio(({ era }) => createMcpServer(serving, era), { transport })
  await closed(transport, () => handle.close(), signal)
  stdin.unpipe(guard).pause()
  await Promise.allSettled(underWay)
}

function closed(transport: StdioServerTransport, close: () => Promise<void>, signal: AbortSignal): Promise<void> {
  const { onclose } = transport
  return new Promise((resolve) => {
    transport.onclose = () => {
      onclose?.()
      resolve()
    }
    if (signal.aborted) void close().then(resolve)
    signal.addEventListener('abort', () => void close().then(resolve), { once: true })
  })
}
