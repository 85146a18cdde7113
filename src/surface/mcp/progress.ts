import type { ServerContext } from '@modelcontextprotocol/server'
import type { Event, OnEvent } from '../../core/model/run/event.js'

/** A flood of output becomes a few notifications a second, each with the last of it. */
const INTERVAL_MS = 100
const MESSAGE_CHARS = 1_000
/** Clients end a call that is silent for a minute or longer; a notification starts their count anew. */
const HEARTBEAT_MS = 10_000

/** Progress notifications of one call, where the client asked for them with a token. */
export interface CallProgress {
  readonly onEvent: OnEvent | undefined
  /** Sends one notification with the words. */
  say(message: string): void
  end(): void
}

/** Says what happened to a command; null for events that the answer tells of. */
function wordsOf(event: Event): string | null {
  if (event.type === 'started') return 'started'
  if (event.type === 'completed') return `completed with exit code ${event.exitCode}`
  if (event.type !== 'rolled-back') return null
  return `rolled back: ${event.report.restored} restored, ${event.report.deleted} deleted`
}

export function progressFor({ mcpReq }: ServerContext, heartbeatMs = HEARTBEAT_MS): CallProgress {
  const progressToken = mcpReq._meta?.progressToken
  if (progressToken === undefined) return { onEvent: undefined, say() {}, end() {} }
  let progress = 0
  let unsent = ''
  let said = 'running'
  let sentAt = performance.now()
  const send = (message: string): void => {
    sentAt = performance.now()
    // The client may be gone; the command's own ending tells.
    mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, message } }).catch(() => {})
  }
  const flush = (): void => {
    const message = unsent
    unsent = ''
    send(message)
  }
  const beat = setInterval(() => {
    if (performance.now() - sentAt < heartbeatMs) return
    progress += 1
    send(unsent === '' ? said : unsent)
    unsent = ''
  }, heartbeatMs)
  const tell = (message: string): void => {
    progress += 1
    send(message)
  }
  return {
    onEvent: (event) => {
      if (event.type === 'output') {
        progress += event.chunk.length
        unsent = (unsent + event.chunk.slice(-MESSAGE_CHARS)).slice(-MESSAGE_CHARS)
        if (performance.now() - sentAt >= INTERVAL_MS || progress === event.chunk.length) flush()
      } else {
        if (unsent !== '') flush()
        const told = wordsOf(event)
        if (told !== null) tell(told)
      }
    },
    say(message) {
      said = message
      progress += 1
      send(message)
    },
    end: () => clearInterval(beat),
  }
}
