import type { CommandWord } from './words.js'

/** Needs nothing but bash itself: no bash-completion package. */
export function bashCompletion(commands: readonly CommandWord[]): string {
  const cases = commands.map(
    ({ name, options, words }) =>
      `    ${name}) flags='${options.map(({ flag }) => flag).join(' ')}' words='${words.join(' ')}' ;;`,
  )
  const valued = commands.flatMap(({ options }) =>
    options.filter(({ value }) => value !== 'none').map(({ flag }) => flag),
  )
  return `# bash completion for cordon
_cordon() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} command= flags= words= i
  local valued=' ${[...new Set(valued)].join(' ')} '
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    if [[ \${COMP_WORDS[i]} == -- ]]; then
      _cordon_after_dashes "$i" "$command"
      return
    elif [[ $valued == *" \${COMP_WORDS[i]} "* ]]; then
      ((i++))
    elif [[ -z $command && \${COMP_WORDS[i]} != -* ]]; then
      command=\${COMP_WORDS[i]}
    fi
  done
  case $previous in
    --profile) mapfile -t COMPREPLY < <(compgen -W "$("\${COMP_WORDS[0]}" profiles --names 2>/dev/null)" -- "$current"); return ;;
    --cwd) mapfile -t COMPREPLY < <(compgen -d -- "$current"); return ;;
  esac
  [[ $valued == *" $previous "* ]] && return
  case $command in
    '') words='${commands.map(({ name }) => name).join(' ')}' flags='--help --version' ;;
${cases.join('\n')}
  esac
  if [[ $current == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$flags" -- "$current")
  else
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
  fi
}

# After \`--\` comes a program and its files. The script of \`run\` is one quoted word, without completion.
_cordon_after_dashes() {
  [[ $2 == exec ]] || return
  if ((COMP_CWORD == $1 + 1)); then
    mapfile -t COMPREPLY < <(compgen -c -- "\${COMP_WORDS[COMP_CWORD]}" | sort -u)
  else
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}")
  fi
}

complete -F _cordon cordon
`
}
