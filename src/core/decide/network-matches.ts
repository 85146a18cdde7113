import { allowHosts } from '../model/allow-command.js'
import type { RuleMatch } from '../model/decision.js'
import type { HostFact, Invocation } from '../model/facts.js'
import { isLoopbackHost } from '../model/loopback.js'
import { hostsOf, unlistedVerdict } from '../model/network-sets.js'
import type { Example } from './builtin.js'
import { type DecideInput, match } from './scene.js'

/** Programs that are there to reach other machines. Others that also can (git, npm, pip) are left to the wall. */
const NETWORK_PROGRAMS = new Set(
  'curl wget wget2 aria2c axel curlie http https httpie xh nc ncat netcat nc.openbsd nc.traditional socat telnet ssh slogin mosh scp sftp ftp lftp ncftp tftp'.split(
    ' ',
  ),
)
/** Only with a host on the line; otherwise they copy files here. */
const NETWORK_WITH_HOST = new Set(
  'rsync redirect ping ping6 fping hping3 arping arp-scan traceroute traceroute6 tracepath tracepath6 tcptraceroute mtr dig delv kdig drill host nslookup whois nmap zmap masscan'.split(
    ' ',
  ),
)
const ASKS_ABOUT_ITSELF = /^(?:--version|--help|-V|-h|--manual)$/
/** Programs that download, of which an address on the line is asked about where the profile asks about unlisted hosts. */
const FETCHES = new Set('git hg svn pip pip3 uv npm npx pnpm yarn bun cargo go gem bundle'.split(' '))
/** Subcommands of git that connect to the address on the line; others only write it down. */
const GIT_FETCHES = /^(?:clone|fetch|pull|push|ls-remote|submodule|archive|fetch-pack|send-pack)$/
/** Files that hold tokens, in a project too. */
const HOLDS_TOKENS = /(?:^|\/)\.(?:npmrc|yarnrc(?:\.yml)?|pypirc|netrc|env(?:\.[\w.-]+)?|git-credentials)$/
const NETCAT = /^(?:nc|ncat|netcat|nc\.openbsd|nc\.traditional)$/
const LISTENS = /^(?:-[a-zA-Z]*l[a-zA-Z]*|--listen)$/
const SOCAT_LISTENS = /^[a-z0-9]+-(?:listen|l|recv|recvfrom)\d?:/i
/** Addresses of socat that connect or send to another host. */
const SOCAT_CONNECTS = /(?:^|!!)(?:tcp|udp|udplite|openssl|ssl|dtls|sctp|dccp|ip|socks|proxy|socket)[\w-]*:/i

/** Its own examples, as every built-in has them. */
export const NETWORK_BUILTIN: {
  readonly name: string
  readonly hits: readonly Example[]
  readonly misses: readonly Example[]
} = {
  name: 'network',
  hits: [
    'curl example.com',
    'wget -q http://example.com',
    'nc example.com 80',
    'rsync a example.com:b',
    'echo x > /dev/tcp/example.com/80',
    ['curl', 'x'],
  ],
  misses: [
    'curl --version',
    'curl localhost:3000',
    'nc -z 127.0.0.1 5432',
    'nc -lk 8080',
    'rsync -a src/ copy/',
    'echo curl example.com',
    'git status',
    'npm test',
  ],
}

/** Is a host in a profile's list? Where the command names no port, one in the list is left to the wall, which sees it. */
function isListed({ host, port }: HostFact, hosts: readonly string[]): boolean {
  const name = bareName(host)
  return hosts.some((one) => {
    const [, listed = one, wanted] = /^([^:]*|\[.*\]):(\d+)$/.exec(one) ?? []
    if (wanted !== undefined && port !== null && Number(wanted) !== port) return false
    const entry = listed.toLowerCase().replace(/^\[(.*)\]$/, '$1')
    if (entry === '*' || entry === name) return true
    return entry.startsWith('*.') && name.endsWith(entry.slice(1)) && name.length > entry.length - 1
  })
}

