/**
 * The keys that a command can change. None of their values, or none that fits the pattern, runs a program, reads
 * another path, or redirects what the user sends later. `*` stands for one name, which can contain dots. Every other
 * key is refused, unless `compare-settings.ts` judges it by its old value.
 */
const FREE = `
core.(repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol|safecrlf|whitespace)
core.(quotepath|abbrev|trustctime|checkstat|compression|loosecompression|bigfilethreshold|preloadindex|untrackedcache|splitindex)
core.(sparsecheckout|sparsecheckoutcone|commentchar|commentstring|longpaths|fscache|multipackindex|commitgraph|notesref|disambiguate)
core.(warnambiguousrefs|deltabasecachelimit|packedgitlimit|packedgitwindowsize|fsync|fsyncmethod|fsyncobjectfiles|hidedotfiles)
extensions.(worktreeconfig|relativeworktrees|preciousobjects|noop)
(user|author|committer).(name|email)
user.useconfigonly
init.defaultbranch
(color|column|advice|status|pretty|versionsort|gitflow.branch|gitflow.prefix|index|pack|sparse|feature|i18n|rerere|showbranch).*
log.(abbrevcommit|date|decorate|initialdecorationset|excludedecoration|diffmerges|follow|graphcolors|showroot|mailmap)
format.(pretty|signoff|numbered|thread|coverletter|subjectprefix)
diff.(algorithm|renames|renamelimit|context|interhunkcontext|colormoved|colormovedws|mnemonicprefix|noprefix|srcprefix|dstprefix)
diff.(relative|statgraphwidth|statnamewidth|suppressblankempty|wserrorhighlight|indentheuristic|ignoresubmodules|submodule|wordregex|dirstat|autorefreshindex)
diff.*.(xfuncname|funcname|binary|wordregex|algorithm)
merge.(conflictstyle|ff|log|renames|renamelimit|renormalize|stat|directoryrenames|suppressdest|verbosity|autostash|branchdesc|defaulttoupstream)
pull.(rebase|ff)
push.(autosetupremote|followtags|useforceifincludes)
fetch.(prune|prunetags|parallel|writecommitgraph|showforcedupdates|output|unpacklimit|negotiationalgorithm)
rebase.(autosquash|autostash|stat|updaterefs|forkpoint|abbreviatecommands|missingcommitscheck|backend|reschedulefailedexec|rebasemerges|singlekey)
(gc|maintenance).(auto|autodetach|autopacklimit|writecommitgraph)
maintenance.strategy
http.(postbuffer|lowspeedlimit|lowspeedtime|maxrequests|version|receivepack)
commit.(verbose|status|cleanup)
stash.(showpatch|showstat|showincludeuntracked)
tag.sort
branch.(sort|autosetupmerge|autosetuprebase)
branch.*.(merge|rebase|description|vscode-merge-base|gh-merge-base|github-pr-owner-number|github-pr-base-branch)
grep.(linenumber|column|patterntype|extendedregexp|fullname|threads|fallbacktonoindex)
blame.(date|coloring|showemail|showroot|blankboundary|markunblamablelines|markignoredlines)
(am.keepcr|am.threeway|apply.whitespace|apply.ignorewhitespace|mailinfo.scissors|interactive.singlekey)
checkout.(guess|workers|thresholdforparallelism)
worktree.(guessremote|userelativepaths)
receive.(denycurrentbranch|denynonfastforwards|denydeletes|denydeletecurrent|advertisepushoptions|unpacklimit|autogc)
uploadpack.(allowfilter|allowtipsha1inwant|allowreachablesha1inwant|allowanysha1inwant|hiderefs)
submodule.(recurse|fetchjobs|active)
submodule.*.(active|branch|ignore|fetchrecursesubmodules|shallow)
remote.*.(tagopt|prune|prunetags|skipfetchall|skipdefaultupdate|followremotehead|gh-resolved)
lfs.repositoryformatversion
lfs.*.(access|locksverify)
`

/** Keys of which only some values are free. Others run a program or redirect what the user sends. */
const BY_VALUE: readonly (readonly [key: string, value: RegExp])[] = [
  ['extensions.objectformat', /^sha(1|256)$/],
  ['extensions.refstorage', /^(files|reftable)$/],
  ['protocol.version', /^[0-2]$/],
  ['push.default', /^(nothing|simple|current)$/],
  ['submodule.*.update', /^(checkout|rebase|merge|none)$/],
  ['(commit|tag).gpgsign', /^(false|no|off|0)$/],
  [
    'core.(pager|editor)|sequence.editor',
    /^(true|:|cat|(less|more|vi|vim|nvim|nano|emacs|code|subl|micro|delta|bat)( -(f|n|w|nw|F?R?X?|-wait|-nofork|-new-window))*)$/,
  ],
  ['pager.*', /^(true|false|yes|no|on|off|0|1)$/],
  ['filter.lfs.required', /^(true|false)$/],
  ['filter.lfs.(clean|smudge|process)', /^git-lfs (clean -- %f|smudge( --skip)? -- %f|filter-process( --skip)?)$/],
  // Subcommands that only read or change the repository, without options that run a program.
  [
    'alias.*',
    /^(status|log|show|diff|branch|checkout|switch|commit|add|restore|stash|tag|ls-files|shortlog|blame|describe|rev-parse|reflog|cherry-pick|reset|merge)\b(?!.*(?:\s|^)--?(?:ext|exe|textconv|ou|op|upl|gpg|S|F|str|s\b|X|tem|t\b|fil))/,
  ],
]

const asPattern = (keys: string): string => keys.replaceAll('.', '\\.').replaceAll('*', '.+')
const FREE_KEY = new RegExp(`^(?:${FREE.trim().split('\n').map(asPattern).join('|')})$`, 's')
const FREE_VALUES = BY_VALUE.map(([key, value]) => [new RegExp(`^(?:${asPattern(key)})$`, 's'), value] as const)

/** Tells whether a command can set the key to this value, for any old value. A name without a value means true. */
export function isFree(key: string, value: string | null): boolean {
  if (FREE_KEY.test(key)) return true
  return FREE_VALUES.some(([keys, values]) => keys.test(key) && values.test(value ?? 'true'))
}

/** Tells whether an address is reached directly, by a transport that runs nothing, outside hidden directories. */
export function isPlainAddress(address: string): boolean {
  if (/[\s\0]/.test(address) || address.startsWith('-')) return false
  if (/^(?:https?|ssh|git|git\+ssh|ssh\+git):\/\/[^-/]/.test(address)) return true
  const path = /^file:\/\//.test(address) ? address.slice('file://'.length) : address
  if (/^[\w.-]*::|:\/\//.test(path)) return false
  // `host:path` uses ssh, unless a slash comes first.
  if (/^[^/]*:/.test(path)) return /^(?:[\w.-]+@)?[\w[][\w.:[\]-]*:/.test(path)
  return path
    .split('/')
    .every(
      (name, index, names) =>
        !name.startsWith('.') || /^\.\.?$/.test(name) || (name === '.git' && index === names.length - 1),
    )
}
