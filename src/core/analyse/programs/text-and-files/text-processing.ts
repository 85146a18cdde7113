import { known } from '../grammar/arguments.js'
import { reads } from '../grammar/effect-builders.js'
import type { Arg, Call, Effect, Family, Grammar } from '../grammar/roles.js'
import { awkEffects } from './awk-program.js'
import { sedEffects } from './sed-script.js'

/** Options give the program of sed or awk; otherwise it is the first operand. Other operands are files. */
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
    ...files.filter((file) => !ASSIGNMENT.test(file.prefix)).map((file) => reads(file)),
  ]
}

const GREP: Grammar = {
  flags: '-r --recursive -R --dereference-recursive --binary',
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
  writesOnlyNamedPaths: true,
}

/** Programs that search, edit and query streams of text. */
export const textProcessing: Family = [
  {
    names:
      'grep egrep fgrep rgrep ggrep zgrep zegrep zfgrep bzgrep bzegrep bzfgrep xzgrep xzegrep xzfgrep lzgrep lzegrep lzfgrep zstdgrep',
    ...GREP,
  },
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
    writesOnlyNamedPaths: true,
  },
  {
    names: 'ag ack ack-grep ugrep ug pt sift',
    values: {
      '-A -B -C -m -g -G --ignore --ignore-dir --after --before --context --max-count --depth --type --output --ignore-file --match':
        'text',
      '--pager': 'shell',
      '--filter -p --path-to-ignore': 'text',
      '--ackrc': 'code-file',
    },
    operands: ['text'],
    rest: 'read-tree',
    when: { '--pager': { foreign: 'the pager that it starts' } },
    unlisted: 'ignore',
  },
  {
    names: 'sed gsed ssed',
    flags:
      '-n --quiet --silent --debug --follow-symlinks --posix -E -r --regexp-extended -s --separate --sandbox -u --unbuffered -z --null-data -b --binary -a --help --version',
    values: { '-e --expression': 'text', '-f --file': 'code-file', '-l --line-length': 'text' },
    optional: { '-i --in-place -I': 'text' },
    effects: sed,
    writesOnlyNamedPaths: true,
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
    effects: awk,
    writesOnlyNamedPaths: true,
  },
]
