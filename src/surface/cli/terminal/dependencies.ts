import type { Readable, Writable } from 'node:stream'
import type { Answer, Approval } from '../../../core/model/policy/approval.js'
import type { Engine } from '../../../engine/api.js'

/** One finding of `cordon doctor`. */
export interface Check {
  readonly name: string
  readonly ok: boolean
  readonly detail: string
  readonly fix?: string | null | undefined
}

/** A private home of commands, measured. */
export interface PrivateHomeSummary {
  readonly workspace: string
  readonly profile: string
  readonly path: string
  readonly bytes: number
  readonly files: number
  readonly tmpBytes: number
  readonly lastUsed: string | null
  readonly inUseBy: readonly number[]
  readonly entries: readonly { readonly name: string; readonly bytes: number }[]
}

export interface WhichHomes {
  /** Null: of every profile. */
  readonly profile: string | null
  /** Those of other workspaces too. */
  readonly all: boolean
}

/** The engine as the command line needs it. */
export interface CliEngine extends Engine {
  readonly homes: {
    list(which: WhichHomes): Promise<readonly PrivateHomeSummary[]>
    /** Removes them and returns their paths. Throws TOO_BUSY while a command runs in one. */
    reset(which: WhichHomes): readonly string[]
  }
  doctor(): Promise<readonly Check[]> | readonly Check[]
}

export interface McpRequest {
  readonly workspace: string
  readonly stdin: Readable
  readonly stdout: Writable
  readonly version: string
  readonly agent: string | undefined
  readonly profile: string | undefined
  /** Milliseconds that a held command waits for an answer from another terminal. */
  readonly waitMs: number | undefined
  /** Serve over HTTP instead of the streams; 0 is any port. */
  readonly http: { readonly port: number; say(text: string): void } | undefined
  readonly signal: AbortSignal
}

export interface OpenOptions {
  readonly workspace: string
  /** Asks the person at the terminal about a held command. */
  readonly onApproval?: (approval: Approval, signal: AbortSignal) => Promise<Answer>
}

export interface AllowRequest {
  readonly what: 'host' | 'path' | 'program' | 'rule'
  readonly words: readonly string[]
  /** Allows reading a path, not writing it. */
  readonly read: boolean
  readonly profile: string | undefined
  readonly workspace: string
}

/** The profile that was changed, the file, and the lines written; null where it was allowed already. */
export interface Allowed {
  readonly profile: string
  readonly file: string
  readonly lines: string | null
}

/** The options of `cordon init`. */
export interface AgentRequest {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly only: readonly string[]
  readonly uninstall: boolean
  readonly managedRoot: string | null
  readonly trustCodex: boolean
  readonly importPermissions: boolean
}

/** Planned changes of agents' settings; `apply` makes them. */
export interface AgentChanges {
  readonly agents: readonly {
    readonly name: string
    readonly version: string | null
    readonly program: string | null
  }[]
  readonly diffs: readonly string[]
  readonly notes: readonly string[]
  apply(): Promise<readonly Check[]>
}

/** Functions that the command line is given instead of importing them. Each loads its module when it is called. */
export interface CliDependencies {
  readonly openEngine: (options: OpenOptions) => Promise<CliEngine>
  /** Writes what a person allows into the user's settings. */
  readonly allow: (request: AllowRequest) => Promise<Allowed>
  /** Plans what is put into agents' settings, or taken out. */
  readonly agentChanges: (request: AgentRequest) => Promise<AgentChanges>
  /** Looks at the agents: registered, trusted, fires, fails closed. */
  readonly examineAgents: (request: Pick<AgentRequest, 'env' | 'cwd'>) => Promise<readonly Check[]>
  /** Serves until the client goes away or the signal fires, and leaves nothing running. */
  readonly serveMcp: (request: McpRequest) => Promise<void>
}
