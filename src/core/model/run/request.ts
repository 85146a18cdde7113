import * as z from 'zod'

/** A script for bash, or a program with an array of arguments and no shell. */
export const Command = z.discriminatedUnion('mode', [
  z.strictObject({ mode: z.literal('shell'), script: z.string() }),
  z.strictObject({ mode: z.literal('structured'), program: z.string(), args: z.array(z.string()).readonly() }),
])
export type Command = z.infer<typeof Command>

/** Surface of the request. It is recorded, and never widens permissions. */
export const Caller = z.enum(['library', 'cli', 'mcp', 'tool', 'hook', 'shell', 'http'])
export type Caller = z.infer<typeof Caller>

/** A validated request: complete, frozen, closed. No field is optional and no value is converted after this point. */
export const Request = z.strictObject({
  id: z.string(),
  command: Command,
  /** The text that spans point into: the script, or the program and arguments quoted for display. */
  text: z.string(),
  agent: z.string().nullable(),
  caller: Caller,
  /** Absolute, symlinks resolved, inside the allowed roots. */
  cwd: z.string(),
  /** Clamped to the profile; null only where the profile allows no timeout. */
  timeoutMs: z.int().positive().nullable(),
  stdin: z.string().nullable(),
  /** The caller's own standard input is connected, and its content is unknown. */
  hasLiveStdin: z.boolean(),
  env: z.array(z.tuple([z.string(), z.string()]).readonly()).readonly(),
})
export type Request = z.infer<typeof Request>
