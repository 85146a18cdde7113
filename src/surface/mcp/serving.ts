import { randomBytes } from 'node:crypto'
import { createRequestStateCodec, type RequestStateCodec } from '@modelcontextprotocol/server'
import type { McpEngine, McpIdentity } from './mcp-engine.js'
import { createRunRecords, type RunRecords } from './run-records.js'

/** Remembers what is under way, so that a server that ends can wait until nothing is. */
export type Track = <T>(work: Promise<T>) => Promise<T>

/** Signed state that a question about a held command carries to the client and back. */
export interface AskedState {
  readonly approval: string
}

/** Parts that all protocol instances of a server share: over HTTP each request has its own instance. */
export interface Serving {
  readonly engine: McpEngine
  readonly identity: McpIdentity
  readonly track: Track
  readonly records: RunRecords
  readonly asked: RequestStateCodec<AskedState>
}

/** Below the minute after which clients give a silent call up. */
export const WAIT_MS = 50_000

const A_DAY_SECONDS = 24 * 60 * 60

export function createServing(engine: McpEngine, identity: McpIdentity, track: Track = (work) => work): Serving {
  const asked = createRequestStateCodec<AskedState>({ key: randomBytes(32), ttlSeconds: A_DAY_SECONDS })
  return { engine, identity, track, records: createRunRecords(), asked }
}
