import { detail, type Filter, progress, proposeBy } from './filter.js'

/** Subcommands whose output is an answer, every line of which may be the one asked for. */
const ANSWERS = new Set('diff show log blame grep cat-file ls-files ls-tree rev-list config'.split(' '))
const TAKES_VALUE = new Set(['-C', '-c', '--git-dir', '--work-tree', '--namespace', '--exec-path'])

const propose = proposeBy([
  [
    /^(?:remote: )?(?:Enumerating|Counting|Compressing|Receiving|Resolving|Writing|Unpacking|Filtering|Updating|Checking out)\b[\w ]*:\s+\d/,
    progress('git progress'),
  ],
  [/^Delta compression using up to \d+ threads$/, detail('git progress')],
  [/^(?:remote: )?Total \d+ \(delta \d+\)/, detail('git progress')],
  [/^remote: *$/, detail('git progress')],
  [/^\s+\(use "git [^"]*".*\)$/, detail('git advice')],
  [/^hint: /, detail('git advice')],
])

export const git: Filter = {
  name: 'git',
  matches: ([program, ...args]) => program === 'git' && !ANSWERS.has(subcommand(args)),
  propose: (lines) => lines.map(propose),
  recognises: (lines) =>
    lines.some((line) => /^(?:On branch |HEAD detached|\[[^\]]+ [0-9a-f]{7,}\]|Cloning into|From |To )/.test(line)),
}

function subcommand(args: readonly string[]): string {
  const at = args.findIndex((arg, i) => !arg.startsWith('-') && !TAKES_VALUE.has(args[i - 1] ?? ''))
  return args[at] ?? ''
}
