import * as z from 'zod'
import { Verdict } from './decision.js'
import { NetworkSet } from './network-sets.js'
import { OnFailure, TransactionMode } from './plan.js'

/**
 * Builds a schema on first use. Most runs read no settings file, and building takes longer than a thousand decisions.
 */
export function lazily<T>(build: () => T): () => T {
  const built: T[] = []
  return () => {
    if (built.length === 0) built.push(build())
    return built[0] as T
  }
}

const INHERITED = 'The entry "..." stands for the list of the profile this one extends.'
const names = (text: string) => z.array(z.string().min(1)).describe(`${text} ${INHERITED}`)
const positive = (text: string) => z.int().positive().describe(text)
const limit = (text: string) =>
  z.union([z.int().positive(), z.literal('none')]).describe(`${text} "none": not limited.`)

/** A path of a profile: `.`, `~/x`, `/x`, `x/y` below every root, or two stars and a name for anywhere. */
const place = () =>
  z
    .string()
    .min(1)
    .regex(/^[^[\]{}()!\0]+$/, 'may hold *, ? and ** but no other pattern characters')
const places = (text: string) => z.array(z.union([z.literal('...'), place()])).describe(`${text} ${INHERITED}`)

/** Like `places`, but an entry may begin with `!`. */
const protectedPlaces = (text: string) =>
  z
    .array(
      z.union([
        z.literal('...'),
        z
          .string()
          .min(1)
          .regex(
            /^!?[^[\]{}()!\0]+$/,
            'may hold *, ? and **, and a ! at its beginning, but no other pattern characters',
          ),
      ]),
    )
    .describe(`${text} "!x" takes x out of the inherited ones. ${INHERITED}`)

const OWN_ID =
  /^(?!(?:builtin|effect|path|profile|request|opaque|environment|agent|permissions|confirm)\/|default$)[\w./-]+$/

const ruleSettings = lazily(() =>
  z
    .strictObject({
      id: z
        .string()
        .regex(OWN_ID, 'is made of letters, digits, ., -, _ and /, and does not begin like an id of Cordon itself')
        .optional()
        .describe('Stable name of the rule, as decisions quote it. Default: rules/<number>.'),
      program: z
        .union([z.string().min(1), z.array(z.string().min(1)).min(1)])
        .optional()
        .describe('Name of the program, or a list of names; * and ? allowed. Absent: any program.'),
      args: z
        .array(z.union([z.string(), z.array(z.string()).min(1)]))
        .optional()
        .describe(
          'Arguments that occur in this order (allow: that come first). A list inside gives alternatives; * and ? allowed.',
        ),
      action: z
        .string()
        .regex(/^tool:(?:bash|exec|[a-z]*[*?][a-z*?]*)(?::|$)/, 'has to begin with tool:bash:, tool:exec: or tool:*:')
        .optional()
        .describe('Pattern over the action string, such as tool:bash:git push* or tool:exec:rm *.'),
      verdict: Verdict.describe('allow, ask or deny.'),
      because: z.string().min(1).describe('The reason: a sentence a person and a model can act on.'),
      instead: z.string().optional().describe('What to do instead.'),
      hits: z.array(z.string()).optional().describe('Commands the rule must match; checked when the file is loaded.'),
      misses: z
        .array(z.string())
        .optional()
        .describe('Commands the rule must not match; checked when the file is loaded.'),
    })
    .refine((rule) => rule.program !== undefined || rule.action !== undefined, {
      message: 'names neither a program nor an action, so it would match everything',
    })
    .describe('A rule over the programs a command runs.'),
)
export type RuleSettings = z.infer<ReturnType<typeof ruleSettings>>

export const permissionSettings = lazily(() =>
  z
    .strictObject({
      allow: z
        .array(z.string())
        .optional()
        .describe('Commands that are allowed: Bash(git status), Bash(npm run test:*), tool:bash:ls *.'),
      ask: z.array(z.string()).optional().describe('Commands a person has to approve.'),
      deny: z.array(z.string()).optional().describe('Commands that are denied.'),
    })
    .describe('Permission lists in the syntax people already have.'),
)
export type PermissionSettings = z.infer<ReturnType<typeof permissionSettings>>

