import { type ServerContext, TRACEPARENT_META_KEY } from '@modelcontextprotocol/server'

/** Returns the span that a call belongs to, as its `_meta` or its HTTP request says; the engine checks it. */
export function traceparentOf({ mcpReq, http }: ServerContext): string | undefined {
  const named = mcpReq._meta?.[TRACEPARENT_META_KEY]
  return typeof named === 'string' ? named : (http?.req?.headers.get('traceparent') ?? undefined)
}
