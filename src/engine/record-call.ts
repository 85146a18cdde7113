import type { ToolCallRecord } from './api.js'
import type { DecidingPorts } from './ports/ports.js'
import { askedRequest, shownText } from './stages/asked-request.js'
import { auditRefusal } from './stages/audit.js'
import { endedByCall, intentOf } from './stages/audit-entries.js'
import type { KnownRequest } from './stages/nouns.js'
import { ignore } from './tasks/caller-events.js'

/**
 * Runs a call of a tool that is no command, and records it with its ending. Rejects with the CordonError of a call that
 * failed; any other error passes through, recorded as a defect.
 */
export async function recordCall<T>(call: ToolCallRecord, act: () => Promise<T>, ports: DecidingPorts): Promise<T> {
  const { audit, now, newId, sha256 } = ports
  const input = `${call.toolName ?? 'tool'} ${shownText(call.arguments)}`
  const asked = askedRequest({ input, options: call }, { id: newId(), at: now() })
  const known: KnownRequest = { ...asked, isOtherCall: true }
  audit.began(intentOf(known, sha256))
  try {
    const answer = await act()
    audit.ended(endedByCall(known, now()))
    return answer
  } catch (thrown) {
    throw auditRefusal(thrown, { ...known, isRecorded: true }, ports, ignore)
  }
}
