import { reads } from './arg-parts.js'
import { without } from './arguments.js'
import type { Family, Grammar } from './knowledge.js'

const READS: Grammar = { rest: 'read', contained: true }
const DIGEST: Grammar = {
  ...READS,
  flags:
    '-b --binary -c --check --ignore-missing --quiet --status --strict --tag -t --text -w --warn -z --zero --raw --base64 --debug --untagged',
  values: { '-a --algorithm -l --length': 'text' },
}
const ENCODES: Grammar = {
  ...READS,
  flags:
    '-d -D --decode -i --ignore-garbage --base64 --base64url --base32 --base32hex --base58 --base16 --base2msbf --base2lsbf --z85',
  values: { '-w --wrap': 'text' },
}

/** coreutils that read text and print text. */
export const coreutilsText: Family = [
  {
    names: 'cat gcat',
    ...READS,
    flags:
      '-A --show-all -b --number-nonblank -e -E --show-ends -n --number -s --squeeze-blank -t -T --show-tabs -u -v --show-nonprinting',
  },
  { names: 'tac', ...READS, flags: '-b --before -r --regex', values: { '-s --separator': 'text' } },
  {
    names: 'nl',
    ...READS,
    flags: '-p --no-renumber',
    values: {
      '-b --body-numbering -d --section-delimiter -f --footer-numbering -h --header-numbering -i --line-increment -l --join-blank-lines -n --number-format -s --number-separator -v --starting-line-number -w --number-width':
        'text',
    },
  },
  {
    names: 'od',
    ...READS,
    flags: '-a -b -c -d -f -i -l -o -s -x -v --output-duplicates --traditional',
    values: { '-A --address-radix --endian -j --skip-bytes -N --read-bytes -S -t --format': 'text' },
    optional: { '--strings -w --width': 'text' },
  },
  {
    names: 'hexdump hd',
    ...READS,
    flags: '-b -c -C -d -o -v -x -X --canonical',
    values: { '-e --format -n --length -s --skip': 'text', '-f --format-file': 'read' },
    optional: { '-L --color': 'text' },
  },
  {
    names: 'xxd',
    flags:
      '-a -autoskip -b -bits -C -capitalize -d -D -e -E -EBCDIC -h -i -include -p -ps -postscript -plain -r -revert -u -uppercase -v',
    values: { '-c -cols -g -groupsize -l -len -n -name -o -s -seek -R': 'text' },
    operands: ['read', 'write'],
    singleDash: true,
    contained: true,
  },
  { names: 'base64 base32 basenc gbase64', ...ENCODES },
  {
    names: 'fmt',
    ...READS,
    flags: '-c --crown-margin -s --split-only -t --tagged-paragraph -u --uniform-spacing',
    values: { '-p --prefix -w --width -g --goal': 'text' },
  },
  {
    names: 'pr',
    ...READS,
    flags:
      '-a --across -c --show-control-chars -d --double-space -f -F --form-feed -J --join-lines -m --merge -r --no-file-warnings -t --omit-header -T --omit-pagination -v --show-nonprinting',
    values: {
      '-D --date-format -h --header -l --length -N --first-line-number -o --indent -w --width -W --page-width --columns --pages':
        'text',
    },
    optional: { '-e --expand-tabs -i --output-tabs -n --number-lines -s --separator -S --sep-string': 'text' },
  },
  { names: 'fold', ...READS, flags: '-b --bytes -s --spaces -c --characters', values: { '-w --width': 'text' } },
  {
    names: 'head ghead',
    ...READS,
    flags: '-q --quiet --silent -v --verbose -z --zero-terminated',
    values: { '-c --bytes -n --lines': 'text' },
  },
  {
    names: 'tail gtail',
    ...READS,
    flags: '-f -F -q --quiet --silent -v --verbose -z --zero-terminated --retry --debug',
    values: { '-c --bytes -n --lines --pid -s --sleep-interval --max-unchanged-stats': 'text' },
    optional: { '--follow': 'text' },
  },
  {
    names: 'split gsplit',
    flags: '-d -e --elide-empty-files -u --unbuffered --verbose -x',
    values: {
      '-a --suffix-length --additional-suffix -b --bytes -C --line-bytes -l --lines -n --number -t --separator': 'text',
      '--filter': 'shell',
    },
    optional: { '--numeric-suffixes --hex-suffixes': 'text' },
    operands: ['read', 'write'],
  },
  {
    names: 'csplit',
    flags: '-k --keep-files --suppress-matched -s -q --quiet --silent -z --elide-empty-files',
    values: { '-b --suffix-format -n --digits': 'text', '-f --prefix': 'write' },
    operands: ['read'],
    rest: 'text',
  },
  {
    names: 'wc',
    ...READS,
    flags: '-c --bytes -m --chars -l --lines -L --max-line-length -w --words --debug',
    values: { '--files0-from': 'read', '--total': 'text' },
  },
  { names: 'sum', ...READS, flags: '-r -s --sysv' },
  {
    names:
      'cksum b2sum md5sum sha1sum sha224sum sha256sum sha384sum sha512sum shasum md5 sha256 b3sum xxhsum xxh64sum xxh128sum',
    ...DIGEST,
  },
  {
    names: 'sort gsort',
    flags:
      '-b --ignore-leading-blanks -d --dictionary-order -f --ignore-case -g --general-numeric-sort -i --ignore-nonprinting -M --month-sort -h --human-numeric-sort -n --numeric-sort -R --random-sort -r --reverse -V --version-sort -c -C --debug -m --merge -s --stable -u --unique -z --zero-terminated --help --version',
    values: {
      '--batch-size -k --key --parallel -S --buffer-size --sort -t --field-separator -T --temporary-directory': 'text',
      '--compress-program': 'program',
      '--files0-from --random-source': 'read',
      '-o --output': 'write',
    },
    optional: { '--check': 'text' },
    rest: 'read',
    contained: true,
  },
  {
    names: 'shuf gshuf',
    flags: '-e --echo -r --repeat -z --zero-terminated',
    values: { '-i --input-range -n --head-count': 'text', '-o --output': 'write', '--random-source': 'read' },
    rest: 'read',
    when: { '-e --echo': { rest: 'text' } },
    contained: true,
  },
  {
    names: 'uniq',
    flags: '-c --count -d --repeated -D -i --ignore-case -u --unique -z --zero-terminated',
    values: { '-f --skip-fields -s --skip-chars -w --check-chars': 'text' },
    optional: { '--all-repeated --group': 'text' },
    operands: ['read', 'write'],
    contained: true,
  },
  {
    names: 'comm',
    ...READS,
    flags: '-1 -2 -3 --check-order --nocheck-order --total -z --zero-terminated',
    values: { '--output-delimiter': 'text' },
  },
  {
    names: 'ptx',
    flags:
      '-A --auto-reference -G --traditional -O -T -r --references -R --right-side-refs -C --copyright -f --ignore-case',
    values: {
      '-b --break-file -i --ignore-file -o --only-file': 'read',
      '-F --flag-truncation -g --gap-size -M --macro-name -S --sentence-regexp -w --width -W --word-regexp --format':
        'text',
    },
    rest: 'read',
    when: { '-G --traditional': { operands: ['read', 'write'] } },
    contained: true,
  },
  { names: 'tsort', ...READS },
  {
    names: 'cut gcut',
    ...READS,
    flags: '-n --complement -s --only-delimited -z --zero-terminated',
    values: { '-b --bytes -c --characters -d --delimiter -f --fields --output-delimiter': 'text' },
  },
  { names: 'paste', ...READS, flags: '-s --serial -z --zero-terminated', values: { '-d --delimiters': 'text' } },
  {
    names: 'join',
    ...READS,
    flags: '-i --ignore-case --check-order --nocheck-order --header -z --zero-terminated',
    values: { '-a -e -j -o -t -v -1 -2': 'text' },
  },
  { names: 'tr', flags: '-c -C --complement -d --delete -s --squeeze-repeats -t --truncate-set1', contained: true },
  { names: 'expand unexpand', ...READS, flags: '-i --initial -a --all --first-only', values: { '-t --tabs': 'text' } },
  {
    names: 'numfmt',
    flags: '--debug --grouping -z --zero-terminated',
    values: {
      '-d --delimiter --field --format --from --from-unit --invalid --padding --round --suffix --to --to-unit': 'text',
    },
    optional: { '--header': 'text' },
    contained: true,
  },
  {
    names: 'echo printf seq yes expr factor basename dirname true false test [ nproc',
    unlisted: 'ignore',
    contained: true,
  },
  {
    names: 'tee gtee',
    flags: '-a --append -i --ignore-interrupts -p',
    optional: { '--output-error': 'text' },
    rest: 'write',
    contained: true,
  },
  { names: 'rev', ...READS, flags: '-0 --zero' },
  {
    names: 'column col colrm ul',
    ...READS,
    flags: '-t --table -x --fillrows -J --json -R',
    values: {
      '-s --separator -c --output-width -o --output-separator -N --table-columns -n --table-name -l --table-columns-limit':
        'text',
    },
  },
  {
    names: 'strings',
    ...READS,
    flags: '-a --all -d --data -f --print-file-name -o -w --include-all-whitespace',
    values: { '-n --bytes -t --radix -e --encoding -T --target -s --output-separator': 'text' },
    hook: ({ operands }) => operands.flatMap((arg) => (arg.head.startsWith('@') ? [reads(without(arg, 1))] : [])),
  },
  { names: 'look', operands: ['text', 'read'], contained: true },
]
