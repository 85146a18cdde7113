import { CordonError } from '../../model/basics/errors.js'
import type { Verdict } from '../../model/policy/decision.js'
import type { Rule } from '../../model/policy/profile.js'
import { namesTool, splitAction } from '../match/action-pattern.js'

const CALL = /^(\w+)(?:\((.*)\))?$/s
const PLAIN_WORDS = /^[^\s*?\\'"$`|&;<>(){}[\]!#~]+(?: [^\s*?\\'"$`|&;<>(){}[\]!#~]+)*$/

const VERBS: Record<Verdict, string> = { allow: 'allows', ask: 'asks for', deny: 'denies' }

function refuse(entry: string, why: string): never {
  throw new CordonError(
    'SETTINGS_INVALID',
    `The permission ${JSON.stringify(entry)} ${why}. Write \`Bash(git push:*)\`, \`Bash(npm run test)\` or \`tool:bash:git push*\`.`,
  )
}

function commandOf(entry: string): string {
  const call = CALL.exec(entry.trim())
  if (!call) refuse(entry, 'is not valid')
  if (call[1] === 'bash') refuse(entry, 'must write the tool name as `Bash`')
  if (call[1] !== 'Bash') refuse(entry, `names the tool ${call[1]}, which Cordon does not run`)
  const command = (call[2] ?? '*').trim()
  return command === '' ? refuse(entry, 'names no command') : command
}

function actionOf(entry: string): string {
  const tool = splitAction(entry)?.[0]
  if (tool === undefined) refuse(entry, 'is not valid')
  return namesTool(tool) ? entry : refuse(entry, `names the tool ${tool}, which Cordon does not run`)
}

/**
 * Converts one entry of a permission list into a rule. `Bash(git push:*)` and `Bash(git push *)` match the words `git
 * push` with any arguments. `Bash(npm run test)` matches that command only. `Bash(*)` and `Bash` match every command.
 * `tool:…` is an action pattern.
 */
export function permissionRule(entry: string, verdict: Verdict, id: string): Rule {
  const rule: Rule = {
    id,
    program: null,
    args: [],
    action: null,
    verdict,
    because: `The permission list ${VERBS[verdict]} \`${entry}\`.`,
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
