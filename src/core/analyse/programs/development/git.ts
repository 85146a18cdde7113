import type { Family, Grammar } from '../grammar/roles.js'
import { addressEffects, globalSettings } from './git-config.js'
import {
  addressed,
  archivedFrom,
  cleaned,
  compared,
  configured,
  forEachRepository,
  initialised,
} from './git-effects.js'

const LOOKS: Grammar = {
  values: {
    '--output': 'write',
    '-O --contents --ignore-revs-file': 'read',
    '-n -U -L -S -G --format --since --until --author --grep --diff-filter --max-count': 'text',
  },
  writesOnlyNamedPaths: true,
}
/** Compares any two files if one path is outside the repository, or with `--no-index`. */
const COMPARES: Grammar = {
  ...LOOKS,
  when: { '--no-index': { rest: 'read-tree' } },
  flags: '--no-index',
  effects: compared,
}
const TRANSFERS = 'hooks of the repository and the transport of the address'
const FETCHES: Grammar = {
  foreign: TRANSFERS,
  flags:
    '-a --append --atomic --unshallow --update-shallow --dry-run -f --force -k --keep --multiple --auto-maintenance --auto-gc --write-commit-graph --prefetch -p --prune -P --prune-tags -n --no-tags -t --tags --no-recurse-submodules -u --update-head-ok -q --quiet -v --verbose --progress -4 --ipv4 -6 --ipv6 --all --no-all --porcelain --stdin --set-upstream --refetch --ff --no-ff --ff-only --squash --no-squash --commit --no-commit -e --edit --no-edit --stat -n --no-stat --signoff --no-rebase --autostash --no-autostash --allow-unrelated-histories --verify --no-verify --no-verify-signatures --verify-signatures',
  values: {
    '--depth --deepen --shallow-since --shallow-exclude --negotiation-tip -j --jobs --server-option -o --refmap --filter -s --strategy -X --strategy-option --cleanup --submodule-prefix':
      'text',
    '--upload-pack': 'shell',
  },
  optional: { '--recurse-submodules -r --rebase -S --gpg-sign --log --signed': 'text' },
  effects: addressed,
}
const PUSHES: Grammar = {
  foreign: TRANSFERS,
  flags:
    '--all --branches --prune --mirror -n --dry-run --porcelain -d --delete --tags --follow-tags --no-signed --atomic --no-atomic -f --force --no-force-with-lease --force-if-includes -u --set-upstream --thin --no-thin -q --quiet -v --verbose --progress --no-recurse-submodules --verify --no-verify -4 --ipv4 -6 --ipv6',
  values: { '-o --push-option --repo': 'text', '--receive-pack --exec': 'shell' },
  optional: { '--signed --force-with-lease --recurse-submodules': 'text' },
  effects: addressed,
}
const CLONES: Grammar = {
  foreign: TRANSFERS,
  flags:
    '-l --local --no-hardlinks -s --shared --dissociate -q --quiet -v --verbose --progress -n --no-checkout --bare --sparse --mirror --single-branch --no-single-branch --tags --no-tags --remote-submodules --no-remote-submodules --shallow-submodules --no-shallow-submodules --reject-shallow --also-filter-submodules -4 --ipv4 -6 --ipv6',
  values: {
    '-o --origin -b --branch --revision --depth --shallow-since --shallow-exclude -j --jobs --server-option --filter --ref-format --bundle-uri':
      'text',
    '-c --config': 'text',
    '-u --upload-pack': 'shell',
    '--reference --reference-if-able': 'read-tree',
    '--separate-git-dir': 'write-tree',
    '--template': 'code-file',
  },
  optional: { '--recurse-submodules --recursive': 'text' },
  operands: ['text', 'write-tree'],
  effects: (call) => [...addressEffects({ operands: call.operands.slice(0, 1) }), ...globalSettings(call)],
}
const FILTERS: Grammar = {
  foreign: 'a script of git',
  flags: '-f --force --prune-empty',
  values: {
    '--setup --env-filter --tree-filter --index-filter --parent-filter --msg-filter --commit-filter --tag-name-filter':
      'shell',
    '--subdirectory-filter --original --state-branch': 'text',
    '-d': 'write-tree',
  },
}
const REBASES: Grammar = {
  foreign: 'hooks of the repository',
  flags:
    '--continue --skip --abort --quit --edit-todo --show-current-patch --keep-base --apply --no-keep-empty --keep-empty --reapply-cherry-picks --no-reapply-cherry-picks --allow-empty-message -m --merge -q --quiet -v --verbose --stat -n --no-stat --no-verify --verify --no-ff -f --force-rebase --fork-point --no-fork-point --ignore-whitespace --committer-date-is-author-date --ignore-date --reset-author-date --signoff -i --interactive --root --autosquash --no-autosquash --autostash --no-autostash --reschedule-failed-exec --no-reschedule-failed-exec --update-refs --no-update-refs --rerere-autoupdate --no-rerere-autoupdate --no-gpg-sign',
  values: { '--onto -s --strategy -X --strategy-option -C --whitespace --empty': 'text', '-x --exec': 'shell' },
  optional: { '-S --gpg-sign -r --rebase-merges': 'text' },
}
const GREPS: Grammar = {
  flags:
    '-a --text --textconv --no-textconv -i --ignore-case -I -r --recursive --no-recursive -w --word-regexp -v --invert-match -h -H --full-name -E --extended-regexp -G --basic-regexp -P --perl-regexp -F --fixed-strings -n --line-number --column -l --files-with-matches --name-only -L --files-without-match -z --null -o --only-matching -c --count --color --no-color --break --heading -p --show-function -W --function-context --and --or --not --all-match -q --quiet --cached --untracked --no-index --no-exclude-standard --exclude-standard --recurse-submodules',
  when: { '-e -f': { rest: 'read-tree' }, '--no-index': { operands: ['text'], rest: 'read-tree' } },
  values: { '-A -B -C -m --max-count --max-depth --threads --parent-basename -e': 'text', '-f': 'read' },
  optional: { '-O --open-files-in-pager': 'shell' },
}

