import type { RuleMatch } from '../../model/policy/decision.js'
import type { Profile } from '../../model/policy/profile.js'
import type { Command } from '../../model/run/request.js'
import { withRemedy } from '../match/remedy.js'

const METACHARACTERS = /[|&;$`<>(){}\n\r\0]/
const NOT_IN_A_NAME = /[\s|&;$`<>(){}'"\\*?[\]!#~]/

type Fault = { readonly rule: string; readonly reason: string; readonly instead: string }

function programFaults(program: string, paths: boolean): Fault[] {
  if (program.split('/').includes('..')) {
    return [
      {
        rule: 'request/path-traversal',
        reason: `The program ${JSON.stringify(program)} contains a path traversal (\`..\`).`,
        instead: 'Use the bare name of the program.',
      },
    ]
  }
  if (NOT_IN_A_NAME.test(program)) {
    return [
      {
        rule: 'request/bare-name',
        reason: `The program ${JSON.stringify(program)} must be a bare name, but contains a space or a shell metacharacter.`,
        instead: 'Pass the program name alone and its arguments as an array, or use shell mode.',
      },
    ]
  }
  if (program.includes('/') && !paths) {
    return [
      {
        rule: 'profile/program-paths',
        reason: `The program ${JSON.stringify(program)} must be a bare name, not a path.`,
        instead: 'Use the name without a directory.',
      },
    ]
  }
  return []
}

function argumentFaults(args: readonly string[], profile: string): Fault[] {
  return args.flatMap((arg, index) => {
    const what = METACHARACTERS.test(arg)
      ? 'shell metacharacters'
      : arg.includes('..')
        ? 'a path traversal (`..`)'
        : null
    return what === null
      ? []
      : [
          {
            rule: 'profile/plain-arguments',
            reason: `Argument ${index + 1} (${JSON.stringify(arg)}) contains ${what}. Profile "${profile}" allows no shell metacharacters and no path traversal in arguments.`,
            instead: 'Use arguments without these characters, or use shell mode.',
          },
        ]
  })
}

/** Returns denials for the form of a request: its mode, the program name and the arguments. */
export function requestMatches(command: Command, text: string, profile: Profile): readonly RuleMatch[] {
  const deny = (fault: Fault): RuleMatch => withRemedy({ ...fault, verdict: 'deny', span: [0, text.length] }, profile)
  if (!profile.modes.includes(command.mode)) {
    const other = command.mode === 'shell' ? 'exec with a program and an array of arguments' : 'run with a script'
    return [
      deny({
        rule: 'profile/modes',
        reason: `${command.mode === 'shell' ? 'Shell' : 'Structured'} mode is off in profile "${profile.name}" (setting \`modes\`).`,
        instead: `Use ${other}.`,
      }),
    ]
  }
  if (command.mode === 'shell') return []
  const plain = profile.plainArguments ? argumentFaults(command.args, profile.name) : []
  return [...programFaults(command.program, profile.programs.paths), ...plain].map(deny)
}
