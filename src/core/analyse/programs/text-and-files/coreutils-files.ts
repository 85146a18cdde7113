import { after, reads, writes } from '../grammar/effect-builders.js'
import type { Arg, Call, Effect, Family, Grammar } from '../grammar/roles.js'

const BACKUP = { '--backup': 'text' } as const
const CONTEXT = { '--context': 'text', '-Z': 'text' } as const

const COPY: Grammar = {
  flags: '-a --archive -R -r --recursive',
  values: { '-S --suffix --sparse --no-preserve': 'text', '-t --target-directory': 'write' },
  optional: { ...BACKUP, ...CONTEXT, '--preserve --reflink --update': 'text' },
}

/** `dd` takes its files as `key=value`. */
function ddFiles({ operands }: Call): readonly Effect[] {
  return operands.flatMap((operand): Effect[] => {
    const input = after(operand, 'if=')
    const output = after(operand, 'of=')
    return input ? [reads(input)] : output ? [writes(output)] : []
  })
}

/** `chmod -x file`: a mode can look like an option. */
function chmodFiles(call: Call): readonly Effect[] {
  const { argv, operands } = call
  const modeGiven = call.has('--reference') || argv.some(({ prefix }) => prefix.startsWith('-') && MODE.test(prefix))
  const recursive = call.has('-R', '--recursive')
  const effects: Effect[] = []
  for (let i = modeGiven ? 0 : 1; i < operands.length; i++)
    effects.push(reads(operands[i] as Arg, recursive), writes(operands[i] as Arg, recursive))
  return effects
}

const MODE = /^-[rwxXst]+$/

/** A hard link gives access to its target. */
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
    writesOnlyNamedPaths: true,
  },
  {
    names: 'mv gmv',
    values: { '-S --suffix': 'text', '-t --target-directory': 'write-tree' },
    optional: { ...BACKUP, ...CONTEXT, '--update': 'text' },
    rest: 'delete-tree',
    last: 'write-tree',
    when: { '-t --target-directory': { rest: 'delete-tree', last: 'delete-tree' } },
    writesOnlyNamedPaths: true,
  },
  {
    names: 'rm grm',
    flags: '-r -R --recursive',
    optional: { '--preserve-root --interactive': 'text' },
    rest: 'delete',
    when: { '-r -R --recursive': { rest: 'delete-tree' } },
    writesOnlyNamedPaths: true,
  },
  { names: 'unlink', rest: 'delete', writesOnlyNamedPaths: true },
  { names: 'rmdir', rest: 'delete', writesOnlyNamedPaths: true },
  {
    names: 'trash trash-put rmtrash rimraf rimraf-cli del del-cli srm wipe nuke rip',
    rest: 'delete-tree',
    writesOnlyNamedPaths: true,
  },
  {
    names: 'gio',
    subcommands: {
      'trash,remove,rm': { rest: 'delete-tree' },
      'move,mv': { rest: 'delete-tree', last: 'write-tree' },
      'copy,cp': { rest: 'read-tree', last: 'write-tree' },
      save: { operands: ['write'] },
      '*': { rest: 'read' },
    },
  },
  {
    names: 'shred',
    flags: '-u',
    values: { '-n --iterations -s --size': 'text', '--random-source': 'read' },
    optional: { '--remove': 'text' },
    rest: 'write',
    when: { '-u --remove': { rest: 'delete' } },
    writesOnlyNamedPaths: true,
  },
  {
    names: 'ln gln',
    flags: '-b -d -F --directory -f --force -i --interactive -L -n -P -r -s -v -h',
    values: { '-S --suffix': 'text', '-t --target-directory': 'write' },
    optional: BACKUP,
    last: 'write',
    when: { '-t --target-directory': { last: 'text' } },
    effects: linkTargets,
    writesOnlyNamedPaths: true,
  },
  { names: 'link', operands: ['read', 'write'], writesOnlyNamedPaths: true },
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
    writesOnlyNamedPaths: true,
  },
  {
    names: 'mkdir gmkdir',
    values: { '-m --mode': 'text' },
    optional: CONTEXT,
    rest: 'write',
    writesOnlyNamedPaths: true,
  },
  { names: 'mkfifo', values: { '-m --mode': 'text' }, optional: CONTEXT, rest: 'write', writesOnlyNamedPaths: true },
  {
    names: 'mknod',
    values: { '-m --mode': 'text' },
    optional: CONTEXT,
    operands: ['write'],
    writesOnlyNamedPaths: true,
  },
  {
    names: 'mktemp gmktemp tempfile',
    flags: '-d --directory -u --dry-run -t -V --version',
    values: { '-p': 'write', '--suffix': 'text' },
    optional: { '--tmpdir': 'write' },
    writesOnlyNamedPaths: true,
    effects: (call) =>
      call.has('-t') ? [] : call.operands.filter((arg) => arg.prefix.startsWith('/')).map((path) => writes(path)),
  },
  {
    names: 'touch gtouch',
    values: { '-d --date -t --time': 'text', '-r --reference': 'read' },
    rest: 'write',
    writesOnlyNamedPaths: true,
  },
  {
    names: 'truncate',
    values: { '-s --size': 'text', '-r --reference': 'read' },
    rest: 'write',
    writesOnlyNamedPaths: true,
  },
  { names: 'fallocate', values: { '-l --length -o --offset': 'text' }, rest: 'write', writesOnlyNamedPaths: true },
  { names: 'dd gdd dcfldd dc3dd', effects: ddFiles, writesOnlyNamedPaths: true },
  {
    names: 'chmod',
    flags: '-c -f -v -R --recursive -h -L -P',
    values: { '--reference': 'read' },
    effects: chmodFiles,
    writesOnlyNamedPaths: true,
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
    writesOnlyNamedPaths: true,
  },
  {
    names: 'setfattr',
    values: { '-n --name -v --value -x --remove': 'text', '--restore': 'read' },
    rest: 'update',
    writesOnlyNamedPaths: true,
  },
  {
    names: 'chattr chcon',
    values: { '-n -v -x -u -r -t -l --user --role --type --range': 'text', '--reference --restore': 'read' },
    operands: ['text'],
    rest: 'update-tree',
    writesOnlyNamedPaths: true,
  },
  {
    names: 'setfacl',
    values: {
      '-m --modify -x --remove --set': 'text',
      '-M --modify-file -X --remove-file --set-file --restore': 'read',
    },
    rest: 'update-tree',
    writesOnlyNamedPaths: true,
  },
  {
    names: 'rename prename file-rename',
    flags:
      '-v --verbose -n --no-act --nono -f --force -d -i --interactive -o --no-overwrite -s --symlink -a --all -l --last',
    values: { '-e': 'code' },
    operands: ['code'],
    rest: 'update',
    writesOnlyNamedPaths: true,
  },
  { names: 'sync', rest: 'read', writesOnlyNamedPaths: true },
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
    effects: (call) => {
      const directory = call.value('-d', '--directory')
      return directory && !call.has('--dry-run') ? [writes(directory, true)] : []
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
    writesOnlyNamedPaths: true,
  },
  {
    names: 'diff3 sdiff',
    values: { '-o --output': 'write', '--diff-program': 'program', '-w --width --label -L': 'text' },
    rest: 'read',
    unlisted: 'ignore',
    writesOnlyNamedPaths: true,
  },
  {
    names: 'cmp',
    values: { '-i --ignore-initial -n --bytes': 'text' },
    operands: ['read', 'read'],
    writesOnlyNamedPaths: true,
  },
]
