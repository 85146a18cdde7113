import type { Rule } from '../model/profile.js'
import { CLOUD_EFFECTS } from './cloud-effects.js'
import { CREDENTIAL_EFFECTS } from './credential-effects.js'
import { DATABASE_EFFECTS } from './database-effects.js'
import { DEPLOY_EFFECTS } from './deploy-effects.js'
import { ELSEWHERE_EFFECTS } from './elsewhere-effects.js'
import { LASTING_EFFECTS } from './lasting-effects.js'
import { MACHINE_EFFECTS } from './machine-effects.js'
import { RELEASE_EFFECTS } from './release-effects.js'
import { SENDING_EFFECTS } from './sending-effects.js'

/**
 * Effects that leave the wall, that no undo brings back, or that rewrite history. They ask by default: an allow rule that
 * covers the command lifts them, and so does their name in `builtins.removed`.
 */
export const EFFECTS: readonly Rule[] = [
  ...SENDING_EFFECTS,
  ...RELEASE_EFFECTS,
  ...CLOUD_EFFECTS,
  ...DEPLOY_EFFECTS,
  ...ELSEWHERE_EFFECTS,
  ...CREDENTIAL_EFFECTS,
  ...DATABASE_EFFECTS,
  ...LASTING_EFFECTS,
  ...MACHINE_EFFECTS,
]
