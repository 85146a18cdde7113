import { after, cut } from './arg-parts.js'
import { known } from './arguments.js'
import { splitWords } from './effects-of.js'
import type { Arg, Call, Effect } from './knowledge.js'

/** Settings whose value git hands to a shell or executes. `*` stands for one name, which may hold dots. */
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
/** Settings that name files or directories from which git takes code or further settings. */
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

/** What honest settings name: running these is no news to anybody. */
const ORDINARY =
  /^(?:|true|false|yes|no|on|off|0|1|none|always|checkout|rebase|merge|store|cache|osxkeychain|libsecret|manager(?:-core)?|wincred|(?:vim?|nvim|vimdiff|nvimdiff)(?: -(?:f|n|g|-nofork))*|emacs(?: -(?:nw|q|Q))*|(?:nano|micro|code|subl|gedit|kate|hx|less|more|most|cat|delta|bat|diff-so-fancy|meld|kdiff3|opendiff|p4merge|gpg2?|ssh-keygen|git-lfs (?:clean|smudge|filter-process)|cache --timeout[= ]\d+)(?: (?:-[-\w]+(?:[= ]\w+)?|%f))*)$/i

/** Another key, port or patience: the same ssh as without the setting. */
const ORDINARY_SSH =
  /^ssh(?: -i ?[\w./~-]+| -p ?\d+| -[46aqvTx]+| -o ?(?:IdentitiesOnly|IdentityFile|StrictHostKeyChecking|UserKnownHostsFile|BatchMode|ConnectTimeout|ServerAliveInterval|LogLevel|Port|User)=[\w./~-]+)*$/i

/** Does a setting name what it always names? */
const isOrdinary = ({ text }: Arg): boolean => text !== null && (ORDINARY.test(text) || ORDINARY_SSH.test(text))

/** What a setting makes git run, now or by a later command. `subcommand` and `args` are what an alias may stand for. */
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
  const helper = /helper$/i.test(key) && !/^[!/]/.test(value.head)
  if (helper && value.text !== null)
    return [{ does: 'shell', text: known(`git credential-${value.text}`, value.span), via }]
  return [{ does: 'shell', text: after(value, '!') ?? value, via }]
}

const SENDS = /^\s*(?:push|send-email|send-pack|http-push|subtree\s+push|lfs\s+push|svn\s+dcommit)\b/

function aliasEffects(key: string, value: Arg, subcommand: Arg | undefined, args: readonly Arg[]): readonly Effect[] {
  const via = 'git alias'
  const command = after(value, '!')
  if (command) return [{ does: 'shell', text: command, via }]
  if (value.text === null) return [{ does: 'unknown', reason: 'an alias of git is not known', at: value.span }]
  const name = key.slice('alias.'.length).toLowerCase()
  // A name for later: what sends is told of where it is given, for nobody knows it again where it is used.
  const isSending = subcommand === undefined && SENDS.test(value.text)
  if (!isSending && subcommand?.text?.toLowerCase() !== name) return []
  return [{ does: 'run', argv: [known('git', value.span), ...splitWords(value), ...args], via }]
}

function loadingEffects(key: string, value: Arg): readonly Effect[] {
  if (value.head.startsWith('ext::')) return [extCommand(value)]
  if (/^(?:url|protocol|remote)\./i.test(key))
    return /^url\.ext::/i.test(key) || /^remote\..*\.vcs$/i.test(key) || /^protocol\.(?:ext\.)?allow$/i.test(key)
      ? [{ does: 'foreign', reason: `git ${key} lets an address run a command`, at: value.span }]
      : isMisleading(key, value)
        ? [{ does: 'foreign', reason: `git ${key} has another host stand for this one`, at: value.span }]
        : []
  return [
    { does: 'read', path: value, recursive: true },
    { does: 'foreign', reason: `git takes code from ${key}`, at: value.span },
  ]
}

const URL_KEY = /^url\.(.*)\.(?:push)?insteadof$/i
const HOST = /^(?:[a-z+]+:\/\/)?(?:[^/@]*@)?([\w-]+(?:\.[\w-]+)+)/i

/** `url.https://a/.insteadOf https://b/`: what is meant for one host goes to another. Another way to the same host is ordinary. */
function isMisleading(key: string, { head }: Arg): boolean {
  const to = HOST.exec(URL_KEY.exec(key)?.[1] ?? '')?.[1]
  const from = HOST.exec(head)?.[1]
  return to !== undefined && from !== undefined && to.toLowerCase() !== from.toLowerCase()
}

/** `ext::sh -c id`: an address that is a command; a percent sign quotes the character after it. */
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
      return [
        { does: 'unknown', reason: 'git takes its own programs from the directory that --exec-path names', at: span },
      ]
    if (!value || (name !== '-c' && name !== '--config' && name !== '--config-env')) return []
    const pair = cut(value, '=')
    if (!pair)
      return value.text === null ? [{ does: 'unknown', reason: 'a setting of git is not known', at: value.span }] : []
    const [key, setting] = pair
    if (name !== '--config-env') return settingEffects(key, setting, operands[0], operands.slice(1))
    return RUNNING_KEY.test(key) || /^alias\./i.test(key)
      ? [{ does: 'unknown', reason: `git runs what a variable says (${key})`, at: value.span }]
      : []
  })
}

/** `git config [set] key value`. */
export function configEffects(call: Call): readonly Effect[] {
  const operands = call.operands[0]?.text === 'set' ? call.operands.slice(1) : call.operands
  const [key, value] = operands
  return key?.text && value ? settingEffects(key.text, value) : []
}

/** Addresses among the operands: hosts, directories, and `ext::` commands. A bare name is a remote that is set up already. */
export function addressEffects({ operands }: Pick<Call, 'operands'>): readonly Effect[] {
  return operands.flatMap((arg): readonly Effect[] => {
    if (arg.head.startsWith('ext::')) return [extCommand(arg)]
    if (/^(?:file:\/\/|[./~])/.test(arg.head))
      return [{ does: 'read', path: after(arg, 'file://') ?? arg, recursive: true }]
    if (/^[a-z][a-z0-9+.-]*:\/\//i.test(arg.head)) return [{ does: 'connect', host: arg, how: 'url' }]
    if (/^[^/:@]+@[^/:]+:|^[\w-]+\.[\w.-]+:/.test(arg.head)) return [{ does: 'connect', host: arg, how: 'host' }]
    return []
  })
}
