import * as z from 'zod'
import { lazily, permissionSettings, profileSettings } from './profile-settings.js'

const agentSettings = () =>
  z
    .strictObject({
      profile: z.string().optional().describe('The profile of this agent. Default: the default profile.'),
      programs: z
        .array(z.string().min(1))
        .optional()
        .describe('The only programs this agent may use; bash stands for shell mode.'),
    })
    .describe('What one agent may do.')
export type AgentSettings = z.infer<ReturnType<typeof agentSettings>>

const auditSettings = () =>
  z
    .strictObject({
      sink: z
        .union([
          z.literal('syslog'),
          z.string().regex(/^\/[^\0]+$/, 'is "syslog", a list of words, or the absolute path of a file'),
          z.array(z.string().min(1)).min(1),
        ])
        .optional()
        .describe(
          'Gets every row of the audit log too: a file (absolute path), "syslog", or a command that reads the row.',
        ),
      required: z.boolean().optional().describe('Refuse to run when the sink fails. Default: false.'),
    })
    .describe('Another destination of the audit log, besides its file. Not in a project.')
export type AuditSettings = z.infer<ReturnType<typeof auditSettings>>

const NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]*$/
const name = () => z.string().regex(NAME, 'is made of letters, digits, ., - and _')

/** A `cordon.toml`. Every key is described, and no other is accepted. */
export const settingsSchema = lazily(() =>
  z.strictObject({
    profile: z.string().optional().describe('The profile of requests that name none.'),
    allowed_profiles: z.array(z.string()).optional().describe('The only profiles that may be named. Absent: all.'),
    permissions: permissionSettings().optional(),
    audit: auditSettings().optional(),
    profiles: z
      .record(name(), profileSettings())
      .optional()
      .describe('Profiles by name; a known name changes that profile.'),
    agents: z
      .record(name(), agentSettings())
      .optional()
      .describe('Agents by name. Once there is one, no other agent is served.'),
  }),
)
export type Settings = z.infer<ReturnType<typeof settingsSchema>>

/** The schema for editors: `docs/cordon.schema.json` is this, written by `npm run schema`. */
export const settingsJsonSchema = (): unknown => ({
  title: 'cordon.toml',
  ...z.toJSONSchema(settingsSchema(), { target: 'draft-7', io: 'input' }),
})
