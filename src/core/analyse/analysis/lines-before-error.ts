import { parseScript } from '../../shell/parse-script.js'
import type { Script } from '../../shell/tree.js'
import type { State } from '../state/state.js'
import type { Analysis } from './analysis.js'

/** Returns the lines before a syntax error. Null if the shell was not asked, or our parser rejects those lines. */
export function linesBeforeError(analysis: Analysis, text: string, shell: 'bash' | 'sh'): Script | null {
  const asked = shell === 'bash' ? text : `sh\0${text}`
  analysis.questions.add({ ask: 'syntax', text: asked })
  const count = analysis.answers.syntax?.get(asked) ?? -1
  if (count < 0) return null
  const script = parseScript(text.split('\n').slice(0, count).join('\n'))
  return script.parseErrors.length > 0 ? null : script
}

/** Returns the shell that parses a text, if its `-n` can be asked. Null for other shells, other machines and traps. */
export function shellOfText(analysis: Analysis, { via }: State, text: string): 'bash' | 'sh' | null {
  if (analysis.calls.running.at(-1)?.text === text && via.at(-1)?.includes('/')) {
    if (!text.startsWith('#!')) return via.length === 1 ? 'bash' : null
    const interpreter = /^#!\s*\S*\/(?:env\s+)?(bash|sh)\s/.exec(text)?.[1]
    return interpreter === 'bash' || interpreter === 'sh' ? interpreter : null
  }
  const step = [...via].reverse().find((one) => !SAME_SHELL.has(one))
  if (step === undefined || /^bash(?: -c)?$/.test(step)) return 'bash'
  return /^sh(?: -c)?$/.test(step) ? 'sh' : null
}

const SAME_SHELL = new Set(['eval', 'source', '.', 'command', 'builtin', 'exec'])

/** Tells whether earlier commands can change how a shell parses the rest: aliases, options or unknown code. */
export function mayChangeGrammar({ findings }: Analysis, { history }: State): boolean {
  if (
    history.hasAliases ||
    findings.hasUnknown ||
    findings.environment.some(({ name }) => /^(?:BASH|SHELL|POSIX)/.test(name))
  )
    return true
  return findings.invocations.some(({ program, argv }) => {
    if (program === 'set') return argv.some((word) => word === 'posix' || typeof word !== 'string')
    if (program === 'bash' || program === 'sh') {
      const operand = argv.slice(1).find((word) => typeof word !== 'string' || !SAME_GRAMMAR.test(word))
      return typeof operand === 'string' ? /^[-+]|^posix$/.test(operand) : operand?.prefix !== undefined
    }
    return program === null || program === 'shopt' || program === 'enable'
  })
}

/** Options of a shell that change neither syntax errors nor the line where the shell stops. */
const SAME_GRAMMAR = /^(?:-[ceuxvfls]+|--(?:norc|noprofile|login)?|-[eux]*o|pipefail|errexit|nounset|xtrace)$/