/**
 * Matches `*`, a name, `*.` and a domain, or an address (IPv6 in brackets if a port follows), each with or without a
 * port.
 */
const HOST_ENTRY =
  /^(?:\.\.\.|(?:\*|(?:\*\.)?[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[0-9a-f]*:[0-9a-f:.]+\])(?::[0-9]{1,5})?|[0-9a-f]*:[0-9a-f:.]*:[0-9a-f.]*)$/i

const networkSettings = () =>
  z
    .union([
      z.enum(['none', 'full']),
      z.strictObject({
        hosts: z
          .array(
            z.string().regex(HOST_ENTRY, 'is a host, or *. and a domain, with a :port where only that one is meant'),
          )
          .optional()
          .describe(
            `Hosts that can be reached: example.com, *.example.com, localhost:8080 (a port of the host's loopback). ${INHERITED}`,
          ),
        sets: z
          .array(z.union([NetworkSet, z.literal('...')]))
          .optional()
          .describe(`Named lists of hosts: the registries of package managers, and forges. ${INHERITED}`),
        unlisted: Verdict.exclude(['allow'])
          .optional()
          .describe('ask or deny: the verdict on a command that names any other host. Default: deny.'),
      }),
    ])
    .describe('none, full, or a table with the hosts that can be reached.')

const programsGroup = () =>
  z
    .strictObject({
      allow_only: z
        .union([names('Only these programs run.'), z.literal('any')])
        .optional()
        .describe('Only these programs run. "any": those that no rule refuses.'),
      paths: z.boolean().optional().describe('May a program be given as a path in structured mode?'),
    })
    .describe('Which programs run.')

const builtinsGroup = () =>
  z
    .strictObject({ removed: names('Built-in denials and questions this profile removes, by name.').optional() })
    .describe('Built-in rules of Cordon.')

const opaqueGroup = () =>
  z
    .strictObject({
      unknown: Verdict.optional().describe('Shell code that the analyser cannot resolve before it runs.'),
      foreign: Verdict.optional().describe('Code of other languages and tools: python app.py, make, npm test.'),
    })
    .describe('Verdicts on code that is not analysed.')

const pathsGroup = () =>
  z
    .strictObject({
      roots: places('Where commands may start and write.').optional(),
      writable: places('Writable besides the roots: caches.').optional(),
      readable: places('Readable besides the roots, also with `read_outside = "deny"`; below ~ too.').optional(),
      hidden: places('Paths that commands cannot read.').optional(),
      protected: protectedPlaces('Paths that commands can read but not change, also inside a root.').optional(),
      write: z.boolean().optional().describe('Commands may write to the roots.'),
      read_outside: Verdict.optional().describe('Reading outside the roots.'),
      write_outside: Verdict.optional().describe('Writing or deleting outside the roots.'),
    })
    .describe('Places. `.` is the workspace, `~` the home directory.')

const sharedEntries = () =>
  z
    .array(
      z
        .string()
        .regex(
          /^(?:\.\.\.|\.\.|~|~(?:\/(?!\.{1,2}(?:\/|$))[^/\0]+)+)$/,
          'is a path below ~ such as ~/.nvm, ~ itself for everything but secrets, or .. for the directory around the workspace',
        ),
    )
    .describe(`Entries of the real home that a private home shows read-only. "~": everything but secrets. ${INHERITED}`)

const environmentGroup = () =>
  z
    .strictObject({
      pass: names('Variables passed on from the environment of Cordon.').optional(),
      set: z.record(z.string(), z.string()).optional().describe('Variables set for every command.'),
      strip: names('Beginnings of names that are never passed on.').optional(),
      home: z
        .enum(['private', 'workspace', 'real'])
        .optional()
        .describe(
          'What HOME is inside: private (a directory of Cordon at the path of the home), workspace, or the real home, read-only.',
        ),
      shared: sharedEntries().optional(),
    })
    .describe('The environment of commands; nothing is inherited that is not named here.')

