import { after, reads, writes } from './arg-parts.js'
import type { Arg, Call, Effect, Family, Grammar } from './knowledge.js'

const BACKUP = { '--backup': 'text' } as const
const CONTEXT = { '--context': 'text', '-Z': 'text' } as const

const COPY: Grammar = {
  flags: '-a --archive -R -r --recursive',
  values: { '-S --suffix --sparse --no-preserve': 'text', '-t --target-directory': 'write' },
  optional: { ...BACKUP, ...CONTEXT, '--preserve --reflink --update': 'text' },
}

/** `dd` names everything as `key=value`. */
function ddFiles({ operands }: Call): readonly Effect[] {
  return operands.flatMap((operand): Effect[] => {
    const input = after(operand, 'if=')
    const output = after(operand, 'of=')
    return input ? [reads(input)] : output ? [writes(output)] : []
  })
}

/** `chmod -x file`: a mode may look like an option. */
function chmodFiles(call: Call): readonly Effect[] {
  const { argv, operands } = call
  const modeGiven = call.has('--reference') || argv.some(({ head }) => head.startsWith('-') && MODE.test(head))
  const recursive = call.has('-R', '--recursive')
  const effects: Effect[] = []
  for (let i = modeGiven ? 0 : 1; i < operands.length; i++)
    effects.push(reads(operands[i] as Arg, recursive), writes(operands[i] as Arg, recursive))
  return effects
}

const MODE = /^-[rwxXst]+$/

/** A link is also a way to what it points to. */
function linkTargets(call: Call): readonly Effect[] {
  const targets = call.has('-t', '--target-directory') ? call.operands : call.operands.slice(0, -1)
  return (targets.length === 0 ? call.operands : targets).map((target) => reads(target))
}

