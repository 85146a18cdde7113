import type { Rule } from '../../model/policy/profile.js'
import { CLOUD_EFFECTS } from './cloud.js'
import { CREDENTIAL_EFFECTS } from './credentials.js'
import { DATABASE_EFFECTS } from './databases.js'
import { DEPLOY_EFFECTS } from './deployments.js'
import { HOST_SYSTEM_EFFECTS } from './host-system.js'
import { PERSISTENCE_EFFECTS } from './persistence.js'
import { PUBLISHING_EFFECTS } from './publishing.js'
import { RELEASE_EFFECTS } from './releases.js'
import { REMOTE_SYSTEM_EFFECTS } from './remote-systems.js'

/**
 * Effects outside the sandbox, effects that Cordon cannot undo, and changes of history. They ask by default. An allow
 * rule that covers the command lifts them, and so does their name in `builtins.removed`.
 */
export const EFFECTS: readonly Rule[] = [
  ...PUBLISHING_EFFECTS,
  ...RELEASE_EFFECTS,
  ...CLOUD_EFFECTS,
  ...DEPLOY_EFFECTS,
  ...REMOTE_SYSTEM_EFFECTS,
  ...CREDENTIAL_EFFECTS,
  ...DATABASE_EFFECTS,
  ...PERSISTENCE_EFFECTS,
  ...HOST_SYSTEM_EFFECTS,
]
