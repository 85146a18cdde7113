import type { RuleMatch } from '../model/decision.js'
import type { Profile } from '../model/profile.js'
import type { Command } from '../model/request.js'

const METACHARACTERS = /[|&;$`<>(){}\n\r\0]/
const NOT_IN_A_NAME = /[\s|&;$`<>(){}'"\\*?[\]!#~]/

type Complaint = { readonly rule: string; readonly reason: string; readonly instead: string }

function programComplaints(program: string, paths: boolean): Complaint[] {
  if (program.split('/').includes('..')) {
    return [
      {
        rule: 'request/path-traversal',
        reason: `The program ${JSON.stringify(program)} holds a path traversal (\`..\`).`,
        instead: 'Give the bare name of the program.',
      },
    ]
  }
  if (NOT_IN_A_NAME.test(program)) {
    return [
      {
        rule: 'request/bare-name',
        reason: `The program ${JSON.stringify(program)} must be a bare name: it holds a space or a shell metacharacter.`,
        instead: 'Give the program alone and its arguments as an array, or use shell mode.',
      },
    ]
  }
  if (program.includes('/') && !paths) {
    return [
      {
        rule: 'profile/program-paths',
        reason: `The program ${JSON.stringify(program)} must be a bare name, not a path.`,
        instead: 'Give its base name, or set programs.paths = true in the profile.',
      },
    ]
  }
  return []
}

function argumentComplaints(args: readonly string[]): Complaint[] {
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
            reason: `Argument ${index + 1} (${JSON.stringify(arg)}) holds ${what}: shell metacharacters and path traversal are not allowed in arguments here.`,
            instead: 'Use a profile without plain_arguments, where such arguments are literals.',
          },
        ]
  })
}

/** What the form of the request itself breaks, before any program is looked at: the mode, the name, the arguments. */
export function requestMatches(command: Command, text: string, profile: Profile): readonly RuleMatch[] {
  const deny = (c: Complaint): RuleMatch => ({ ...c, verdict: 'deny', span: [0, text.length] })
  if (!profile.modes.includes(command.mode)) {
    const other = command.mode === 'shell' ? 'exec with a program and an array of arguments' : 'run with a script'
    return [
      deny({
        rule: 'profile/modes',
        reason: `${command.mode === 'shell' ? 'Shell' : 'Structured'} mode is switched off in the profile "${profile.name}" (setting \`modes\`).`,
        instead: `Use ${other}, or add "${command.mode}" to \`modes\` in the profile.`,
      }),
    ]
  }
  if (command.mode === 'shell') return []
  const plain = profile.plainArguments ? argumentComplaints(command.args) : []
  return [...programComplaints(command.program, profile.programs.paths), ...plain].map(deny)
}
