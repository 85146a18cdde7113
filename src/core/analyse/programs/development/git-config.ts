import { known } from '../grammar/arguments.js'
import { after, cut } from '../grammar/effect-builders.js'
import { splitWords } from '../grammar/effects-of.js'
import type { Arg, Call, Effect } from '../grammar/roles.js'

/** Settings that git runs as commands. `*` stands for one name, which can contain dots. */
const RUNS = [
  'core.(pager|editor|sshcommand|askpass|fsmonitor|gitproxy|alternaterefscommand)',
  'sequence.editor',
  'interactive.difffilter',
  'diff.external',
  'diff.*.(command|textconv)',
  'merge.*.driver',
  'filter.*.(clean|smudge|process)',
  '(difftool|mergetool|guitool|browser|man).*.(cmd|path)',
  'credential.(*.)?helper',
  'gpg.(*.)?program',
  'gpg.ssh.defaultkeycommand',
  'pager.*',
  'remote.*.(uploadpack|receivepack)',
  'uploadpack.packobjectshook',
  'submodule.*.update',
  'trailer.*.(cmd|command)',
  'tar.*.command',
  'imap.tunnel',
  'sendemail.(*.)?(smtpserver|sendmailcmd|tocmd|cccmd|headercmd)',
  'instaweb.(httpd|browser)',
  '(web|help).browser',
  'lfs.(customtransfer|extension).*.(path|clean|smudge)',
]
/** Settings that name files or directories with code or further settings. */
const LOADS = [
  'core.(hookspath|attributesfile|worktree)',
  'include.path',
  'includeif.*.path',
  'init.templatedir',
  'url.*.(insteadof|pushinsteadof)',
  'protocol.(*.)?allow',
  'remote.*.(vcs|url|pushurl)',
]
const pattern = (list: readonly string[]): RegExp =>
  new RegExp(`^(?:${list.map((entry) => entry.replaceAll('.', '\\.').replaceAll('*', '.+')).join('|')})$`, 'i')
const RUNNING_KEY = pattern(RUNS)
const LOADING_KEY = pattern(LOADS)

/** Ordinary values of these settings, which are not reported. */
const ORDINARY =
  /^(?:|true|false|yes|no|on|off|0|1|none|always|checkout|rebase|merge|store|cache|osxkeychain|libsecret|manager(?:-core)?|wincred|(?:vim?|nvim|vimdiff|nvimdiff)(?: -(?:f|n|g|-nofork))*|emacs(?: -(?:nw|q|Q))*|(?:nano|micro|code|subl|gedit|kate|hx|less|more|most|cat|delta|bat|diff-so-fancy|meld|kdiff3|opendiff|p4merge|gpg2?|ssh-keygen|git-lfs (?:clean|smudge|filter-process)|cache --timeout[= ]\d+)(?: (?:-[-\w]+(?:[= ]\w+)?|%f))*)$/i

/** Ordinary ssh options: another key, port or timeout. */
const ORDINARY_SSH =
  /^ssh(?: -i ?[\w./~-]+| -p ?\d+| -[46aqvTx]+| -o ?(?:IdentitiesOnly|IdentityFile|StrictHostKeyChecking|UserKnownHostsFile|BatchMode|ConnectTimeout|ServerAliveInterval|LogLevel|Port|User)=[\w./~-]+)*$/i

/** Tells whether a setting has an ordinary value. */
const isOrdinary = ({ text }: Arg): boolean => text !== null && (ORDINARY.test(text) || ORDINARY_SSH.test(text))

/** Returns what a setting makes git run, now or later. An alias can stand for `subcommand` and `args`. */
export function settingEffects(
  key: string,
  value: Arg,
  subcommand?: Arg,
  args: readonly Arg[] = [],
): readonly Effect[] {
  const via = `git ${key}`
  if (/^alias\./i.test(key)) return aliasEffects(key, value, subcommand, args)
  if (LOADING_KEY.test(key)) return loadingEffects(key, value)
  if (!RUNNING_KEY.test(key) || isOrdinary(value)) return []
  const helper = /helper$/i.test(key) && !/^[!/]/.test(value.prefix)
  if (helper && value.text !== null)
    return [{ does: 'shell', text: known(`git credential-${value.text}`, value.span), via }]
  return [{ does: 'shell', text: after(value, '!') ?? value, via }]
}

const SENDS = /^\s*(?:push|send-email|send-pack|http-push|subtree\s+push|lfs\s+push|svn\s+dcommit)\b/

