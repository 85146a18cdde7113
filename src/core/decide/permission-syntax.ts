import type { Verdict } from '../model/decision.js'
import { CordonError } from '../model/errors.js'
import type { Rule } from '../model/profile.js'
import { namesTool, splitAction } from './action.js'

const CALL = /^(\w+)(?:\((.*)\))?$/s
const PLAIN_WORDS = /^[^\s*?\\'"$`|&;<>(){}[\]!#~]+(?: [^\s*?\\'"$`|&;<>(){}[\]!#~]+)*$/

const SAYS: Record<Verdict, string> = { allow: 'is allowed', ask: 'has to be approved', deny: 'is denied' }

function refuse(entry: string, why: string): never {
  throw new CordonError(
    'SETTINGS_INVALID',
    `The permission ${JSON.stringify(entry)} ${why}. Write \`Bash(git push:*)\`, \`Bash(npm run test)\` or \`tool:bash:git push*\`.`,
  )
}

function commandOf(entry: string): string {
  const call = CALL.exec(entry.trim())
  if (!call) refuse(entry, 'is not understood')
  if (call[1] === 'bash') refuse(entry, 'has to have the name of the tool in its own letters, `Bash`')
  if (call[1] !== 'Bash') refuse(entry, `speaks of the tool ${call[1]}, which Cordon does not run`)
  const command = (call[2] ?? '*').trim()
  return command === '' ? refuse(entry, 'names no command') : command
}

function actionOf(entry: string): string {
  const tool = splitAction(entry)?.[0]
  if (tool === undefined) refuse(entry, 'is not understood')
  return namesTool(tool) ? entry : refuse(entry, `speaks of the tool ${tool}, which Cordon does not run`)
}

/**
 * A permission as people already have it, as a rule. `Bash(git push:*)` and `Bash(git push *)` are the words `git push` and whatever
 * follows; `Bash(npm run test)` is that command alone; `Bash(*)` and `Bash` are every command. `tool:…` is an action pattern.
 */
export function permissionRule(entry: string, verdict: Verdict, id: string): Rule {
  const rule: Rule = {
    id,
    program: null,
    args: [],
    action: null,
    verdict,
    because: `The permission list says that \`${entry}\` ${SAYS[verdict]}.`,
    instead: null,
    hits: [],
    misses: [],
  }
  if (entry.startsWith('tool:')) return { ...rule, action: actionOf(entry) }
  const command = commandOf(entry)
  if (command === '*' || command === ':*') return rule
  const prefix = /^(.*?)(?::\*| \*)$/s.exec(command)?.[1]
  if (prefix === undefined) return { ...rule, action: `tool:*:${command}` }
  if (!PLAIN_WORDS.test(prefix)) return { ...rule, action: `tool:*:${prefix} *` }
  const [program = '', ...args] = prefix.split(' ')
  return { ...rule, program: [program], args }
}
