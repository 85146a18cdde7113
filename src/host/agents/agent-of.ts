type Env = Readonly<Record<string, string | undefined>>

/** Variables by which agents mark what they start. */
const MARKS: readonly (readonly [variable: string, agent: string])[] = [
  ['CLAUDECODE', 'claude-code'],
  ['GEMINI_CLI', 'gemini'],
  ['QWEN_CODE', 'qwen'],
  ['OPENCODE', 'opencode'],
  ['PI_CODING_AGENT', 'pi'],
]

/** Names the agent that started this process, as hooks name it. Null where none tells. */
export const agentOf = (env: Env): string | null => MARKS.find(([variable]) => env[variable])?.[1] ?? null