/** coreutils that make, change, move and remove files. */
export const coreutilsFiles: Family = [
  {
    names: 'cp gcp',
    ...COPY,
    rest: 'read',
    last: 'write',
    when: {
      '-t --target-directory': { rest: 'read-tree', last: 'read-tree' },
      '-r -R --recursive -a --archive': { rest: 'read-tree', last: 'write-tree' },
    },
    contained: true,
  },
  {
    names: 'mv gmv',
    values: { '-S --suffix': 'text', '-t --target-directory': 'write-tree' },
    optional: { ...BACKUP, ...CONTEXT, '--update': 'text' },
    rest: 'delete-tree',
    last: 'write-tree',
    when: { '-t --target-directory': { rest: 'delete-tree', last: 'delete-tree' } },
    contained: true,
  },
  {
    names: 'rm grm',
    flags: '-r -R --recursive',
    optional: { '--preserve-root --interactive': 'text' },
    rest: 'delete',
    when: { '-r -R --recursive': { rest: 'delete-tree' } },
    contained: true,
  },
  { names: 'unlink', rest: 'delete', contained: true },
  { names: 'rmdir', rest: 'delete', contained: true },
  {
    names: 'trash trash-put rmtrash rimraf rimraf-cli del del-cli srm wipe nuke rip',
    rest: 'delete-tree',
    unlisted: 'ignore',
    contained: true,
  },
  {
    names: 'gio',
    unlisted: 'ignore',
    subcommands: {
      'trash,remove,rm': { rest: 'delete-tree', unlisted: 'ignore' },
      'move,mv': { rest: 'delete-tree', last: 'write-tree', unlisted: 'ignore' },
      'copy,cp': { rest: 'read-tree', last: 'write-tree', unlisted: 'ignore' },
      save: { operands: ['write'], unlisted: 'ignore' },
      '*': { rest: 'read', unlisted: 'ignore' },
    },
  },
  {
    names: 'shred',
    flags: '-u',
    values: { '-n --iterations -s --size': 'text', '--random-source': 'read' },
    optional: { '--remove': 'text' },
    rest: 'write',
    when: { '-u --remove': { rest: 'delete' } },
    contained: true,
  },
  {
    names: 'ln gln',
    flags: '-b -d -F --directory -f --force -i --interactive -L -n -P -r -s -v -h',
    values: { '-S --suffix': 'text', '-t --target-directory': 'write' },
    optional: BACKUP,
    rest: 'text',
    last: 'write',
    when: { '-t --target-directory': { rest: 'text', last: 'text' } },
    hook: linkTargets,
    contained: true,
  },
  { names: 'link', operands: ['read', 'write'], contained: true },
  {
    names: 'install ginstall',
    flags:
      '-b -c -C --compare -D -d --directory -p --preserve-timestamps -T --no-target-directory -v --verbose --preserve-context -s --strip --debug --help --version',
    values: {
      '-g --group -m --mode -o --owner -S --suffix': 'text',
      '--strip-program': 'program',
      '-t --target-directory': 'write',
    },
    optional: { ...BACKUP, ...CONTEXT },
    rest: 'read',
    last: 'write',
    when: { '-t --target-directory': { rest: 'read', last: 'read' }, '-d --directory': { rest: 'write' } },
    contained: true,
  },
  {
    names: 'mkdir gmkdir',
    values: { '-m --mode': 'text' },
    optional: CONTEXT,
    rest: 'write',
    contained: true,
  },
  { names: 'mkfifo', values: { '-m --mode': 'text' }, optional: CONTEXT, rest: 'write', contained: true },
  { names: 'mknod', values: { '-m --mode': 'text' }, optional: CONTEXT, operands: ['write'], contained: true },
  {
    names: 'mktemp gmktemp tempfile',
    flags: '-d --directory -u --dry-run -t -V --version',
    values: { '-p': 'write', '--suffix': 'text' },
    optional: { '--tmpdir': 'write' },
    contained: true,
    hook: (call) =>
      call.has('-t') ? [] : call.operands.filter((arg) => arg.head.startsWith('/')).map((path) => writes(path)),
  },
  {
    names: 'touch gtouch',
    values: { '-d --date -t --time': 'text', '-r --reference': 'read' },
    rest: 'write',
    contained: true,
  },
  {
    names: 'truncate',
    values: { '-s --size': 'text', '-r --reference': 'read' },
    rest: 'write',
    contained: true,
  },
  { names: 'fallocate', values: { '-l --length -o --offset': 'text' }, rest: 'write', contained: true },
  { names: 'dd gdd dcfldd dc3dd', hook: ddFiles, contained: true },
  {
    names: 'chmod',
    flags: '-c -f -v -R --recursive -h -L -P',
    values: { '--reference': 'read' },
    hook: chmodFiles,
    unlisted: 'ignore',
    contained: true,
  },
  {
    names: 'chown chgrp',
    flags: '-R --recursive',
    values: { '--reference': 'read', '--from': 'text' },
    operands: ['text'],
    rest: 'update',
    when: {
      '--reference': { operands: [], rest: 'update-tree' },
      '-R --recursive': { operands: ['text'], rest: 'update-tree' },
    },
    contained: true,
  },
  {
    names: 'setfattr',
    values: { '-n --name -v --value -x --remove': 'text', '--restore': 'read' },
    rest: 'update',
    contained: true,
  },
  {
    names: 'chattr chcon',
    values: { '-n -v -x -u -r -t -l --user --role --type --range': 'text', '--reference --restore': 'read' },
    operands: ['text'],
    rest: 'update-tree',
    unlisted: 'ignore',
    contained: true,
  },
  {
    names: 'setfacl',
    values: {
      '-m --modify -x --remove --set': 'text',
      '-M --modify-file -X --remove-file --set-file --restore': 'read',
    },
    rest: 'update-tree',
    contained: true,
  },
  {
    names: 'rename prename file-rename',
    flags:
      '-v --verbose -n --no-act --nono -f --force -d -i --interactive -o --no-overwrite -s --symlink -a --all -l --last',
    values: { '-e': 'code' },
    operands: ['code'],
    rest: 'update',
    contained: true,
  },
  { names: 'sync', rest: 'read', contained: true },
  {
    names: 'patch gpatch',
    flags: '-b --backup -c --context -e -E -f --force -l -n -R -s -t -u -Z --dry-run',
    values: {
      '-D --ifdef -F --fuzz -p --strip -V --version-control -x --debug -z --suffix --read-only --reject-format --quoting-style -g --get -B --prefix -Y --basename-prefix':
        'text',
      '-d --directory': 'cwd',
      '-i --input': 'read',
      '-o --output -r --reject-file': 'write',
    },
    operands: ['update', 'read'],
    hook: (call) => {
      const place = call.value('-d', '--directory')
      return place && !call.has('--dry-run') ? [writes(place, true)] : []
    },
  },
  {
    names: 'diff gdiff colordiff',
    values: {
      '-C -U --label -F --show-function-line -x --exclude -I --ignore-matching-lines -D --ifdef --tabsize -S --starting-file --palette -W --width --horizon-lines --GTYPE-group-format --line-format --old-line-format --new-line-format --unchanged-line-format':
        'text',
      '-X --exclude-from': 'read',
      '--from-file --to-file': 'read-tree',
    },
    optional: { '--context --unified --color': 'text' },
    rest: 'read-tree',
    contained: true,
  },
  {
    names: 'diff3 sdiff',
    values: { '-o --output': 'write', '--diff-program': 'program', '-w --width --label -L': 'text' },
    rest: 'read',
    unlisted: 'ignore',
    contained: true,
  },
  {
    names: 'cmp',
    values: { '-i --ignore-initial -n --bytes': 'text' },
    operands: ['read', 'read'],
    contained: true,
  },
]
