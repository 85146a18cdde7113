export type HookAgent =
  | 'claude-code'
  | 'codex'
  | 'gemini'
  | 'cursor'
  | 'copilot'
  | 'vscode'
  | 'qwen'
  | 'opencode'
  | 'pi'

/** The JSON an agent writes to a hook's stdin. Every field is untrusted. */
export type Payload = Readonly<Record<string, unknown>>

/** The part of an agent's tool call that Cordon judges. */
export type HookCall =
  | { readonly kind: 'shell'; readonly command: string; readonly cwd: string | null }
  | {
      readonly kind: 'files'
      readonly tool: string
      readonly paths: readonly string[]
      readonly cwd: string | null
    }
  /** A shell or file tool whose input cannot be read. It is denied. */
  | { readonly kind: 'unreadable'; readonly problem: string }
  /** Any other tool or event: Cordon has no opinion. */
  | { readonly kind: 'other' }

export interface HookAnswer {
  readonly verdict: 'deny' | 'ask'
  readonly reason: string
}

/** The hook protocol of one agent: its input and the answers it reads. */
export interface Dialect {
  readonly agent: HookAgent
  /** Recognises this agent's payload by the fields that only this agent sends. */
  recognises(payload: Payload): boolean
  read(payload: Payload): HookCall
  /**
   * The answer as the agent reads it. Cursor and our own extensions need one for "no opinion"; the others take
   * silence.
   */
  write(answer: HookAnswer | null, payload: Payload | null): Readonly<Record<string, unknown>> | null
  /**
   * Tells whether the agent asks a person when this event is answered "ask". Codex runs the command instead, and
   * Gemini hangs without a terminal.
   */
  canAsk(payload: Payload): boolean
}
