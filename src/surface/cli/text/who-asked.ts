import type { Approval } from '../../../core/model/policy/approval.js'
import type { Paint } from '../terminal/style.js'
import { labelled } from './evidence.js'

/** Describes where a held command would run, in which workspace and for which agent. */
export const whoAsked = ({ cwd, workspace, agent, profile }: Approval, paint: Paint): readonly string[] => [
  labelled('in', cwd, paint),
  ...(workspace === cwd ? [] : [labelled('workspace', workspace, paint)]),
  labelled('agent', agent ?? 'not named', paint),
  labelled('profile', profile, paint),
]
