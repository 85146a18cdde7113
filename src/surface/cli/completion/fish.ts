import type { CommandWord, OptionWord } from './words.js'

export function fishCompletion(commands: readonly CommandWord[]): string {
  const names = commands.map(
    ({ name, about }) => `complete -c cordon -n __fish_use_subcommand -a ${name} -d '${quoted(about)}'`,
  )
  const rest = commands.flatMap(({ name, options, words }) => [
    ...options.map((option) => `complete -c cordon -n '__fish_seen_subcommand_from ${name}' ${flag(option)}`),
    ...(words.length > 0
      ? [`complete -c cordon -n '__fish_seen_subcommand_from ${name}' -a '${words.join(' ')}'`]
      : []),
  ])
  return `# fish completion for cordon
complete -c cordon -f
complete -c cordon -n __fish_use_subcommand -l help -d 'show the help'
complete -c cordon -n __fish_use_subcommand -l version -d 'print the version'
${names.join('\n')}
${rest.join('\n')}
complete -c cordon -n '__fish_seen_subcommand_from exec' -a '(__fish_complete_subcommand)'
`
}

const VALUE = {
  none: '',
  profile: " -x -a '(cordon profiles --names 2>/dev/null)'",
  directory: " -x -a '(__fish_complete_directories)'",
  text: ' -x',
} as const

const flag = ({ flag: name, about, value }: OptionWord): string =>
  `-l ${name.slice(2)} -d '${quoted(about)}'${VALUE[value]}`

const quoted = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")
