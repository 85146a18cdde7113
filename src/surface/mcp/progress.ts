import type { ServerContext } from '@modelcontextprotocol/server'
import type { OnEvent } from '../../core/model/event.js'

/** A flood of output becomes a few notifications a second, each with the last of it. */
const INTERVAL_MS = 100
const MESSAGE_CHARS = 1_000

/** Output events as progress notifications, when the client asked for them with a token; else nothing to listen with. */
export function progressFor({ mcpReq }: ServerContext): OnEvent | undefined {
  const progressToken = mcpReq._meta?.progressToken
  if (progressToken === undefined) return undefined
  let progress = 0
  let unsent = ''
  let sentAt = Number.NEGATIVE_INFINITY
  const send = (): void => {
    sentAt = performance.now()
    const params = { progressToken, progress, message: unsent }
    unsent = ''
    // The client may be gone; the command's own ending tells.
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {})
  }
  return (event) => {
    if (event.type === 'output') {
      progress += event.chunk.length
      unsent = (unsent + event.chunk.slice(-MESSAGE_CHARS)).slice(-MESSAGE_CHARS)
      if (performance.now() - sentAt >= INTERVAL_MS) send()
    } else if (event.type === 'completed' && unsent !== '') send()
  }
}
