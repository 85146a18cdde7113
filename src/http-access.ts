import { chmodSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Ports } from './engine/ports/ports.js'
import type { HttpOptions } from './surface/mcp/serve-http.js'

/** A page that tries a port a thousand times a second must not fill the audit log. */
const ROW_EVERY_MS = 1_000

/** Publishes the token of a server over HTTP in a private file, and records the requests that it refused. */
export function httpAccess(
  { audit, now, newId }: Pick<Ports, 'audit' | 'now' | 'newId'>,
  state: string,
  say: (text: string) => void,
): Pick<HttpOptions, 'onListening' | 'onRefused'> & { end(): void } {
  const file = join(state, `mcp-${process.pid}.token`)
  let recordedAt = Number.NEGATIVE_INFINITY
  let unrecorded = 0
  return {
    onListening({ url, token }) {
      rmSync(file, { force: true })
      writeFileSync(file, `${token}\n`, { mode: 0o600, flag: 'wx' })
      chmodSync(file, 0o600)
      say(`Serving MCP at ${url}. The bearer token is in ${file}.\n`)
    },
    onRefused(why, from) {
      unrecorded += 1
      if (now() - recordedAt < ROW_EVERY_MS) return
      const more = unrecorded > 1 ? ` (${unrecorded} requests since the last row)` : ''
      recordedAt = now()
      unrecorded = 0
      recordRefusal(audit, { id: newId(), at: new Date(now()).toISOString(), why: `${why}${more}`, from })
    },
    end: () => rmSync(file, { force: true }),
  }
}

function recordRefusal(
  audit: Ports['audit'],
  { id, at, why, from }: { readonly id: string; readonly at: string; readonly why: string; readonly from: string },
): void {
  const reason = `A request over HTTP was refused: ${why}.`
  audit.refused(
    {
      id,
      at,
      agent: null,
      caller: 'mcp',
      tool: 'connect',
      command: `connection from ${from}`,
      request: null,
      cwd: null,
      profile: '',
      verdict: 'deny',
      rule: 'mcp/http',
      reason,
      planDigest: null,
      policyDigest: null,
    },
    {
      id,
      at,
      outcome: 'blocked',
      exitCode: null,
      signal: null,
      durationMs: 0,
      truncated: false,
      errorCode: 'POLICY_DENIED',
      errorCategory: 'policy-blocked',
      errorDomain: 'policy',
      errorPhase: 'decide',
      message: reason,
      restored: 0,
      deleted: 0,
    },
  )
}
