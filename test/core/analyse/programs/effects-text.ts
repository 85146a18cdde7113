import { effectsOf, splitWords } from '../../../../src/core/analyse/programs/grammar/effects-of.js'
import type { Arg, Effect } from '../../../../src/core/analyse/programs/grammar/roles.js'
import { grammarOf } from '../../../../src/core/analyse/programs/registry.js'

const text = (arg: Arg): string => arg.text ?? `${arg.prefix}…`

function line(effect: Effect): string {
  switch (effect.does) {
    case 'run':
      return `run ${effect.argv.map(text).join(' ')}`
    case 'shell':
      return `shell ${text(effect.text)}`
    case 'script':
      return `script ${text(effect.path)}`
    case 'shell-stdin':
    case 'run-stdin':
    case 'statements-stdin':
    case 'set':
      return effect.does
    case 'connect':
      return `connect ${text(effect.host)}`
    case 'foreign':
    case 'unknown':
      return effect.does
    default:
      return `${effect.does}${effect.recursive ? '*' : ''} ${text(effect.path)}`
  }
}

/** Splits a line into arguments. `$NAME` at the end of a word stands for unknown text. */
function argumentsOf(command: string): readonly Arg[] {
  const whole: Arg = { text: command, prefix: command, maySplit: false, span: [0, command.length] }
  return splitWords(whole).map((arg) => {
    const at = arg.prefix.indexOf('$NAME')
    const unknown = { unknown: 'a variable that is not known' }
    return at < 0 ? arg : { text: null, prefix: arg.prefix.slice(0, at), unknown, maySplit: false, span: arg.span }
  })
}

/** Returns the effects of a command line, one per line. */
export function effectsText(command: string): readonly string[] {
  const argv = argumentsOf(command)
  const name = (argv[0]?.text ?? '').replace(/^.*\//, '')
  const program = grammarOf(name)
  if (!program) throw new Error(`${name} is not in the tables`)
  return effectsOf(program, argv).effects.map(line)
}

/** Returns the commands and shell text that a command line runs, and its unknown parts. */
export const runsOf = (command: string): readonly string[] =>
  effectsText(command).filter((effect) => /^(?:run|shell|script|shell-stdin|run-stdin|unknown)\b/.test(effect))

/** Returns the paths and hosts of a command line. */
export const pathsAndHostsOf = (command: string): readonly string[] =>
  effectsText(command).filter((effect) => /^(?:read|write|delete|connect)\b/.test(effect))

export const isForeign = (command: string): boolean => effectsText(command).includes('foreign')
