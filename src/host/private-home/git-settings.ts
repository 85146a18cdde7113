/** One git setting: `section.subsection.key`, and its value. */
export type GitSetting = readonly [key: string, value: string]

/**
 * Keys of the person's git configuration that commands see. Each is a name, a format or a habit. None runs a program,
 * reads another file, or holds a secret. A star matches the rest of the key.
 */
const PASSED: readonly (readonly [keys: string, why: string])[] = [
  ['user.name user.email user.useconfigonly author.name author.email committer.name committer.email', 'who commits'],
  ['init.defaultbranch clone.defaultremotename branch.autosetupmerge branch.autosetuprebase', 'names of what is made'],
  ['alias.*', 'short commands; those that run a program are left out'],
  [
    'core.autocrlf core.eol core.safecrlf core.whitespace core.quotepath core.abbrev core.ignorecase',
    'how files are read',
  ],
  ['core.precomposeunicode core.symlinks core.filemode core.commentchar core.logallrefupdates', 'how files are read'],
  ['pull.rebase pull.ff push.default push.autosetupremote push.followtags fetch.prune fetch.prunetags', 'habits'],
  ['rebase.autostash rebase.autosquash rebase.updaterefs rebase.abbreviatecommands rebase.stat', 'habits'],
  ['merge.conflictstyle merge.ff merge.stat merge.log merge.renames merge.renamelimit merge.branchdesc', 'habits'],
  ['commit.verbose commit.cleanup commit.status rerere.enabled rerere.autoupdate submodule.recurse', 'habits'],
  ['diff.algorithm diff.colormoved diff.colormovedws diff.renames diff.renamelimit diff.mnemonicprefix', 'formats'],
  ['diff.noprefix diff.context diff.interhunkcontext diff.submodule diff.wserrorhighlight diff.wordregex', 'formats'],
  ['log.abbrevcommit log.date log.decorate log.follow log.mailmap log.showroot format.pretty pretty.*', 'formats'],
  ['status.branch status.short status.showstash status.showuntrackedfiles status.submodulesummary', 'formats'],
  ['branch.sort tag.sort versionsort.suffix column.* color.* blame.* stash.* grep.* advice.*', 'formats'],
  ['help.autocorrect i18n.* apply.whitespace apply.ignorewhitespace index.version feature.manyfiles', 'habits'],
  ['fetch.fsckobjects receive.fsckobjects transfer.fsckobjects', 'stricter checks'],
]

const NAMES = PASSED.flatMap(([keys]) => keys.split(' '))
const EXACT = new Set(NAMES.filter((name) => !name.endsWith('*')))
const SECTIONS = NAMES.filter((name) => name.endsWith('*')).map((name) => name.slice(0, -1))
/** Keys that name a file or a URL in a harmless section. */
const OTHERS = /^(?:blame\.ignorerevsfile|grep\.fallbacktonoindex)$/
/** An address with a user or a password in it, a header, or a word that announces one. */
const SECRET = /:\/\/[^/\s]*@|extraheader|authorization|bearer|token|passw/i

/** Reports whether commands may see a setting of the person. */
export function isPassed([key, value]: GitSetting): boolean {
  const name = key.toLowerCase()
  if (OTHERS.test(name) || SECRET.test(value)) return false
  if (name.startsWith('alias.') && (/^\s*!/.test(value) || /(?:^|\s)(?:-c|--config-env|--exec-path)/.test(value)))
    return false
  return EXACT.has(name) || SECTIONS.some((section) => name.startsWith(section))
}

const quoted = (value: string): string =>
  `"${value.replace(/[\\"]/g, '\\$&').replace(/\n/g, '\\n').replace(/\t/g, '\\t').replace(/[\b]/g, '\\b')}"`

/** Marks a line that Cordon wrote: git drops it when a command changes the value. */
const OURS = ' # Cordon'

/** Returns a setting as git reads it from a file. */
function lineOf([key, value]: GitSetting): string {
  const [first, last] = [key.indexOf('.'), key.lastIndexOf('.')]
  const subsection = first === last ? '' : ` "${key.slice(first + 1, last).replace(/[\\"]/g, '\\$&')}"`
  return `[${key.slice(0, first)}${subsection}]\n\t${key.slice(last + 1)} = ${quoted(value)}${OURS}\n`
}

const BEGIN = '# The settings below come from the person (written by Cordon; add your own after the end).'
const END = '# End of the settings written by Cordon.'

/**
 * Adds the generated text to a file that may contain lines of a command. It comes first, so later lines override it.
 */
export function withGenerated(generated: string, file: string | null): string {
  const [, rest] = partsOf(file ?? '')
  return `${BEGIN}\n${generated}${END}\n${rest}`
}

/** As `withGenerated`, for a configuration: settings that a command changed or added in the generated part stay. */
export function withGeneratedSettings(generated: string, file: string | null): string {
  const [block, rest] = partsOf(file ?? '')
  const own = `${changedIn(block)}${rest}`
  const names = namesIn(own)
  // A second value for a name would make `git config` refuse to change it.
  const entries = generated.match(/\[.*\n\t.*\n/g) ?? []
  const others = entries.filter((entry) => !namesIn(entry).some((name) => names.includes(name)))
  return withGenerated(others.join(''), own)
}

/** Returns the text between the marks, and all other text. */
function partsOf(text: string): readonly [block: string, rest: string] {
  const [from, to] = [text.indexOf(BEGIN), text.indexOf(END)]
  if (from === -1 || to < from) return ['', text]
  return [text.slice(from, to), `${text.slice(0, from)}${text.slice(to + END.length).replace(/^\n/, '')}`]
}

/** Names of the settings in a text: section and key, as they are written. */
function namesIn(text: string): readonly string[] {
  let section = ''
  return text.split('\n').flatMap((line) => {
    if (line.startsWith('[')) section = line.toLowerCase()
    return /^\s+[A-Za-z]/.test(line) ? `${section} ${line.trim().split(/[\s=]/)[0]?.toLowerCase()}` : []
  })
}

/** Settings that a command changed or added between the marks, where git puts those of a section that is there. */
function changedIn(block: string): string {
  let section = ''
  let changed = ''
  for (const line of block.split('\n')) {
    if (line.startsWith('[')) section = line
    else if (/^\s+[A-Za-z]/.test(line) && section !== '' && !line.endsWith(OURS)) changed += `${section}\n${line}\n`
  }
  return changed
}

/**
 * Returns the global git configuration of commands: the passed settings of the person, and the file of ignored paths.
 * It trusts the owner of every repository, because the sandbox decides which files git reaches.
 */
export function globalGitConfig({
  person,
  excludesFile,
}: {
  readonly person: readonly GitSetting[]
  readonly excludesFile: string
}): string {
  const own: readonly GitSetting[] = [
    ['core.excludesFile', excludesFile],
    ['safe.directory', '*'],
  ]
  return [...person.filter(isPassed), ...own].map(lineOf).join('')
}

/** Returns ignore patterns: the person's own, and one for each hidden path, given relative to its repository. */
export function gitExcludes({
  person,
  hidden,
}: {
  readonly person: string
  readonly hidden: readonly string[]
}): string {
  const escaped = (path: string): string => path.replace(/[\\*?[\]]/g, '\\$&').replace(/ $/, '\\ ')
  const own = person === '' || person.endsWith('\n') ? person : `${person}\n`
  return `${own}${hidden.map((path) => `/${escaped(path)}\n`).join('')}`
}
