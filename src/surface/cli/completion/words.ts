import type { Command } from 'commander'

export interface OptionWord {
  readonly flag: string
  readonly about: string
  /** The kind of the option's value: none, a profile, a directory, or free text. */
  readonly value: 'none' | 'profile' | 'directory' | 'text'
}

export interface CommandWord {
  readonly name: string
  readonly about: string
  readonly options: readonly OptionWord[]
  /** Words that may come next: subcommands, or the choices of an argument. */
  readonly words: readonly string[]
}

/** The words a completion offers, read off the commands themselves so that the two cannot drift apart. */
export const wordsOf = (program: Command): readonly CommandWord[] =>
  program.commands.map((command) => ({
    name: command.name(),
    about: command.summary(),
    options: [...command.options.flatMap(optionWord), { flag: '--help', about: 'show the help', value: 'none' }],
    words: [
      ...command.commands.map((subcommand) => subcommand.name()),
      ...command.registeredArguments.flatMap((argument) => argument.argChoices ?? []),
    ],
  }))

function optionWord(option: Command['options'][number]): readonly OptionWord[] {
  if (!option.long) return []
  const takesValue = option.required || option.optional
  return [{ flag: option.long, about: option.description, value: takesValue ? kindOf(option.long) : 'none' }]
}

function kindOf(flag: string): OptionWord['value'] {
  if (flag === '--profile') return 'profile'
  return flag === '--cwd' ? 'directory' : 'text'
}
