import { parseScript } from '../../core/shell/parse-script.js'
import { wordsOf } from './literal-words.js'

/**
 * The words of `env -u NODE_OPTIONS timeout N … hook AGENT || { …; }`, the line by which Cordon's hook is registered.
 * Null for any other text. Agents that start their commands by the first `bash` on PATH start their hooks by it too.
 */
export function guardedHook(text: string): readonly string[] | null {
  const { statements, parseErrors } = parseScript(text)
  const [only, ...others] = statements
  if (parseErrors.length + others.length > 0 || only?.node.kind !== 'and-or' || only.background) return null
  const { commands, operators } = only.node
  const [first, group, ...rest] = commands
  if (first?.kind !== 'simple' || group?.kind !== 'group' || rest.length > 0 || operators[0] !== '||') return null
  const words = first.redirects.length > 0 ? null : wordsOf(first)
  const isGuarded = /^(?:env -u NODE_OPTIONS )?timeout \d+ /.test(words?.join(' ') ?? '')
  return isGuarded && words?.at(-2) === 'hook' ? words : null
}
