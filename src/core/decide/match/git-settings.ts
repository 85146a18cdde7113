import { judgeSetting, normalKey, type Risk } from '../../git/judge-setting.js'
import type { Span } from '../../model/basics/span.js'
import type { RuleMatch } from '../../model/policy/decision.js'
import type { Invocation } from '../../model/run/facts.js'
import { type DecideInput, match } from './input.js'

/** A change of one repository setting. A final `*` in the key stands for any ending. */
interface Change {
  readonly key: string
  readonly risk: Risk
}

const WITH_VALUE = /^(?:-C|-c|--git-dir|--work-tree|--namespace|--config-env|--super-prefix|--attr-source)$/

/** Returns the git subcommand and the arguments after it. */
function subcommandOf({ argv }: Invocation): readonly [name: string, rest: Invocation['argv']] | null {
  for (let i = 1; i < argv.length; i++) {
    const word = argv[i]
    if (typeof word !== 'string') return null
    if (WITH_VALUE.test(word)) i++
    else if (!word.startsWith('-')) return [word, argv.slice(i + 1)]
  }
  return null
}

const CONFIG_VALUES = /^(?:-t|--type|--default|--comment|--value|--url)$/
const LOOKS = /^(?:--get.*|-l|--list|get|list|--help|-h|--show-origin|--show-scope|--name-only)$/
const OTHER_FILES = /^(?:--global|--system|--blob(?:=.*)?)$/
const SECTIONS = /^(?:--(?:rename|remove)-section|(?:rename|remove)-section)$/
const UNSETS = /^(?:--unset(?:-all)?|unset)$/

/** `-f FILE` and `--file=FILE`: null where no other file is named than the repository's own. */
function fileOf(words: readonly string[]): string | null {
  const at = words.findIndex((word) => word === '-f' || word === '--file')
  return at >= 0 ? (words[at + 1] ?? '') : (words.find((word) => word.startsWith('--file='))?.slice(7) ?? null)
}

function configChanges(rest: Invocation['argv']): readonly Change[] {
  const words = rest.map((word) => (typeof word === 'string' ? word : '\0'))
  const file = fileOf(words)
  if (words.some((word) => LOOKS.test(word) || OTHER_FILES.test(word))) return []
  if (file !== null && !/(?:^|\/)\.git\/config$/.test(file)) return []
  const operands = words.filter(
    (word, i) =>
      !/^(?:-.+|set)$/.test(word) && !(i > 0 && (CONFIG_VALUES.test(words[i - 1] ?? '') || words[i - 1] === '-f')),
  )
  if (words.some((word) => SECTIONS.test(word))) {
    const sections = operands.filter((word) => !SECTIONS.test(word))
    return sections.map((section) => ({ key: `${section}.*`, risk: judgeSection(section) }))
  }
  const isUnset = words.some((word) => UNSETS.test(word))
  const [key, value] = operands.filter((word) => !UNSETS.test(word))
  if (key === undefined || !key.includes('.') || (value === undefined && !isUnset)) return []
  const known = isUnset || value === undefined || value === '\0' ? null : value
  return [{ key: normalKey(key), risk: judgeSetting(normalKey(key), known) }]
}

/** Returns the risk of changing a whole section. Git renames and removes the sections of branches itself. */
const judgeSection = (section: string): Risk =>
  /^branch\./i.test(section) ? 'free' : /^remote\./i.test(section) ? 'redirects' : 'refused'

function remoteChanges(rest: Invocation['argv']): readonly Change[] {
  const words = rest.filter(
    (word, i) => typeof word !== 'string' || !(word.startsWith('-') || /^-[tm]$/.test(`${rest[i - 1]}`)),
  )
  const [action, name, address] = words.map((word) => (typeof word === 'string' ? word : null))
  const whole = (remote: string | null | undefined): Change => ({
    key: `remote.${remote ?? ''}.*`,
    risk: 'redirects',
  })
  switch (action) {
    case 'add':
      if (rest.some((word) => typeof word === 'string' && /^--mirror=push/.test(word))) return [whole(name)]
      return [{ key: `remote.${name ?? ''}.url`, risk: judgeSetting('remote.x.url', address ?? null, true) }]
    case 'set-url':
      return [whole(name)]
    case 'remove':
    case 'rm':
      return [whole(name)]
    case 'rename':
      return [whole(name), whole(address)]
    default:
      return []
  }
}

/** Objects that a partial clone lacks are fetched by any later git command. */
function partialChanges(rest: Invocation['argv']): readonly Change[] {
  if (!rest.some((word) => typeof word === 'string' && /^--filter(?:=|$)/.test(word))) return []
  return ['extensions.partialclone', 'remote.origin.*'].map((key) => ({ key, risk: 'refused' }))
}

function changesOf(part: Invocation): readonly Change[] {
  if (part.program !== 'git' || part.argv.some((word) => word === '--help')) return []
  const [name, rest] = subcommandOf(part) ?? []
  if (name === undefined || rest === undefined) return []
  if (name === 'config') return configChanges(rest)
  if (name === 'remote') return remoteChanges(rest)
  if (name === 'submodule' && rest[0] === 'set-url') return [{ key: `submodule.${rest[1]}.*`, risk: 'redirects' }]
  return name === 'clone' ? partialChanges(rest) : []
}

/** Returns the spans of `git config` changes. Their settings are judged, so the path rules ignore the file. */
export const judgedSpans = ({ facts, profile }: DecideInput): readonly Span[] =>
  profile.sandbox === 'off'
    ? []
    : facts.invocations.flatMap((part) =>
        subcommandOf(part)?.[0] === 'config' && changesOf(part).length > 0 ? [part.span] : [],
      )

const nameOf = (changes: readonly Change[]): string => changes.map(({ key }) => key.replace(/\.\*$/, '')).join(', ')

/** Returns matches for the repository settings that git commands change. */
export function gitSettingMatches(input: DecideInput): readonly RuleMatch[] {
  const { profile, facts } = input
  const isSandboxed = profile.sandbox !== 'off'
  return facts.invocations.flatMap((part) => {
    const changes = changesOf(part)
    const of = (risk: Risk): readonly Change[] => changes.filter((one) => one.risk === risk)
    const [redirects, refused] = [of('redirects'), of('refused')]
    const lifts = { settings: [...redirects, ...refused].map(({ key }) => key) }
    if (refused.length > 0 && isSandboxed) {
      const verdict = profile.paths.writeOutside === 'deny' ? 'deny' : 'ask'
      const reason = `\`git\` changes ${nameOf(refused)}, by which git could run, read or trust something later.`
      const instead = 'Leave the setting unchanged, or ask a person to change it.'
      return [match('git/setting', verdict, part.span, reason, { program: 'git', instead, lifts })]
    }
    if (redirects.length === 0) return []
    const reason = `\`git\` changes ${nameOf(redirects)}, so that later pushes and fetches go elsewhere.`
    const instead = 'Add another remote with `git remote add`, or ask a person to change it.'
    return [match('git/redirect', 'ask', part.span, reason, { program: 'git', instead, lifts })]
  })
}