function aliasEffects(key: string, value: Arg, subcommand: Arg | undefined, args: readonly Arg[]): readonly Effect[] {
  const via = 'git alias'
  const command = after(value, '!')
  if (command) return [{ does: 'shell', text: command, via }]
  if (value.text === null) return [{ does: 'unknown', reason: 'the text of a git alias is unknown', at: value.span }]
  const name = key.slice('alias.'.length).toLowerCase()
  // An alias for publishing is reported at its definition, because its use is not recognised.
  const isSending = subcommand === undefined && SENDS.test(value.text)
  if (!isSending && subcommand?.text?.toLowerCase() !== name) return []
  return [{ does: 'run', argv: [known('git', value.span), ...splitWords(value), ...args], via }]
}

function loadingEffects(key: string, value: Arg): readonly Effect[] {
  if (value.prefix.startsWith('ext::')) return [extCommand(value)]
  if (/^(?:url|protocol|remote)\./i.test(key))
    return /^url\.ext::/i.test(key) || /^remote\..*\.vcs$/i.test(key) || /^protocol\.(?:ext\.)?allow$/i.test(key)
      ? [{ does: 'foreign', reason: `git ${key} lets an address run a command`, at: value.span }]
      : isMisleading(key, value)
        ? [{ does: 'foreign', reason: `git ${key} replaces this host with another`, at: value.span }]
        : []
  return [
    { does: 'read', path: value, recursive: true },
    { does: 'foreign', reason: `git runs code from ${key}`, at: value.span },
  ]
}

const URL_KEY = /^url\.(.*)\.(?:push)?insteadof$/i
const HOST = /^(?:[a-z+]+:\/\/)?(?:[^/@]*@)?([\w-]+(?:\.[\w-]+)+)/i

/** Tells whether `url.https://a/.insteadOf https://b/` redirects to another host, which is not ordinary. */
function isMisleading(key: string, { prefix }: Arg): boolean {
  const to = HOST.exec(URL_KEY.exec(key)?.[1] ?? '')?.[1]
  const from = HOST.exec(prefix)?.[1]
  return to !== undefined && from !== undefined && to.toLowerCase() !== from.toLowerCase()
}

/** Returns the command in an address such as `ext::sh -c id`. A percent sign quotes the next character. */
function extCommand(address: Arg): Effect {
  const command = after(address, 'ext::') ?? address
  const text = command.text?.replace(/%([\s\S])/g, (_, c: string) => (c === ' ' ? '\\ ' : c === '%' ? '%' : ''))
  const words = splitWords(text === undefined ? command : known(text, command.span))
  return { does: 'run', argv: words, via: 'git ext::' }
}

const NO_EFFECTS: readonly Effect[] = []

/** `git -c key=value …` and `git --config-env=key=VARIABLE …`. */
export function globalSettings({ options, operands }: Call): readonly Effect[] {
  if (options.length === 0) return NO_EFFECTS
  return options.flatMap(({ name, value, span }): readonly Effect[] => {
    if (name === '--exec-path' && value)
      return [{ does: 'unknown', reason: 'git --exec-path replaces the programs of git', at: span }]
    if (!value || (name !== '-c' && name !== '--config' && name !== '--config-env')) return []
    const pair = cut(value, '=')
    if (!pair)
      return value.text === null ? [{ does: 'unknown', reason: 'a git setting is unknown', at: value.span }] : []
    const [key, setting] = pair
    if (name !== '--config-env') return settingEffects(key, setting, operands[0], operands.slice(1))
    return RUNNING_KEY.test(key) || /^alias\./i.test(key)
      ? [{ does: 'unknown', reason: `git runs the command in a variable (${key})`, at: value.span }]
      : []
  })
}

/** `git config [set] key value`. */
export function configEffects(call: Call): readonly Effect[] {
  const operands = call.operands[0]?.text === 'set' ? call.operands.slice(1) : call.operands
  const [key, value] = operands
  return key?.text && value ? settingEffects(key.text, value) : []
}

/** Returns the hosts, directories and `ext::` commands among the operands. A bare name is a configured remote. */
export function addressEffects({ operands }: Pick<Call, 'operands'>): readonly Effect[] {
  return operands.flatMap((arg): readonly Effect[] => {
    if (arg.prefix.startsWith('ext::')) return [extCommand(arg)]
    if (/^(?:file:\/\/|[./~])/.test(arg.prefix))
      return [{ does: 'read', path: after(arg, 'file://') ?? arg, recursive: true }]
    if (/^[a-z][a-z0-9+.-]*:\/\//i.test(arg.prefix)) return [{ does: 'connect', host: arg, how: 'url' }]
    if (/^[^/:@]+@[^/:]+:|^[\w-]+\.[\w.-]+:/.test(arg.prefix)) return [{ does: 'connect', host: arg, how: 'host' }]
    return []
  })
}
