import { reads } from './arg-parts.js'
import { known } from './arguments.js'
import { awkEffects } from './awk-program.js'
import type { Arg, Call, Effect, Family, Grammar } from './knowledge.js'
import { sedEffects } from './sed-script.js'

/** The program of sed or awk is given by options, else it is the first operand; the other operands are files. */
function programAndFiles(
  call: Call,
  byOption: readonly (Arg | null)[],
  inFile: boolean,
): [Arg | undefined, readonly Arg[]] {
  const given = byOption.filter((arg) => arg !== null)
  const [first, ...rest] = call.operands
  if (given.length === 0 && !inFile) return [first, rest]
  const unclear = given.find((arg) => arg.text === null)
  const span = given[0]?.span ?? call.argv[0]?.span ?? [0, 0]
  return [unclear ?? known(given.map((arg) => arg.text).join('\n'), span), call.operands]
}

function sed(call: Call): readonly Effect[] {
  const scripts = call.options.filter((o) => o.name === '-e' || o.name === '--expression').map((o) => o.value)
  const [script, files] = programAndFiles(call, scripts, call.has('-f', '--file'))
  const inPlace = call.has('-i', '--in-place', '-I')
  return [
    ...(script ? sedEffects(script) : []),
    ...files.map((file) => reads(file)),
    ...(inPlace ? files.map((path): Effect => ({ does: 'write', path, recursive: false })) : []),
  ]
}

const ASSIGNMENT = /^[A-Za-z_]\w*=/

function awk(call: Call): readonly Effect[] {
  const sources = call.options.filter((o) => o.name === '-e' || o.name === '--source').map((o) => o.value)
  const [program, files] = programAndFiles(call, sources, call.has('-f', '--file', '-E', '--exec'))
  return [
    ...(program ? awkEffects(program) : []),
    ...files.filter((file) => !ASSIGNMENT.test(file.head)).map((file) => reads(file)),
  ]
}

const JQ_PAIRS = new Set(['--arg', '--argjson', '--slurpfile', '--rawfile', '--argfile'])

/** `jq --arg NAME VALUE` and its kin take two words, so operands are counted here. */
function jq({ argv, has }: Call): readonly Effect[] {
  const effects: Effect[] = []
  let filterSeen = has('-f', '--from-file')
  for (let i = 1; i < argv.length; i++) {
    const arg = argv[i] as Arg
    if (arg.text === '--args' || arg.text === '--jsonargs') break
    if (JQ_PAIRS.has(arg.head)) {
      const value = argv[i + 2]
      if (value && arg.head.endsWith('file')) effects.push(reads(value))
      i += 2
    } else if (/^(?:-[a-zA-Z]*[fL]|--from-file|--indent|--library-path)$/.test(arg.head)) i++
    else if (arg.head.startsWith('-')) continue
    else if (!filterSeen) filterSeen = true
    else effects.push(reads(arg))
  }
  return effects
}

const GREP: Grammar = {
  flags:
    '-E --extended-regexp -F --fixed-strings -G --basic-regexp -P --perl-regexp -i --ignore-case --no-ignore-case -w --word-regexp -x --line-regexp -z --null-data -s --no-messages -v --invert-match -V --version --help -b --byte-offset -n --line-number --line-buffered -H --with-filename -h --no-filename -o --only-matching -q --quiet --silent -a --text -I -r --recursive -R --dereference-recursive -L --files-without-match -l --files-with-matches -c --count -T --initial-tab -Z --null -U --binary -u --unix-byte-offsets -y',
  values: {
    '-e --regexp -m --max-count --label --binary-files -d --directories -D --devices --include --exclude --exclude-dir --group-separator -B --before-context -A --after-context -C --context':
      'text',
    '-f --file --exclude-from': 'read',
  },
  optional: { '--color --colour': 'text' },
  operands: ['text'],
  rest: 'read',
  when: {
    '-e --regexp -f --file': { operands: [], rest: 'read-tree' },
    '-r -R --recursive --dereference-recursive': { operands: ['text'], rest: 'read-tree' },
  },
  contained: true,
}