/** A host as it is compared: in small letters, without the brackets of an address and the dot at the end. */
function bareName(host: string): string {
  const bare = host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host
  return (bare.endsWith('.') ? bare.slice(0, -1) : bare).toLowerCase()
}

const isWithin = ({ span: [from, to] }: HostFact, around: RuleMatch['span']): boolean =>
  from >= around[0] && to <= around[1]

const CAN_BE_NAMED = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$|^[0-9a-f:]*:[0-9a-f:.]*$/

function noNetwork(
  program: string,
  span: RuleMatch['span'],
  host: HostFact | undefined,
  input: DecideInput,
): RuleMatch {
  const named = host === undefined ? null : bareName(host.host)
  const fix =
    named !== null && CAN_BE_NAMED.test(named) ? `A person can run \`${allowHosts(named, input.profile.name)}\`.` : null
  const reason = `Command not allowed: ${program}. It uses the network, and the profile "${input.profile.name}" allows none.`
  const instead = `Work with what is here${fix === null ? ', or set `network` in the profile' : ''}.${fix === null ? '' : ` ${fix}`}`
  return match('builtin/network', 'deny', span, reason, { program, instead })
}

/** A host that no list names: asked about or denied, as the profile says. An approval opens it for this command. */
function notListed(program: string, { host, port, span }: HostFact, input: DecideInput): RuleMatch {
  const verdict = unlistedVerdict(input.profile.network)
  const name = bareName(host)
  const entry = port === null ? name : `${name.includes(':') ? `[${name}]` : name}:${port}`
  const not = verdict === 'ask' ? `${program} reaches` : `Command not allowed: ${program}.`
  const reason =
    verdict === 'ask'
      ? `${not} ${host}, a host that the profile "${input.profile.name}" does not list.`
      : `${not} The host ${host} is not in the list of the profile "${input.profile.name}".`
  const instead = CAN_BE_NAMED.test(name)
    ? `A person can run \`${allowHosts(name, input.profile.name)}\`.`
    : `Add "${host}" to \`network.hosts\` in the profile.`
  const lifts = verdict === 'ask' && CAN_BE_NAMED.test(name) ? { hosts: [entry] } : undefined
  return match('builtin/network', verdict, span, reason, { program, instead, lifts })
}

const NAMES_COMMAND = /^git .*\.|^GIT_/

/** `via`: the setting or variable that has another program run it later, for hosts which that program chooses. */
function notNamed(program: string, via: string | undefined, span: RuleMatch['span'], input: DecideInput): RuleMatch {
  const verdict = unlistedVerdict(input.profile.network)
  const only = `the profile "${input.profile.name}" allows listed hosts only`
  const begin = verdict === 'ask' ? '' : `Command not allowed: ${program}. `
  // An approval opens every host: which one it is, no one can say before it runs.
  const lifts = verdict === 'ask' ? { hosts: ['*'] } : undefined
  if (via !== undefined && NAMES_COMMAND.test(via)) {
    const setting = via.replace(/^git /, '')
    const reason = `${begin}By ${setting}, git runs ${program} with options that may lead to any host, and ${only}.`
    return match('builtin/network', verdict, span, reason, {
      program,
      instead: `Leave ${setting} as it is, or let a person set it.`,
      lifts,
    })
  }
  const reason = `${begin}The host that ${program} reaches cannot be read off the command, and ${only}.`
  return match('builtin/network', verdict, span, reason, { program, instead: 'Write the host out.', lifts })
}

/** Inside a sandbox the loopback is its own. The launcher opens a port of the host's only where the profile lists it. */
export const isOwnLoopback = (host: string, { profile }: DecideInput): boolean =>
  profile.sandbox === 'required' && isLoopbackHost(host)

/** Adds what the profile says of one use: a program with the hosts it was seen to name. */
function judge(
  program: string,
  via: string | undefined,
  span: RuleMatch['span'],
  hosts: readonly HostFact[],
  input: DecideInput,
  found: RuleMatch[],
): void {
  const { network } = input.profile
  const away = hosts.filter(({ host }) => !isOwnLoopback(host, input))
  if (network === 'full' || (hosts.length > 0 && away.length === 0)) return
  if (network === 'none') found.push(noNetwork(program, span, away[0], input))
  else if (hosts.length === 0) found.push(notNamed(program, via, span, input))
  else for (const host of away) if (!isListed(host, hostsOf(network))) found.push(notListed(program, host, input))
}

