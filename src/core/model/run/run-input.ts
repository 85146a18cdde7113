import * as z from 'zod'
import { checkValue } from '../basics/check-value.js'
import { CordonError } from '../basics/errors.js'
import { LIMITS } from '../basics/limits.js'
import type { Relay } from '../basics/relay.js'
import { OnFailure } from '../policy/plan.js'
import type { OnEvent } from './event.js'
import { Caller } from './request.js'

const LONE_SURROGATE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/

/** Why a text cannot be handed to a process, or null. Arguments and variables end at the first NUL byte in C. */
const unfit = (text: string): string | null =>
  text.includes('\0')
    ? 'contains a NUL byte; remove it'
    : LONE_SURROGATE.test(text)
      ? 'contains half of a surrogate pair; send well-formed Unicode'
      : null

const Text = z.string('must be a string').superRefine((text, context) => {
  const why = unfit(text)
  if (why) context.addIssue(why)
})

const Name = Text.min(1, 'must not be empty').max(200, 'must not be longer than 200 characters')

/** An agent, or null for requests that name none. */
export const AgentName = Name.nullable()

const Script = Text.refine((s) => s.trim() !== '', 'Empty command: it must not be empty or blank').refine(
  (s) => new TextEncoder().encode(s).length <= LIMITS.scriptBytes,
  `is longer than ${LIMITS.scriptBytes} bytes; write it to a file and run that`,
)

const Structured = z.strictObject({
  program: Text.refine((s) => s.trim() !== '', 'Empty command: the program must not be empty or blank'),
  args: z
    .array(Text)
    .refine(
      (args) => args.reduce((n, a) => n + a.length + 1, 0) <= LIMITS.argvBytes,
      `are longer than ${LIMITS.argvBytes} bytes in total`,
    )
    .default([]),
})

/** Environment variables of a request. */
export const Variables = z.record(
  z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'is not a variable name (letters, digits and _, no digit first)'),
  Text,
)

const Options = z.strictObject({
  agent: Name.optional(),
  profile: Name.optional(),
  cwd: Text.min(1, 'must not be empty').optional(),
  timeoutMs: z
    .union([z.literal('none'), z.number().positive()], 'must be a positive number of milliseconds, or "none"')
    .optional(),
  stdin: z
    .string()
    .max(LIMITS.stdinBytes, `must not be longer than ${LIMITS.stdinBytes} characters; use a file`)
    .optional(),
  relay: z
    .custom<Relay>(
      (v) => typeof v === 'object' && v !== null && typeof Reflect.get(v, 'write') === 'function',
      'must be an object with a write function',
    )
    .optional(),
  env: Variables.optional(),
  signal: z
    .custom<AbortSignalLike>((v) => typeof v === 'object' && v !== null && 'aborted' in v, 'must be an AbortSignal')
    .optional(),
  onEvent: z.custom<OnEvent>((v) => typeof v === 'function', 'must be a function').optional(),
  keepOutput: z.boolean().optional(),
  review: z.boolean().optional(),
  transaction: z.enum(['auto', 'review', 'off']).optional(),
  onFailure: OnFailure.optional(),
  filters: z.boolean().optional(),
  clearEnv: z.boolean().optional(),
  stripEnv: z.array(Text.min(1, 'must not be empty')).optional(),
  blocked: z.array(Text.min(1, 'must not be empty')).optional(),
  maxOutput: z.int().positive().optional(),
  approval: Name.optional(),
  caller: Caller.optional(),
  // They are only recorded, so one that is wrong is no reason to refuse a command.
  traceparent: z.unknown().optional(),
  toolCallId: z.unknown().optional(),
  toolName: z.unknown().optional(),
})

/** The used part of AbortSignal; core is compiled without its global type. */
export interface AbortSignalLike {
  readonly aborted: boolean
}

export type CheckedCommand =
  | { readonly mode: 'shell'; readonly script: string }
  | { readonly mode: 'structured'; readonly program: string; readonly args: readonly string[] }

export type CheckedOptions = z.infer<typeof Options>

/** Levels of `$(`, `${` and `(` left open at once. Deeper than any honest script, and deep enough to hurt a parser. */
function refuseDeepNesting(script: string): void {
  let depth = 0
  for (let i = 0; i < script.length; i++) {
    const c = script[i]
    if (c === '(' || (c === '{' && script[i - 1] === '$')) depth++
    else if ((c === ')' || c === '}') && depth > 0) depth--
    if (depth > LIMITS.refusedNesting) {
      throw new CordonError(
        'INVALID_ARGUMENTS',
        `command nests more than ${LIMITS.refusedNesting} levels deep; split it into separate commands`,
      )
    }
  }
}

/** A script, or a program with an array of arguments: anything else is refused, never coerced. */
export function checkCommand(input: unknown): CheckedCommand {
  if (typeof input === 'object' && input !== null)
    return { mode: 'structured', ...checkValue(Structured, input, 'command') }
  const script = checkValue(Script, input, 'command')
  refuseDeepNesting(script)
  return { mode: 'shell', script }
}

export const checkOptions = (input: unknown): CheckedOptions => checkValue(Options, input ?? {}, 'options')
