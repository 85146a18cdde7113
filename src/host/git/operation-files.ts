/** Files of a git directory with programs of an interrupted rebase, pick, revert, am or bisect, or with remote URLs. */
const FILES: readonly string[] = [
  ...['git-rebase-todo', 'git-rebase-todo.backup', 'strategy'].map((name) => `rebase-merge/${name}`),
  ...['todo', 'opts'].map((name) => `sequencer/${name}`),
  'rebase-apply/apply-opt',
  ...['START', 'TERMS', 'NAMES'].map((name) => `BISECT_${name}`),
]
/** Old directories of remote URLs, which git still reads. */
const ADDRESSES: readonly string[] = ['remotes', 'branches']
const DIRECTORIES: readonly string[] = ['rebase-merge', 'rebase-apply', 'sequencer', ...ADDRESSES]
const NAMES = [...FILES, ...DIRECTORIES, ...ADDRESSES.map((name) => `${name}/.+`)].map((name) =>
  name.replace(/\.backup/, '\\.backup'),
)
const GUARDED = new RegExp(`^(.*)/(${NAMES.join('|')})$`, 's')

/** Splits a path into the git directory and the name in it. Null where git runs nothing by the file. */
export function operationFileAt(path: string): readonly [directory: string, name: string] | null {
  const [, directory, name] = GUARDED.exec(path) ?? []
  return directory === undefined || name === undefined ? null : [directory, name]
}

/** Operation files that a repository made by a command may contain already. */
export const OPERATION_FILES: readonly string[] = [...FILES, ...DIRECTORIES]
export const isOperationDirectory = (name: string): boolean => DIRECTORIES.includes(name)

/** Verdict on a file: keep, keep with other content, or refuse. */
export type OperationVerdict = 'keep' | 'refuse' | { readonly text: string; readonly taken: readonly string[] }

const EXEC = /^[ \t]*(?:exec|x)(?:[ \t\r]|$)/
/** Any other strategy is a program `git-merge-<name>`, which may be in the working tree. */
const STRATEGY = /^(?:ort|recursive|resolve|octopus|ours|subtree)?\s*$/
const APPLY_OPTIONS = /^(?:\s*'(?:--?(?:p|C|whitespace|directory|exclude|include|ignore-[\w-]*|reject)[^']*)')*\s*$/
const QUOTED_NAMES = /^(?:\s*'(?:[^'\\]|'\\'')*')*\s*$/
const STRATEGY_SETTING = /^[ \t]*(?:\[options\])?[ \t]*strategy[ \t]*=(.*)$/gim

function withoutCommands(after: string, before: string): OperationVerdict {
  // Lines of the person's own `rebase --exec` stay.
  const known = new Set(before.split('\n'))
  const isTaken = (line: string): boolean => EXEC.test(line) && !known.has(line)
  const lines = after.split('\n')
  const taken = lines.filter(isTaken)
  return taken.length === 0 ? 'keep' : { text: lines.filter((line) => !isTaken(line)).join('\n'), taken }
}

const keepIf = (isHarmless: boolean): OperationVerdict => (isHarmless ? 'keep' : 'refuse')

/** Judges one file. `after` and `before` are null where the file is not a small regular one. */
export function judgeOperationFile(name: string, after: string | null, before: string | null): OperationVerdict {
  if (after === null) return 'refuse'
  if (after === before) return 'keep'
  switch (name) {
    case 'rebase-merge/git-rebase-todo':
    case 'rebase-merge/git-rebase-todo.backup':
    case 'sequencer/todo':
      return withoutCommands(after, before ?? '')
    case 'rebase-merge/strategy':
      return keepIf(STRATEGY.test(after))
    case 'sequencer/opts':
      return keepIf([...after.matchAll(STRATEGY_SETTING)].every(([, value = '']) => STRATEGY.test(value.trim())))
    case 'rebase-apply/apply-opt':
      return keepIf(APPLY_OPTIONS.test(after))
    case 'BISECT_START':
      return keepIf(!after.startsWith('-'))
    case 'BISECT_TERMS':
      return keepIf(/^[\w-]+\n[\w-]+\n?$/.test(after))
    case 'BISECT_NAMES':
      return keepIf(QUOTED_NAMES.test(after))
    default:
      return 'refuse'
  }
}