/** Programs that search, edit and query streams of text. */
export const textProcessing: Family = [
  { names: 'grep egrep fgrep rgrep ggrep zgrep zegrep zfgrep bzgrep xzgrep zstdgrep', ...GREP },
  {
    names: 'rg ripgrep rga',
    flags:
      '-s --case-sensitive -F --fixed-strings --no-fixed-strings -i --ignore-case -v --invert-match -x --line-regexp -U --multiline --no-multiline --multiline-dotall -P --pcre2 --no-pcre2 -S --smart-case --stop-on-nonmatch -a --text -w --word-regexp --binary -L --follow --no-follow -. --hidden --no-hidden --glob-case-insensitive --no-ignore --no-ignore-dot --no-ignore-exclude --no-ignore-files --no-ignore-global --no-ignore-messages --no-ignore-parent --no-ignore-vcs --no-require-git --one-file-system -z --search-zip --no-search-zip -u --unrestricted -b --byte-offset --column --no-column --heading --no-heading --include-zero -n --line-number -N --no-line-number --max-columns-preview -0 --null -o --only-matching -p --pretty -q --quiet --trim --no-trim --vimgrep -H --with-filename -I --no-filename -c --count --count-matches -l --files-with-matches --files-without-match --json --debug --trace --stats --no-stats --files --type-list --no-config --no-messages --no-mmap --mmap --line-buffered --block-buffered --crlf --null-data --no-unicode --no-pre --passthru --pcre2-version --auto-hybrid-regex --no-encoding --sort-files -h --help -V --version',
    values: {
      '-e --regexp --dfa-size-limit -E --encoding --engine -m --max-count --regex-size-limit -j --threads -g --glob --iglob -d --max-depth --max-filesize --pre-glob -t --type -T --type-not --type-add --type-clear -A --after-context -B --before-context -C --context --color --colors --context-separator --field-context-separator --field-match-separator --hyperlink-format -M --max-columns --path-separator -r --replace --sort --sortr --generate':
        'text',
      '-f --file --ignore-file': 'read',
      '--pre': 'program',
      '--hostname-bin': 'program',
    },
    operands: ['text'],
    rest: 'read-tree',
    when: { '-e --regexp -f --file --files': { operands: [], rest: 'read-tree' } },
    contained: true,
  },
  {
    names: 'ag ack ack-grep ugrep ug pt sift',
    flags:
      '-i -l -L -v -w -n -c -o -q -r -s -S -a -u -U -Q -F -E -P -H -h --hidden --help --version --color --nocolor --group --nogroup --ignore-case --literal --count --files-with-matches --files-without-matches --vimgrep --null -0 --column --numbers --nonumbers --heading --noheading --break --nobreak --passthru --all-types --depth',
    values: {
      '-A -B -C -m -g -G --ignore --ignore-dir --after --before --context --max-count --depth --type --output --ignore-file --match':
        'text',
      '--pager': 'shell',
      '--filter -p --path-to-ignore': 'text',
      '--ackrc': 'code-file',
    },
    operands: ['text'],
    rest: 'read-tree',
  },
  {
    names: 'sed gsed ssed',
    flags:
      '-n --quiet --silent --debug --follow-symlinks --posix -E -r --regexp-extended -s --separate --sandbox -u --unbuffered -z --null-data -b --binary -a --help --version',
    values: { '-e --expression': 'text', '-f --file': 'code-file', '-l --line-length': 'text' },
    optional: { '-i --in-place -I': 'text' },
    hook: sed,
    contained: true,
  },
  {
    names: 'awk gawk mawk nawk original-awk goawk',
    flags:
      '-b --characters-as-bytes -c --traditional -C --copyright -g --gen-pot -h --help -I --trace -k --csv -M --bignum -n --non-decimal-data -N --use-lc-numeric -O --optimize -P --posix -r --re-interval -s --no-optimize -S --sandbox -t --lint-old -V --version',
    values: {
      '-F --field-separator -v --assign -W': 'text',
      '-f --file -i --include -E --exec -l --load': 'code-file',
      '-e --source': 'text',
    },
    optional: {
      '-d --dump-variables -o --pretty-print -p --profile': 'write',
      '-D --debug': 'code-file',
      '-L --lint': 'text',
    },
    permute: false,
    hook: awk,
    contained: true,
  },
  {
    names: 'jq gojq jaq',
    values: { '-f --from-file': 'read', '-L --library-path': 'read', '--indent': 'text' },
    unknown: 'ignore',
    contained: true,
    hook: jq,
  },
  {
    names: 'yq',
    flags: '-P -n -r -y -Y -C -M -N -e -j -x -t -0',
    values: { '-p --input-format -o --output-format -I --indent --arg --argjson': 'text', '-f --from-file': 'read' },
    optional: { '-i --inplace': 'text' },
    rest: 'read',
    when: { '-i --inplace': { rest: 'update' } },
    unknown: 'ignore',
    contained: true,
  },
  { names: 'xq tomlq dasel fx gron miller htmlq pup jc jo jless jello jp', rest: 'text', unknown: 'ignore' },
  {
    names: 'mlr',
    flags: '--icsv --ojson --csv --json -n',
    values: { '--from': 'read', '--prepipe --prepipex': 'shell' },
    foreign: 'a program of Miller, which can run commands',
    unknown: 'ignore',
  },
  {
    names: 'csvkit csvcut csvgrep csvlook csvstat csvsort csvjoin csvclean csvformat csvjson in2csv xsv qsv csvtool',
    rest: 'text',
    unknown: 'ignore',
    contained: true,
  },
  {
    names: 'xmllint',
    flags: '--format --noout --valid --recover --nonet --html --xmlout --shell --debug --nowarning --c14n',
    values: {
      '--xpath --encode --pattern --pretty --maxmem': 'text',
      '-o --output': 'write',
      '--schema --dtdvalid --relaxng --path': 'read',
    },
    rest: 'read',
    unknown: 'ignore',
    contained: true,
  },
  { names: 'xmlstarlet xml', foreign: 'an XSLT program', unknown: 'ignore' },
  {
    names: 'iconv',
    flags: '-c -s --silent -l --list',
    values: { '-f --from-code -t --to-code': 'text', '-o --output': 'write' },
    rest: 'read',
    contained: true,
  },
  {
    names: 'dos2unix unix2dos mac2unix recode',
    values: { '-n --newfile': 'write' },
    rest: 'update',
    unknown: 'ignore',
    contained: true,
  },
  { names: 'envsubst gettext ngettext', contained: true, unknown: 'ignore' },
  { names: 'ts isutf8 combine ifdata errno', unknown: 'ignore', contained: true },
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
    names: 'pv',
    flags: '-p -t -e -r -a -b -n -q -W -l -0 -f -c -T',
    values: {
      '-s --size -i --interval -L --rate-limit -B --buffer-size -N --name -w --width -D -A -d --watchfd -R': 'text',
    },
    rest: 'read',
    contained: true,
    unknown: 'ignore',
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
    unknown: 'ignore',
  },
  {
    names: 'bc',
    flags: '-h --help -i --interactive -l --mathlib -w --warn -s --standard -q --quiet -v --version',
    rest: 'read',
    contained: true,
  },
  {
    names: 'dc',
    flags: '-h --help -V --version',
    values: { '-e --expression': 'code', '-f --file': 'code-file' },
    rest: 'code-file',
    foreign: 'a dc program, which can run commands',
    unknown: 'ignore',
  },
  { names: 'units qalc calc', unknown: 'ignore', contained: true },
  { names: 'aspell ispell hunspell', unknown: 'ignore', foreign: 'filters of its own' },
  {
    names: 'cscope ctags etags gtags global universal-ctags',
    flags: '-R -a -e -f -b -d -q -k',
    values: { '-f -o': 'write', '-L': 'read' },
    optional: { '--options': 'code-file', '--map-cmd': 'text' },
    rest: 'read-tree',
    unknown: 'ignore',
  },
  { names: 'cloc tokei scc sloccount', rest: 'read-tree', unknown: 'ignore', contained: true },
  {
    names: 'wdiff icdiff delta difft difftastic diff-so-fancy vbindiff',
    rest: 'read',
    unknown: 'ignore',
    contained: true,
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
