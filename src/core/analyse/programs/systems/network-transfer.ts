import type { Arg, Effect, Family } from '../grammar/roles.js'
import { curlEffects, httpTarget, netcatEffects, rsyncEffects, sshOptions, wgetEffects } from './network-effects.js'

/** Returns the deletion of a local path by rclone. */
const removed = (path: Arg | undefined): readonly Effect[] =>
  path && !/^[^/]*:/.test(path.prefix) ? [{ does: 'delete', path, recursive: true }] : []

/** Programs that transfer data over the network. */
export const networkTransfer: Family = [
  {
    names: 'curl',
    flags:
      '-a --append --crlf -f --get -I --head -h --help -0 -i --include -k -l -L -M -n --netrc -Z --parallel -p -J -O --remote-name --remote-name-all -R -S -s --socks5-gssapi -B -v -V --version',
    values: {
      '--abstract-unix-socket --alt-svc --aws-sigv4 --ciphers --connect-timeout --connect-to -C --continue-at --create-file-mode --crlfile --curves -d --data --data-ascii --data-binary --data-raw --data-urlencode --delegation --dns-interface --dns-ipv4-addr --dns-ipv6-addr --dns-servers --expect100-timeout -F --form --form-string --ftp-account --ftp-alternative-to-user --ftp-method -P --ftp-port --happy-eyeballs-timeout-ms --haproxy-clientip -H --header --hostpubmd5 --hostpubsha256 --interface --ip-tos --json --keepalive-time --krb --limit-rate --local-port --login-options --mail-auth --mail-from --mail-rcpt --max-filesize --max-redirs -m --max-time --noproxy --oauth2-bearer --parallel-max --pass --pinnedpubkey --proto --proto-default --proto-redir --proxy-ciphers --proxy-header --proxy-pass --proxy-tls13-ciphers --proxy-tlsuser --proxy-tlspassword --proxy-tlsauthtype -U --proxy-user --proxy-service-name --service-name -Q --quote -r --range --rate -e --referer -X --request --request-target --resolve --retry --retry-delay --retry-max-time --sasl-authzid --socks5-gssapi-service -Y --speed-limit -y --speed-time -t --telnet-option --tftp-blksize -z --time-cond --tls-max --tls13-ciphers --tlsauthtype --tlspassword --tlsuser --trace-config -u --user -A --user-agent --url --url-query --variable --vlan-priority -w --write-out --cert-type --key-type --proxy-cert-type --proxy-key-type':
        'text',
      '-b --cookie': 'text',
      '--cacert --capath -E --cert --key --netrc-file --proxy-cacert --proxy-capath --proxy-cert --proxy-key --pubkey --random-file --egd-file -T --upload-file --unix-socket --etag-compare --proxy-crlfile --hsts':
        'read',
      '-K --config': 'read',
      '-o --output -c --cookie-jar -D --dump-header --etag-save --libcurl --stderr --trace --trace-ascii': 'write',
      '--output-dir': 'write-tree',
      '-x --proxy --preproxy --proxy1.0 --socks4 --socks4a --socks5 --socks5-hostname --doh-url --ipfs-gateway': 'url',
      '--engine': 'code',
    },
    unlisted: 'ignore',
    effects: curlEffects,
    writesOnlyNamedPaths: true,
  },
  {
    names: 'wget wget2',
    flags: '-V --version -h --help -b -d -v -F -c -S --spider -x -E -r --recursive -k -K -m --mirror -p -L -n',
    values: {
      '-e --execute -t --tries --start-pos --progress --dns-timeout -T --timeout --connect-timeout --read-timeout -w --wait --waitretry -Q --quota --bind-address --limit-rate --restrict-file-names --prefer-family --user --password --local-encoding --remote-encoding --cut-dirs --default-page --http-user --http-password --header --compression --max-redirect --proxy-user --proxy-password --referer -U --user-agent --post-data --method --body-data --secure-protocol --certificate-type --private-key-type --ciphers --ftp-user --ftp-password -l --level -A --accept -R --reject --accept-regex --reject-regex --regex-type -D --domains --exclude-domains --follow-tags --ignore-tags -I --include-directories -X --exclude-directories --report-speed --retry-on-http-error --backups --warc-header --warc-max-size --pinnedpubkey -B --base --proxy':
        'text',
      '-i --input-file --post-file --body-file --load-cookies --certificate --private-key --ca-certificate --ca-directory --crl-file --config --input-metalink --warc-dedup':
        'read',
      '-O --output-document -o --output-file -a --append-output --save-cookies --hsts-file --rejected-log --warc-file --warc-tempdir':
        'write',
      '-P --directory-prefix': 'write-tree',
      '--use-askpass': 'program',
    },
    effects: wgetEffects,
    unlisted: 'ignore',
  },
  {
    names: 'aria2c',
    values: {
      '-o --out -d --dir -l --log': 'write',
      '-i --input-file --load-cookies --certificate --private-key': 'read',
      '--conf-path': 'code-file',
      '--save-cookies --save-session': 'write',
      '--on-download-start --on-download-pause --on-download-stop --on-download-complete --on-download-error --on-bt-download-complete':
        'program',
      '-x -s -j -k --max-connection-per-server --split --header --max-download-limit --max-concurrent-downloads --seed-time --http-user --http-passwd':
        'text',
    },
    rest: 'url',
    unlisted: 'ignore',
  },
  {
    names: 'axel yt-dlp youtube-dl gallery-dl you-get lux',
    values: {
      '-o --output -P --paths': 'write',
      '--exec --exec-before-download': 'shell',
      '--downloader --external-downloader': 'program',
      '--config-location --config-locations -a --batch-file': 'read',
      '-f --format -x -S --format-sort --audio-format --proxy -u --username -p --password --cookies-from-browser --sub-langs --postprocessor-args --playlist-items --merge-output-format --remux-video --recode-video --audio-quality --convert-thumbnails -N':
        'text',
    },
    rest: 'url',
    unlisted: 'ignore',
  },
  {
    names: 'http https httpie xh xhs curlie',
    effects: httpTarget,
    values: {
      '-o --output': 'write',
      '-a --auth -A --auth-type --timeout --proxy --verify --session --pretty -s --style -p --print': 'text',
    },
  },
  {
    names: 'nc netcat ncat nc.openbsd nc.traditional',
    flags:
      '-4 -6 -b -C -D -d -F -h -k -l -N -n -r -S -t -U -u -v -Z -z --listen --keep-open --udp --sctp --ssl --verbose --send-only --recv-only --allow-anon --broker --chat --telnet --crlf --no-shutdown --version --help --append-output --nodns',
    values: {
      '-e --exec': 'words',
      '-c --sh-exec': 'shell',
      '--lua-exec': 'code-file',
      '-I -i -M -m -O -P -p -q -s -T -V -W -w -X -g -G --source --source-port --idle-timeout --wait --delay --max-conns --proxy-type --proxy-auth --allow --deny':
        'text',
      '-x --proxy': 'host',
      '--allowfile --denyfile --ssl-cert --ssl-key --ssl-trustfile': 'read',
      '-o --output --hex-dump': 'write',
    },
    effects: netcatEffects,
    writesOnlyNamedPaths: true,
  },
  {
    names: 'scp pscp',
    flags: '-3 -4 -6 -A -B -C -O -p -q -R -r -s -T -v',
    values: { '-c -l -P -X': 'text', '-D': 'words', '-F -i': 'read', '-J': 'host', '-o': 'text', '-S': 'program' },
    rest: 'remote',
    last: 'remote-write',
    effects: sshOptions,
    writesOnlyNamedPaths: true,
  },
  {
    names: 'sftp psftp',
    flags: '-4 -6 -A -a -C -f -N -p -q -r -v',
    values: {
      '-B -c -l -P -R -s -X': 'text',
      '-b': 'code-file',
      '-D': 'words',
      '-F -i': 'read',
      '-J': 'host',
      '-o': 'text',
      '-S': 'program',
    },
    operands: ['host'],
    foreign: 'commands on its standard input',
    effects: sshOptions,
  },
  {
    names: 'rsync',
    flags:
      '-v --verbose -q --quiet --no-motd -c --checksum -a --archive --no-implied-dirs -r --recursive -R --relative --no-relative -b --backup -u --update --inplace --append --append-verify -d --dirs --old-dirs --mkpath -l --links -L --copy-links --copy-unsafe-links --safe-links --munge-links -k --copy-dirlinks -K --keep-dirlinks -H --hard-links -p --perms -E --executability -A --acls -X --xattrs -o --owner -g --group --devices --specials -D -t --times -U --atimes --open-noatime -N --crtimes -O --omit-dir-times -J --omit-link-times --super --fake-super -S --sparse --preallocate --write-devices -n --dry-run -W --whole-file -x --one-file-system --existing --ignore-non-existing --ignore-existing --remove-source-files --del --delete --delete-before --delete-during --delete-delay --delete-after --delete-excluded --ignore-missing-args --delete-missing-args --ignore-errors --force --partial --delay-updates -m --prune-empty-dirs --numeric-ids -I --ignore-times --size-only -y --fuzzy -z --compress --old-compress --new-compress -C --cvs-exclude -0 --from0 --blocking-io --stats -8 --8-bit-output -h --human-readable --progress -P -i --itemize-changes --list-only -s --protect-args --secluded-args --old-args --trust-sender -4 --ipv4 -6 --ipv6 -V --version --help --no-perms --no-owner --no-group --no-times --no-recursive --no-links --no-whole-file --no-compress --no-o --no-g --no-p --no-inc-recursive --fsync --no-implied-dirs --no-devices --no-specials --msgs2stderr',
    values: {
      '--info --debug --stderr --suffix --chmod --checksum-choice --cc --block-size -B --max-delete --max-size --min-size --max-alloc --usermap --groupmap --chown --timeout --contimeout -@ --modify-window --compress-choice --zc --compress-level --zl --skip-compress -f --filter --exclude --include --address --port --sockopts --out-format --log-file-format --bwlimit --stop-after --stop-at --protocol --iconv --checksum-seed -M --remote-option --copy-as --outbuf --early-input':
        'text',
      '-e --rsh': 'words',
      '--rsync-path': 'shell',
      '--backup-dir --partial-dir --log-file --write-batch --only-write-batch -T --temp-dir': 'write',
      '--exclude-from --include-from --files-from --password-file --compare-dest --copy-dest --link-dest --read-batch --config':
        'read',
    },
    rest: 'remote',
    last: 'remote-write',
    effects: rsyncEffects,
    writesOnlyNamedPaths: true,
  },
  {
    names: 'ftp lftp ncftp tnftp pftp',
    values: { '-c -e': 'code', '-f': 'code-file', '-u -p -P -o -N -s': 'text' },
    operands: ['host'],
    foreign: 'commands on its standard input, which may start with !',
    unlisted: 'ignore',
  },
  { names: 'tftp telnet rlogin rsh', operands: ['host'], foreign: 'commands on its standard input' },
  {
    names: 'rclone',
    values: {
      '--config': 'read',
      '--password-command': 'words',
      '--sftp-ssh': 'words',
      '--metadata-mapper': 'words',
      '-P --transfers --include --exclude --filter --bwlimit': 'text',
      '--log-file': 'write',
    },
    subcommands: {
      'copy,copyto,bisync': { operands: ['remote', 'remote-write'] },
      sync: { operands: ['remote', 'remote-write'], effects: (call) => removed(call.operands[1]) },
      'move,moveto': {
        operands: ['remote', 'remote-write'],
        effects: (call) => removed(call.operands[0]),
      },
      'purge,delete,deletefile,rmdir,rmdirs,cleanup': {
        effects: (call) => removed(call.operands[0]),
      },
      'cat,ls,lsl,lsf,lsd,lsjson,tree,md5sum,sha1sum,hashsum,size,check,ncdu,serve': { rest: 'remote' },
      mount: { operands: ['remote', 'write-tree'] },
      '*': { unlisted: 'ignore' },
    },
    unlisted: 'ignore',
  },
]