/** Options with a file for the message. */
const MESSAGE: NonNullable<Grammar['values']> = {
  '-F --file -t --template --pathspec-from-file': 'read',
  '-m --message -C --reuse-message -c --reedit-message --author --date --fixup --squash -u --local-user --trailer --cleanup':
    'text',
}
const HOOKED: Grammar = { foreign: 'hooks of the repository' }

/** git, with each option and setting that runs another program. */
export const git: Family = [
  {
    names: 'git',
    flags:
      '-p --paginate -P --no-pager --no-replace-objects --bare --no-optional-locks --literal-pathspecs --glob-pathspecs --noglob-pathspecs --icase-pathspecs --no-lazy-fetch --html-path --man-path --info-path -v --version -h --help --no-advice',
    values: {
      '-C': 'cwd',
      '-c --config-env --namespace --super-prefix --list-cmds --attr-source': 'text',
      '--git-dir --work-tree': 'read',
    },
    optional: { '--exec-path': 'code-file' },
    unlisted: 'foreign',
    effects: globalSettings,
    writesOnlyNamedPaths: true,
    subcommands: {
      'status,log,show,shortlog,blame,annotate,whatchanged,describe,rev-parse,rev-list,ls-files,ls-tree,cat-file,name-rev,merge-base,for-each-ref,show-ref,show-branch,diff-tree,diff-index,diff-files,count-objects,check-ignore,check-attr,check-mailmap,check-ref-format,cherry,range-diff,var,version,verify-commit,verify-tag,stripspace,patch-id,get-tar-commit-id,column,get,help':
        LOOKS,
      // Commands that read; some of their words write below .git.
      'reflog,fsck,diagnose': { ...LOOKS, writesOnlyNamedPaths: false },
      diff: COMPARES,
      'branch,stash,reset,prune,repack,pack-refs,pack-objects,update-index,update-ref,read-tree,write-tree,commit-tree,mktree,mktag,symbolic-ref,replace,rerere,sparse-checkout,multi-pack-index,commit-graph,unpack-objects,index-pack,prune-packed,merge-tree,update-server-info,fmt-merge-msg,init-db,bugreport,restore,refs,backfill,credential,credential-cache,verify-pack,show-index,unpack-file':
        { unlisted: 'ignore' },
      'tag,notes': { values: MESSAGE },
      'checkout-index,mailsplit': { values: { '--prefix -o': 'write-tree', '--stage -d -b -f': 'text' } },
      'interpret-trailers,show-index': { rest: 'read' },
      mailinfo: { operands: ['write', 'write'] },
      'merge-file': { operands: ['update', 'read', 'read'], values: { '-L --marker-size': 'text' } },
      'credential-store': { values: { '--file': 'update' } },
      shell: { values: { '-c': 'shell' }, unlisted: 'ignore' },
      bundle: { subcommands: { create: { operands: ['write'] }, '*': { operands: ['read'] } } },
      commit: { ...HOOKED, values: MESSAGE },
      'checkout,switch,merge,cherry-pick,revert,request-pull,quiltimport,gc,maintenance': HOOKED,
      init: {
        values: {
          '--template': 'code-file',
          '--separate-git-dir': 'write-tree',
          '-b --initial-branch --object-format --ref-format': 'text',
        },
        flags: '-q --quiet --bare',
        optional: { '--shared': 'text' },
        operands: ['write-tree'],
        effects: initialised,
      },
      mv: { rest: 'delete-tree', last: 'write-tree' },
      'add,stage': { rest: 'read', values: { '--pathspec-from-file': 'read', '--chmod': 'text' } },
      rm: {
        flags: '-n --dry-run --cached',
        values: { '--pathspec-from-file': 'read' },
        rest: 'delete-tree',
        when: { '--cached -n --dry-run': { rest: 'text' } },
      },
      clean: {
        flags: '-d -f --force -i --interactive -n --dry-run -x -X',
        values: { '-e --exclude': 'text' },
        effects: cleaned,
      },
      am: { rest: 'read', foreign: 'hooks of the repository' },
      'apply,fast-import': {
        rest: 'read',
        values: { '--directory --exclude --include -p -C --whitespace --reject': 'text' },
      },
      'format-patch,fast-export': {
        values: { '-o --output-directory --output --export-marks': 'write', '--import-marks': 'read' },
      },
      worktree: {
        subcommands: {
          add: {
            values: { '-b -B --reason --orphan': 'text' },
            operands: ['write-tree'],
            foreign: 'hooks of the repository',
          },
          remove: { rest: 'delete-tree' },
          '*': { unlisted: 'ignore' },
        },
      },
      'hash-object': { rest: 'read' },
      config: {
        flags: '--global --system --get -l --list -e --edit -z --null --append',
        values: { '-f --file --blob': 'update', '-t --type --default --value --url --comment': 'text' },
        effects: configured,
      },
      'fetch,pull': FETCHES,
      push: PUSHES,
      clone: CLONES,
      'ls-remote,fetch-pack': {
        ...FETCHES,
        flags: '-h --heads -b --branches -t --tags --refs -q --quiet --exit-code --get-url --symref',
        values: { '--upload-pack --exec': 'shell', '-o --server-option --sort --depth': 'text' },
      },
      'send-pack,http-push': { values: { '--receive-pack --exec': 'shell' }, effects: addressed },
      'upload-pack,receive-pack,upload-archive,http-backend,http-fetch,instaweb,send-email,imap-send,web--browse': {
        values: {
          '--smtp-server --to-cmd --cc-cmd --header-cmd --sendmail-cmd -d --httpd -b --browser': 'shell',
          '-p --port --to --cc --bcc --from --subject --smtp-user --smtp-pass --smtp-server-port --smtp-encryption':
            'text',
        },
        foreign: 'programs named in its settings',
        unlisted: 'ignore',
      },
      daemon: {
        values: {
          '--access-hook': 'program',
          '--base-path --pid-file': 'read',
          '--port --listen --user --group': 'text',
        },
        unlisted: 'ignore',
      },
      archive: {
        flags: '-l --list -v --verbose -0 -1 -2 -3 -4 -5 -6 -7 -8 -9 --worktree-attributes',
        values: {
          '--format --prefix --mtime --add-virtual-file': 'text',
          '--add-file': 'read',
          '-o --output': 'write',
          '--remote': 'text',
          '--exec': 'shell',
        },
        effects: archivedFrom,
      },
      rebase: REBASES,
      bisect: {
        subcommands: {
          run: { operands: ['command'], foreign: 'a script of git' },
          '*': { foreign: 'a script of git' },
        },
      },
      submodule: {
        subcommands: {
          foreach: { flags: '--recursive -q --quiet', operands: ['shell-rest'], foreign: 'a script of git' },
          add: {
            values: { '-b --branch --name --depth': 'text', '--reference': 'read' },
            flags: '-f --force',
            operands: ['text', 'write-tree'],
            effects: addressed,
          },
          '*': { foreign: 'a script of git' },
        },
      },
      'submodule--helper': { foreign: 'shell code inside git submodule' },
      'filter-branch': FILTERS,
      'filter-repo': {
        values: {
          '--filename-callback --message-callback --blob-callback --commit-callback --tag-callback --refname-callback --name-callback --email-callback --reset-callback --done-callback --file-info-callback':
            'code',
          '--paths-from-file --replace-text --replace-message --mailmap': 'read',
        },
        unlisted: 'ignore',
      },
      difftool: {
        values: { '-x --extcmd': 'shell', '-t --tool --rotate-to --skip-to': 'text' },
        unlisted: 'ignore',
        foreign: 'the diff viewer from the settings',
      },
      'mergetool,gui,citool': { foreign: 'the merge tool from the settings' },
      grep: GREPS,
      'merge-index': { operands: ['program'], unlisted: 'ignore' },
      'for-each-repo': { values: { '--config': 'text' }, permute: false, effects: forEachRepository },
      remote: {
        subcommands: {
          'add,set-url': { values: { '-t -m --mirror': 'text' }, effects: addressed },
          '*': { unlisted: 'ignore' },
        },
      },
      'remote-ext,remote-fd,remote-testgit': { operands: ['text', 'words'] },
      hook: { foreign: 'a hook of the repository' },
      '*': { foreign: 'an alias or extension of git' },
    },
  },
]

const COMMANDS: ReadonlySet<string> = new Set(
  Object.keys(git[0]?.subcommands ?? {}).flatMap((names) => names.split(',')),
)

/** Separate programs that are listed among git's commands. */
const OWN_PROGRAMS: ReadonlySet<string> = new Set(['filter-repo', 'lfs', 'annex', 'crypt'])

/** Tells whether the program `git-NAME` is a git command. `git-lfs` and its like are separate programs. */
export const isGitCommand = (name: string): boolean => COMMANDS.has(name) && !OWN_PROGRAMS.has(name)
