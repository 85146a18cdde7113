import type { Family } from '../grammar/roles.js'
import { compressorEffects, sevenZipEffects, tarEffects, zipEffects } from './archiver-effects.js'

/** Programs that pack and compress. */
export const archivers: Family = [
  {
    names: 'tar gtar bsdtar ptar',
    style: 'bare-first',
    flags:
      '-A --catenate --concatenate -c --create -d --diff --compare --delete -r --append -t --list --test-label -u --update -x --extract --get -v --verbose --check-device --no-check-device --no-seek -n --seek -S --sparse -G --incremental --ignore-failed-read --keep-directory-symlink -k --keep-old-files --keep-newer-files --no-overwrite-dir --overwrite --overwrite-dir --recursive-unlink --remove-files --skip-old-files -U --unlink-first -W --verify --ignore-command-error --no-ignore-command-error -O --to-stdout --delay-directory-restore --no-delay-directory-restore --no-same-owner --no-same-permissions -p --preserve-permissions --same-permissions -s --preserve-order --same-order --same-owner --numeric-owner --no-acls --acls --no-selinux --selinux --no-xattrs --xattrs --force-local -M --multi-volume -o --portability --old-archive --posix -a --auto-compress --no-auto-compress -j --bzip2 -J --xz --lzip --lzma --lzop -z --gzip --gunzip --ungzip -Z --compress --uncompress --zstd --lz4 --exclude-backups --exclude-caches --exclude-caches-all --exclude-caches-under --exclude-ignore-case --exclude-vcs --exclude-vcs-ignores -h --dereference --hard-dereference --no-null --no-recursion --no-unquote --no-verbatim-files-from --null -P --absolute-names --one-file-system --recursion --unquote --verbatim-files-from --anchored --ignore-case --no-anchored --no-ignore-case --no-wildcards --no-wildcards-match-slash --wildcards --wildcards-match-slash --clamp-mtime --full-time --index-file --block-number -R --show-defaults --show-omitted-dirs --show-transformed-names --show-stored-names --totals --utc -w --interactive --confirmation -? --help --usage --version -i --ignore-zeros -B --read-full-records -m --touch -l --check-links --no-mac-metadata -q --fast-read -0 -1 -2 -3 -4 -5 -6 -7 -8 -9',
    values: {
      '--add-file -b --blocking-factor -H --format -V --label --pax-option --exclude --exclude-ignore --exclude-ignore-recursive --exclude-tag --exclude-tag-all --exclude-tag-under --group --group-map --level --mode --mtime --newer-mtime -N --newer --after-date --owner --owner-map --quoting-style --quote-chars --no-quote-chars --record-size --sort -L --tape-length --strip-components --suffix --transform --xform --checkpoint-action --xattrs-exclude --xattrs-include --set-mtime-format --set-mtime-command-format --warning --options --volno-file --sparse-version --occurrence-count --starting-file-name':
        'text',
      '-f --file': 'text',
      '-C --directory --cd': 'cwd',
      '-K --starting-file': 'text',
      '-X --exclude-from': 'read',
      '-T --files-from': 'code-file',
      '-g --listed-incremental': 'update',
      '-F --info-script --new-volume-script --to-command -I --use-compress-program --set-mtime-command': 'shell',
      '--rmt-command': 'program',
      '--rsh-command': 'words',
    },
    optional: {
      '--backup --checkpoint --occurrence --hole-detection --totals --atime-preserve': 'text',
      '--one-top-level': 'text',
    },
    effects: tarEffects,
    writesOnlyNamedPaths: true,
  },
  {
    names: 'cpio bsdcpio',
    flags:
      '-o --create -i --extract -p --pass-through -t --list -0 --null -a --reset-access-time -A --append -b --swap -B -c -d --make-directories -f --nonmatching -k -l --link -L --dereference -m --preserve-modification-time -n --numeric-uid-gid --no-absolute-filenames --absolute-filenames --no-preserve-owner -r --rename -s --swap-bytes -S --swap-halfwords --sparse --to-stdout -u --unconditional -v --verbose -V --dot --force-local --only-verify-crc --quiet --help --version --renumber-inodes --ignore-devno --reproducible',
    values: {
      '-C --io-size --block-size -H --format -M --message -R --owner': 'text',
      '-E --pattern-file -I': 'read',
      '-F --file': 'update',
      '-O': 'write',
      '-D --directory': 'write-tree',
      '--rsh-command': 'words',
    },
    when: { '-p --pass-through': { rest: 'write-tree' } },
  },
  {
    names: 'ar gar',
    style: 'bare-first',
    values: { '--plugin': 'code-file', '--target': 'text', '--output': 'write' },
    operands: ['update'],
    rest: 'read',
    unlisted: 'ignore',
  },
  { names: 'zip', effects: zipEffects, writesOnlyNamedPaths: true },
  { names: 'unzip bsdunzip', values: { '-d': 'write-tree', '-P -O -I': 'text' }, operands: ['read'] },
  { names: '7z 7za 7zr 7zz p7zip', effects: sevenZipEffects, writesOnlyNamedPaths: true },
  {
    names:
      'gzip gunzip pigz unpigz bzip2 bunzip2 pbzip2 lbzip2 xz unxz lzma unlzma pxz lzip plzip lzop compress uncompress lz4 unlz4 zstd unzstd pzstd zstdmt brotli unbrotli lrzip lzmadec',
    flags:
      '-c --stdout --to-stdout -d -f --force -k --keep -l --list -n -r --recursive -t --test -v -z -s -e -m -0 -a -h --help -V --version -L -i',
    values: {
      '-S --suffix -p --processes -b --blocksize -T --threads -F --format -C --check -M --memlimit --memory -D --memlimit-compress --memlimit-decompress --lzma2 --block-size -B -w --lgwin --quality --adapt --block-list --flush-timeout':
        'text',
      '-o --output': 'write',
      '--output-dir-flat --output-dir-mirror': 'write-tree',
      '--files --files0 --filelist': 'read',
    },
    optional: { '--long --train --patch-from': 'text' },
    effects: compressorEffects,
    writesOnlyNamedPaths: true,
  },
  {
    names: 'zcat gzcat bzcat xzcat lzcat lz4cat zstdcat bz2cat zdiff zcmp xzdiff xzcmp bzdiff bzcmp lzdiff lzcmp',
    rest: 'read',
    writesOnlyNamedPaths: true,
  },
  { names: 'zless xzless bzless zmore xzmore bzmore zstdless', rest: 'read', foreign: 'commands typed into the pager' },
  { names: 'ouch atool apack aunpack als patool dtrx unp', foreign: 'the archiver that it selects' },
  {
    names: 'borg restic duplicity rdiff-backup bup kopia tarsnap rsnapshot duplicacy',
    values: {
      '--rsh --remote-path --password-command --ssh-options --remote-schema': 'shell',
      '--gpg-binary': 'program',
      '--rsync-options -o --option': 'code',
      '-r --repo': 'remote',
    },
    unlisted: 'ignore',
    foreign: 'keys, stores and commands from its settings',
  },
]
