import { without } from '../grammar/arguments.js'
import { reads } from '../grammar/effect-builders.js'
import type { Family, Grammar } from '../grammar/roles.js'

const READS: Grammar = { rest: 'read', writesOnlyNamedPaths: true }
const DIGEST: Grammar = {
  ...READS,
  values: { '-a --algorithm -l --length': 'text' },
}
const ENCODES: Grammar = {
  ...READS,
  values: { '-w --wrap': 'text' },
}

/** coreutils that read and print text. */
export const coreutilsText: Family = [
  { names: 'cat gcat', ...READS },
  { names: 'tac', ...READS, values: { '-s --separator': 'text' } },
  {
    names: 'nl',
    ...READS,
    values: {
      '-b --body-numbering -d --section-delimiter -f --footer-numbering -h --header-numbering -i --line-increment -l --join-blank-lines -n --number-format -s --number-separator -v --starting-line-number -w --number-width':
        'text',
    },
  },
  {
    names: 'od',
    ...READS,
    values: { '-A --address-radix --endian -j --skip-bytes -N --read-bytes -S -t --format': 'text' },
    optional: { '--strings -w --width': 'text' },
  },
  {
    names: 'xxd',
    values: { '-c -cols -g -groupsize -l -len -n -name -o -s -seek -R': 'text' },
    operands: ['read', 'write'],
    style: 'single-dash',
    writesOnlyNamedPaths: true,
  },
  { names: 'base64 base32 basenc gbase64', ...ENCODES },
  { names: 'fmt', ...READS, values: { '-p --prefix -w --width -g --goal': 'text' } },
  {
    names: 'pr',
    ...READS,
    values: {
      '-D --date-format -h --header -l --length -N --first-line-number -o --indent -w --width -W --page-width --columns --pages':
        'text',
    },
    optional: { '-e --expand-tabs -i --output-tabs -n --number-lines -s --separator -S --sep-string': 'text' },
  },
  { names: 'fold', ...READS, values: { '-w --width': 'text' } },
  { names: 'head ghead', ...READS, values: { '-c --bytes -n --lines': 'text' } },
  {
    names: 'tail gtail',
    ...READS,
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
    values: { '-b --suffix-format -n --digits': 'text', '-f --prefix': 'write' },
    operands: ['read'],
    rest: 'text',
  },
  { names: 'wc', ...READS, values: { '--files0-from': 'read', '--total': 'text' } },
  { names: 'sum', ...READS },
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
      '--batch-size -k --key --parallel -S --buffer-size --sort -t --field-separator': 'text',
      '-T --temporary-directory': 'write',
      '--compress-program': 'program',
      '--files0-from --random-source': 'read',
      '-o --output': 'write',
    },
    optional: { '--check': 'text' },
    rest: 'read',
    writesOnlyNamedPaths: true,
  },
  {
    names: 'shuf gshuf',
    flags: '-e --echo',
    values: { '-i --input-range -n --head-count': 'text', '-o --output': 'write', '--random-source': 'read' },
    rest: 'read',
    when: { '-e --echo': { rest: 'text' } },
    writesOnlyNamedPaths: true,
  },
  {
    names: 'uniq',
    values: { '-f --skip-fields -s --skip-chars -w --check-chars': 'text' },
    optional: { '--all-repeated --group': 'text' },
    operands: ['read', 'write'],
    writesOnlyNamedPaths: true,
  },
  { names: 'comm', ...READS, values: { '--output-delimiter': 'text' } },
  {
    names: 'cut gcut',
    ...READS,
    values: { '-b --bytes -c --characters -d --delimiter -f --fields --output-delimiter': 'text' },
  },
  { names: 'paste', ...READS, values: { '-d --delimiters': 'text' } },
  { names: 'join', ...READS, values: { '-a -e -j -o -t -v -1 -2': 'text' } },
  { names: 'tr', writesOnlyNamedPaths: true },
  { names: 'expand unexpand', ...READS, values: { '-t --tabs': 'text' } },
  { names: 'echo printf seq yes expr factor basename dirname true false test [ nproc', writesOnlyNamedPaths: true },
  { names: 'tee gtee', optional: { '--output-error': 'text' }, rest: 'write', writesOnlyNamedPaths: true },
  { names: 'rev', ...READS },
  {
    names: 'column col colrm ul',
    ...READS,
    flags: '--table',
    values: {
      '-s --separator -c --output-width -o --output-separator -N --table-columns -n --table-name -l --table-columns-limit':
        'text',
    },
  },
  {
    names: 'strings',
    ...READS,
    values: { '-n --bytes -t --radix -e --encoding -T --target -s --output-separator': 'text' },
    effects: ({ operands }) => operands.flatMap((arg) => (arg.prefix.startsWith('@') ? [reads(without(arg, 1))] : [])),
  },
]
