import { effectsOf, splitWords } from '../../../../src/core/analyse/programs/effects-of.js'
import { knowledgeOf } from '../../../../src/core/analyse/programs/index.js'
import type { Arg, Effect } from '../../../../src/core/analyse/programs/knowledge.js'

const text = (arg: Arg): string => arg.text ?? `${arg.head}…`

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

/** A line of plain words; `$NAME` at the end of a word stands for text nobody knows. */
function argumentsOf(command: string): readonly Arg[] {
  const whole: Arg = { text: command, head: command, several: false, span: [0, command.length] }
  return splitWords(whole).map((arg) => {
    const at = arg.head.indexOf('$NAME')
    const unknown = { unknown: 'a variable that is not known' }
    return at < 0 ? arg : { text: null, head: arg.head.slice(0, at), unknown, several: false, span: arg.span }
  })
}

/** Everything a command line does, one line for each effect. */
export function effectsText(command: string): readonly string[] {
  const argv = argumentsOf(command)
  const name = (argv[0]?.text ?? '').replace(/^.*\//, '')
  const program = knowledgeOf(name)
  if (!program) throw new Error(`${name} is not in the tables`)
  return effectsOf(program, argv).effects.map(line)
}

/** What a command line runs through a shell or executes, and where it cannot be known. */
export const runsOf = (command: string): readonly string[] =>
  effectsText(command).filter((effect) => /^(?:run|shell|script|shell-stdin|run-stdin|unknown)\b/.test(effect))

/** The paths and hosts a command line reaches. */
export const placesOf = (command: string): readonly string[] =>
  effectsText(command).filter((effect) => /^(?:read|write|delete|connect)\b/.test(effect))

export const isForeign = (command: string): boolean => effectsText(command).includes('foreign')
