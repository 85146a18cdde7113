import * as z from 'zod'
import { checkValue } from '../basics/check-value.js'
import { lazily, profileSettings } from '../policy/profile-settings.js'
import { settingsSchema } from '../policy/settings.js'

const callback = (what: string) =>
  z.custom<(...args: never[]) => unknown>((value) => typeof value === 'function', `must be a function: ${what}`)
const path = () => z.string().min(1)

const cordonOptions = lazily(() =>
  z.strictObject({
    workspace: path().optional(),
    profile: z.unknown().optional(),
    settings: z.unknown().optional(),
    stateDirectory: path().optional(),
    onApproval: callback('(approval, signal) => Promise<Answer>').optional(),
    warm: z.int().min(0).max(64).optional(),
    unattended: z.boolean().optional(),
    filters: z
      .array(
        z.strictObject({
          match: z.string().min(1),
          drop: z.array(z.instanceof(RegExp, { error: 'must be a RegExp' })).min(1),
          name: z.string().min(1).optional(),
          what: z.string().min(1).optional(),
        }),
      )
      .optional(),
    log: callback('(level, message, fields) => void').optional(),
    traceContent: z.boolean().optional(),
    env: z
      .record(z.string(), z.union([z.string(), z.undefined()], 'must be an object of strings'), 'must be an object')
      .optional(),
  }),
)

/** Throws INVALID_ARGUMENTS for an option of `createCordon` that is unknown, misspelt or of the wrong type. */
export function checkCordonOptions(options: unknown): void {
  const { profile, settings } = checkValue(cordonOptions(), options, 'options')
  if (typeof profile === 'string') checkValue(path(), profile, 'options.profile')
  else if (profile !== undefined) checkValue(profileSettings(), profile, 'options.profile')
  if (settings !== undefined) checkValue(settingsSchema(), settings, 'options.settings')
}
