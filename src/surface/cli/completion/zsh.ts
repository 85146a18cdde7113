import type { CommandWord, OptionWord } from './words.js'

/** A compdef file: works from $fpath and when sourced. */
export function zshCompletion(commands: readonly CommandWord[]): string {
  const list = commands.map(({ name, about }) => `    '${quoted(name)}:${quoted(about)}'`)
  const cases = commands.map(({ name, options, words }) => {
    const specs = options.map((option) => `        '${spec(option)}' \\`)
    const rest = name === 'exec' ? "'*:::program:_normal'" : `'*:word:(${words.join(' ')})'`
    return `      ${name})\n        _arguments -S \\\n${specs.join('\n')}\n        ${rest} ;;`
  })
  return `#compdef cordon
_cordon() {
  local -a commands
  local context state line
  typeset -A opt_args
  commands=(
${list.join('\n')}
  )
  _arguments -C '--help[show the help]' '--version[print the version]' '1: :->command' '*:: :->rest'
  case $state in
    command) _describe -t commands 'cordon command' commands ;;
    rest)
      case $words[1] in
${cases.join('\n')}
      esac ;;
  esac
}

_cordon_profiles() {
  local -a names
  names=(\${(f)"$(cordon profiles --names 2>/dev/null)"})
  compadd -a names
}

if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
  _cordon "$@"
else
  compdef _cordon cordon
fi
`
}

const VALUE = {
  none: '',
  profile: ':profile:_cordon_profiles',
  directory: ':directory:_files -/',
  text: ':value:',
} as const

const spec = ({ flag, about, value }: OptionWord): string => `${flag}[${quoted(about)}]${VALUE[value]}`

/** Inside single quotes, brackets and colons mean something to _arguments. */
const quoted = (text: string): string => text.replaceAll("'", "'\\''").replaceAll(/[[\]:]/g, '\\$&')
