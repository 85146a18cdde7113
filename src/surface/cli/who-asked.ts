import type { Approval } from '../../core/model/approval.js'
import { labelled } from './evidence.js'
import type { Paint } from './paint.js'

/** Where a held command would run, in which workspace, and on whose behalf. */
export const whoAsked = ({ cwd, workspace, agent, profile }: Approval, paint: Paint): readonly string[] => [
  labelled('in', cwd, paint),
  ...(workspace === cwd ? [] : [labelled('workspace', workspace, paint)]),
  labelled('agent', agent ?? 'not named', paint),
  labelled('profile', profile, paint),
]
