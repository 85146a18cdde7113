import type { Readable, Writable } from 'node:stream'
import type { Engine } from '../../engine/api.js'

/** One finding of `cordon doctor`. */
export interface Check {
  readonly name: string
  readonly ok: boolean
  readonly detail: string
  readonly fix?: string | null | undefined
}

/** The engine as the command line needs it. */
export interface CliEngine extends Engine {
  doctor(): Promise<readonly Check[]> | readonly Check[]
}

export type OpenEngine<E extends CliEngine = CliEngine> = (options: { readonly workspace: string }) => Promise<E>

/** Serves MCP until the client goes away. */
export type ServeMcp<E extends CliEngine = CliEngine> = (
  engine: E,
  options: {
    readonly stdin: Readable
    readonly stdout: Writable
    readonly version: string
    readonly agent: string | undefined
    readonly profile: string | undefined
    readonly signal: AbortSignal
  },
) => Promise<void>

/** What the command line is given instead of importing it: it is loaded when a command needs it, and not before. */
export interface Doors {
  readonly openEngine: OpenEngine
  readonly loadMcp: () => Promise<ServeMcp>
}