/** Is it there to reach other machines? */
const isNetworkProgram = (program: string | null): boolean =>
  program !== null && NETWORK_PROGRAMS.has(program.toLowerCase())

const isUse = ({ program, argv }: Invocation): boolean => {
  if (!isNetworkProgram(program)) return false
  const [, first] = argv
  const isAboutItself = typeof first === 'string' && ASKS_ABOUT_ITSELF.test(first)
  // `curl --help tls` names a chapter.
  return !(isAboutItself && (argv.length === 2 || (program?.toLowerCase() === 'curl' && first === '--help')))
}

/** `nc -l 8080`, `socat TCP-LISTEN:80 EXEC:cat`: waits for connections, which only the sandbox's own programs can make. */
function onlyListens({ program, argv }: Invocation, { profile }: DecideInput): boolean {
  if (profile.sandbox !== 'required') return false
  const args = argv.slice(1)
  if (NETCAT.test(program ?? '')) return args.some((arg) => typeof arg === 'string' && LISTENS.test(arg))
  const listens = (arg: Invocation['argv'][number]): boolean => typeof arg === 'string' && SOCAT_LISTENS.test(arg)
  const stays = (arg: Invocation['argv'][number]): boolean => typeof arg === 'string' && !SOCAT_CONNECTS.test(arg)
  return program === 'socat' && args.some(listens) && args.every((arg) => listens(arg) || stays(arg))
}

/** Does a program that also works without a network name this host to fetch from it or send to it? */
function isFetched({ by, host, span }: HostFact, { facts }: DecideInput): boolean {
  if (!FETCHES.has(by) || !/[.:]/.test(host)) return false
  const part = facts.invocations.find((one) => one.program === by && span[0] >= one.span[0] && span[1] <= one.span[1])
  return (
    part !== undefined && (by !== 'git' || part.argv.some((arg) => typeof arg === 'string' && GIT_FETCHES.test(arg)))
  )
}

/** Asks about `wget "https://host/$(cat .npmrc)"`: an argument is filled with what such a file holds, for a listed host too. */
function carriesToken({ program, argv, span }: Invocation, { facts }: DecideInput): RuleMatch | null {
  if (argv.every((one) => typeof one === 'string')) return null
  const read = facts.reads.find(
    (one) => one.span[0] >= span[0] && one.span[1] <= span[1] && HOLDS_TOKENS.test(one.path),
  )
  if (read === undefined) return null
  const reason = `${program} may send what ${read.path} holds to another machine.`
  return match('builtin/network', 'ask', read.span, reason, { program, instead: 'Send no file that holds tokens.' })
}

/** Denies what reaches the network past what the profile allows. Asks where the profile asks about unlisted hosts. Not lifted by any allow rule; removed by the name `network`. */
export function networkMatches(input: DecideInput): readonly RuleMatch[] {
  const { invocations, hosts } = input.facts
  const found: RuleMatch[] = []
  if (input.profile.network === 'full') return found
  for (const part of invocations) {
    if (!isUse(part)) continue
    const { program, span, via } = part
    const named = hosts.filter((host) => host.by === program && isWithin(host, span))
    if (named.length === 0 && onlyListens(part, input)) continue
    judge(program ?? '', via.at(-1), span, named, input, found)
    const carried = named.every(({ host }) => isOwnLoopback(host, input)) ? null : carriesToken(part, input)
    if (carried !== null) found.push(carried)
  }
  for (const host of hosts)
    if (NETWORK_WITH_HOST.has(host.by) || (unlistedVerdict(input.profile.network) === 'ask' && isFetched(host, input)))
      judge(host.by === 'redirect' ? '/dev/tcp' : host.by, undefined, host.span, [host], input, found)
  return found
}
