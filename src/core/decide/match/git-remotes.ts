import { isUnder, resolvePath } from '../../model/basics/path.js'
import type { Answers, Facts, HostFact, Invocation, Question } from '../../model/run/facts.js'

/** Subcommands of git that connect to a remote of the repository. */
const CONNECTS = /^(?:fetch|pull|push|ls-remote)$/
const REMOTE_CONNECTS = /^(?:update|show|prune)$/
/** Options of git before the subcommand that take the next word. `-C` and similar options select another repository. */
const TAKES_WORD = /^(?:-c|--config-env|--namespace|--super-prefix|--attr-source)$/
const OTHER_REPOSITORY = /^(?:-C|--git-dir|--work-tree|--bare)(?:=|$)/
const MOVES = /^(?:cd|pushd|popd)$/
const ALL = /^(?:--all|--multiple)$/

type Words = readonly string[]

/** Returns the subcommand and the words after it; null if they are unknown or another repository is selected. */
function subcommandOf({ argv }: Invocation): Words | null {
  const words = argv.map((word) => (typeof word === 'string' ? word : null))
  for (let i = 1; i < words.length; i++) {
    const word = words[i]
    if (word == null || OTHER_REPOSITORY.test(word)) return null
    if (TAKES_WORD.test(word)) i++
    else if (!word.startsWith('-')) return words.slice(i).filter((one) => one !== null)
  }
  return null
}

/** Returns the words that can name a remote; null if the command connects to none. */
function namedBy(part: Invocation): Words | null {
  if (part.program !== 'git') return null
  const [name = '', ...rest] = subcommandOf(part) ?? []
  if (name === 'remote') return REMOTE_CONNECTS.test(rest[0] ?? '') ? rest.slice(1) : null
  return CONNECTS.test(name) ? rest : null
}

const isWithin = ({ span: [from, to] }: HostFact, { span }: Invocation): boolean => from >= span[0] && to <= span[1]

interface Fetch {
  readonly part: Invocation
  readonly words: Words
  readonly cwd: string
}

/** Returns the directory after a `cd`; null if it is unknown. */
function movedTo({ program, argv }: Invocation, cwd: string): string | null {
  const [, path, ...more] = argv
  const isKnown = program === 'cd' && typeof path === 'string' && path !== '' && !path.startsWith('-')
  return isKnown && more.length === 0 ? resolvePath(path, cwd) : null
}

/** Returns the commands that connect to a remote of the repository, each with its working directory. */
function fetching({ invocations, hosts }: Facts, cwd: string): readonly Fetch[] {
  const found: Fetch[] = []
  let at: string | null = cwd
  for (const part of invocations) {
    if (at !== null && MOVES.test(part.program ?? '')) at = movedTo(part, at)
    if (at === null) break
    const words = namedBy(part)
    if (words !== null && !hosts.some((host) => host.by === 'git' && isWithin(host, part)))
      found.push({ part, words, cwd: at })
  }
  return found
}

/** Returns what must be asked of the repositories: which remotes they have. */
export const remoteQuestions = (facts: Facts, cwd: string): readonly Question[] =>
  [...new Set(fetching(facts, cwd).map((one) => one.cwd))].map((path) => ({ ask: 'remotes', path }))

const URL_HOST = /^(?:https?|ssh|git|ftps?):\/\/(?:[^/@]*@)?(\[[^\]]+\]|[^/:?#\s]+)(?::(\d+))?/i
/** `host:path`, as scp writes it. */
const SCP_HOST = /^(?:[^@/\s:]*@)?(\[[^\]]+\]|[^/:\s]+):/

/** The remotes that a command means: the named one, all, or the one that git takes where none is named. */
function meant(words: Words, remotes: readonly (readonly [name: string, address: string])[]): Words {
  const named = remotes.filter(([name]) => words.includes(name))
  const usual = remotes.length === 1 ? remotes : remotes.filter(([name]) => name === 'origin')
  const isAll = words.some((word) => ALL.test(word))
  const operand = words.find((word) => !word.startsWith('-'))
  // An operand that names no remote is a URL, which is a fact of its own.
  const found = isAll ? remotes : named.length > 0 ? named : operand === undefined ? usual : []
  return found.map(([, address]) => address)
}

/** Adds to the facts the hosts of the remotes that git connects to, as the repository names them. */
export function withRemotes(facts: Facts, answers: Answers, cwd: string): Facts {
  const hosts = fetching(facts, cwd).flatMap(({ part: { span }, words, cwd: at }) =>
    meant(words, answers.remotes?.get(at) ?? []).flatMap((address): HostFact[] => {
      const found = URL_HOST.exec(address) ?? (address.includes('://') ? null : SCP_HOST.exec(address))
      const host = found?.[1]?.replace(/^\[|\]$/g, '').toLowerCase()
      return host === undefined ? [] : [{ host, port: found?.[2] ? Number(found[2]) : null, span, by: 'git' }]
    }),
  )
  return hosts.length === 0 ? facts : { ...facts, hosts: [...facts.hosts, ...hosts] }
}

/** Options of `git push` that name a remote or a program, or take a value. */
const PUSHES_OTHERWISE = /^--(?:rec|exe|repo|push-o)|^-o/
/** Commands of git that give a remote another address. */
const READDRESSES = /^(?:set-url|rename|config)$/

/** Addresses that `git remote add NAME ADDRESS` of the same script gives a remote. */
const addedRemotes = ({ invocations }: Facts): readonly (readonly [name: string, address: string])[] =>
  invocations.flatMap(({ program, argv }) => {
    const at = argv.indexOf('remote')
    if (program !== 'git' || at < 0 || argv[at + 1] !== 'add') return []
    const [name, address] = argv.slice(at + 2).filter((word) => typeof word !== 'string' || !word.startsWith('-'))
    return [[typeof name === 'string' ? name : '', typeof address === 'string' ? address : '']]
  })

interface Pushing {
  readonly facts: Facts
  readonly answers: Answers
  readonly cwd: string
  /** Directories of which everything is the command's own. */
  readonly roots: readonly string[]
}

/** Says whether `git push` writes to a repository in one of the directories, and to no other. */
export function pushesInside(part: Invocation, { facts, answers, cwd, roots }: Pushing): boolean {
  const found = fetching(facts, cwd).find((one) => one.part === part)
  const isPlain = part.argv[1] === 'push' && part.argv.every((word) => typeof word === 'string')
  if (found === undefined || !isPlain || found.words.some((word) => PUSHES_OTHERWISE.test(word))) return false
  const isChanged = facts.invocations.some(
    ({ program, argv }) => program === 'git' && argv.some((word) => typeof word !== 'string' || READDRESSES.test(word)),
  )
  if (isChanged || facts.environment.some(({ name }) => name.startsWith('GIT_'))) return false
  const target = found.words.find((word) => !word.startsWith('-'))
  const known = [...(answers.remotes?.get(found.cwd) ?? []), ...addedRemotes(facts)]
  const named = target === undefined ? known : known.filter(([name]) => name === target)
  const addresses =
    target !== undefined && /^(?:\/|\.\.?\/)/.test(target) ? [target] : named.map(([, address]) => address)
  const isInside = (address: string): boolean => {
    const path = address.replace(/^file:\/\//, '')
    const isPath = /^(?:\/|\.\.?\/|[\w-][\w.-]*(?:\/|$))/.test(path) && !path.includes(':')
    return isPath && roots.some((root) => root !== '/' && isUnder(resolvePath(path, found.cwd), root))
  }
  return addresses.length > 0 && addresses.every(isInside)
}
