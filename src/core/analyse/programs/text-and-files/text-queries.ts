import { reads } from '../grammar/effect-builders.js'
import type { Arg, Call, Effect, Family } from '../grammar/roles.js'

const JQ_PAIRS = new Set(['--arg', '--argjson', '--slurpfile', '--rawfile', '--argfile'])

/** `jq --arg NAME VALUE` and similar options take two words, so this counts the operands. */
function jq(call: Call): readonly Effect[] {
  const { argv } = call
  const effects: Effect[] = []
  let filterSeen = call.has('-f', '--from-file')
  for (let i = 1; i < argv.length; i++) {
    const arg = argv[i] as Arg
    if (!arg.prefix.startsWith('-')) {
      if (filterSeen) effects.push(reads(arg))
      filterSeen = true
      continue
    }
    if (arg.text === '--args' || arg.text === '--jsonargs') break
    if (JQ_PAIRS.has(arg.prefix)) {
      const value = argv[i + 2]
      if (value && arg.prefix.endsWith('file')) effects.push(reads(value))
      i += 2
    } else if (/^(?:-[a-zA-Z]*[fL]|--from-file|--indent|--library-path)$/.test(arg.prefix)) i++
  }
  return effects
}

/** Programs that query, convert and print structured text. */
export const textQueries: Family = [
  {
    names:
      'xmllint iconv pv bc cloc tokei scc csvcut csvgrep csvlook wdiff icdiff delta difft difftastic diff-so-fancy',
    values: {
      '-f --from-code -t --to-code --xpath -s --size -L --rate-limit': 'text',
      '-o --output': 'write',
      '--pager': 'words',
    },
    rest: 'read',
    unlisted: 'ignore',
    writesOnlyNamedPaths: true,
  },
  {
    names: 'jq gojq jaq',
    values: { '-f --from-file': 'read', '-L --library-path': 'read', '--indent': 'text' },
    writesOnlyNamedPaths: true,
    effects: jq,
  },
  {
    names: 'yq',
    values: { '-p --input-format -o --output-format -I --indent --arg --argjson': 'text', '-f --from-file': 'read' },
    optional: { '-i --inplace': 'text' },
    rest: 'read',
    when: { '-i --inplace': { rest: 'update' } },
    writesOnlyNamedPaths: true,
  },
  {
    names: 'mlr',
    values: { '--from': 'read', '--prepipe --prepipex': 'shell' },
    foreign: 'a program of Miller, which can run commands',
    unlisted: 'ignore',
  },
  {
    names: 'dos2unix unix2dos mac2unix recode',
    values: { '-n --newfile': 'write' },
    rest: 'update',
    writesOnlyNamedPaths: true,
  },
  {
    names: 'fzf sk peco',
    flags:
      '-m --multi -e --exact -i -0 -1 --ansi --reverse --tac --cycle --no-sort --print0 --read0 +x -x +i --border --select-1 --exit-0',
    values: {
      '--preview --bind --become --execute': 'shell',
      '-q --query -f --filter --height --layout --prompt --header -d --delimiter -n --nth --with-nth --preview-window --walker --walker-root --walker-skip --color --tiebreak --history --expect --pointer --marker --margin --padding --info':
        'text',
    },
  },
  {
    names: 'm4',
    values: {
      '-D --define -U --undefine -B -H -L --word-regexp': 'text',
      '-I --include -R --reload-state': 'read',
      '-F --freeze-state -o --error-output --debugfile': 'write',
    },
    rest: 'code-file',
    foreign: 'an m4 program, which can run commands',
    unlisted: 'ignore',
  },
  {
    names: 'dc',
    values: { '-e --expression': 'code', '-f --file': 'code-file' },
    rest: 'code-file',
    foreign: 'a dc program, which can run commands',
    unlisted: 'ignore',
  },
  {
    names: 'bat batcat',
    flags:
      '-A -p -n -S -d -P -u -l --plain --number --diff --list-themes --list-languages --show-all --help --version --no-paging --force-colorization -f --force-colorization',
    values: {
      '-l --language -H --highlight-line --file-name --tabs --terminal-width -m --map-syntax --theme --style -r --line-range --color --paging --wrap --italic-text --decorations --diff-context --ignored-suffix --strip-ansi --squeeze-limit':
        'text',
      '--pager': 'shell',
    },
    operands: [],
    rest: 'read',
  },
]