const timeoutsGroup = () =>
  z
    .strictObject({
      structured_ms: positive('For structured mode, when the request names none.').optional(),
      shell_ms: positive('For shell mode, when the request names none.').optional(),
      max_ms: positive('The most a request may ask for.').optional(),
      none_allowed: z.boolean().optional().describe('May a request ask for no timeout?'),
      grace_ms: z.int().nonnegative().optional().describe('From SIGTERM to SIGKILL.'),
    })
    .describe('Timeouts in milliseconds.')

const outputGroup = () =>
  z
    .strictObject({
      capture_bytes: positive('Bytes kept of each stream.').optional(),
      presented_chars: positive('Characters of each stream a model is shown.').optional(),
    })
    .describe('How much output is kept.')

const limitsGroup = () =>
  z
    .strictObject({
      memory_bytes: limit('Memory of the whole command.').optional(),
      processes: limit('Processes at once.').optional(),
      cpu_seconds: limit('Processor time.').optional(),
      file_bytes: limit('Size of one file.').optional(),
      open_files: limit('Open files of one process.').optional(),
      disk_bytes: limit('Bytes written to disk over the whole tree, deleted ones included.').optional(),
      home_bytes: limit('Size of the private home and its /tmp above which commands report it.').optional(),
    })
    .describe('Resource limits of a command.')

const transactionGroup = () =>
  z
    .strictObject({
      mode: TransactionMode.optional().describe(
        'off, auto (what can write), always, or review (a person keeps or discards).',
      ),
      on_failure: OnFailure.optional().describe(
        'keep (as a shell does) or restore the files after a failure, a timeout, a cancel or a limit. Both can be undone.',
      ),
      rollback_codes: z
        .union([z.array(z.int().min(1).max(255)), z.literal('default')])
        .optional()
        .describe('With on_failure = "restore": exit codes that count as a failure. "default": 2 and above.'),
      scope: names('Globs of the paths that a snapshot includes.').optional(),
      max_bytes: positive('Maximum size of a snapshot.').optional(),
      required: z.boolean().optional().describe('Refuse to run without a snapshot.'),
    })
    .describe('Recording and undoing changes.')

const concurrencyGroup = () =>
  z
    .strictObject({ per_agent: positive('Commands one agent may run at once.').optional() })
    .describe('How much at once.')

const approvalsGroup = () =>
  z
    .strictObject({
      wait_ms: positive('Time that a held command waits for an answer.').optional(),
      run_ms: positive('Time after the answer in which an approved command can run once.').optional(),
    })
    .describe('Commands that a person has to approve.')

/** Schema of one profile in a settings file: only the differences from the profile it extends. */
export const profileSettings = lazily(() =>
  z.strictObject({
    extends: z
      .string()
      .optional()
      .describe('The profile this one starts from. Default: the one of the same name, else workspace.'),
    summary: z.string().optional().describe('One line about the profile.'),
    modes: z
      .array(z.enum(['shell', 'structured']))
      .min(1)
      .optional()
      .describe('How commands may be given.'),
    sandbox: z.enum(['required', 'off']).optional().describe('Must commands run inside the sandbox?'),
    network: networkSettings().optional(),
    default: Verdict.optional().describe('Verdict on a command that no rule matches.'),
    plain_arguments: z.boolean().optional().describe('Refuse shell metacharacters and .. in structured arguments.'),
    programs: programsGroup().optional(),
    builtins: builtinsGroup().optional(),
    rules: z.array(ruleSettings()).optional().describe('Rules, added to those of the profile this one extends.'),
    permissions: permissionSettings().optional(),
    confirm: z
      .array(z.string().min(1))
      .optional()
      .describe('Texts that hold a command for approval if it contains them: "<<<", "eval ", "drop table".'),
    opaque: opaqueGroup().optional(),
    paths: pathsGroup().optional(),
    environment: environmentGroup().optional(),
    timeouts: timeoutsGroup().optional(),
    output: outputGroup().optional(),
    limits: limitsGroup().optional(),
    transaction: transactionGroup().optional(),
    concurrency: concurrencyGroup().optional(),
    approvals: approvalsGroup().optional(),
  }),
)
export type ProfileSettings = z.infer<ReturnType<typeof profileSettings>>
