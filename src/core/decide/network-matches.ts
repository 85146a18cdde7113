import type { RuleMatch } from '../model/decision.js'
import type { HostFact, Invocation } from '../model/facts.js'
import { isLoopbackHost } from '../model/loopback.js'
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
  'rsync redirect ping ping6 traceroute traceroute6 tracepath mtr dig host nslookup whois nmap'.split(' '),
)
const ASKS_ABOUT_ITSELF = /^(?:--version|--help|-V|-h|--manual)$/
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

const noNetwork = (program: string, span: RuleMatch['span'], { profile }: DecideInput): RuleMatch =>
  match(
    'builtin/network',
    'deny',
    span,
    `Command not allowed: ${program}. It uses the network, and the profile "${profile.name}" allows none.`,
    { program, instead: 'Work with what is here, or set `network` in the profile.' },
  )

const notListed = (program: string, host: string, span: RuleMatch['span'], { profile }: DecideInput): RuleMatch =>
  match(
    'builtin/network',
    'deny',
    span,
    `Command not allowed: ${program}. The host ${host} is not in the list of the profile "${profile.name}".`,
    { program, instead: `Add "${host}" to \`network.hosts\` in the profile.` },
  )

const NAMES_COMMAND = /^git .*\.|^GIT_/

/** `via`: the setting or variable that has another program run it later, for hosts which that program chooses. */
function notNamed(program: string, via: string | undefined, span: RuleMatch['span'], input: DecideInput): RuleMatch {
  const only = `the profile "${input.profile.name}" allows listed hosts only`
  if (via === undefined || !NAMES_COMMAND.test(via))
    return match(
      'builtin/network',
      'deny',
      span,
      `Command not allowed: ${program}. Which host it reaches cannot be read off the command, and ${only}.`,
      { program, instead: 'Write the host out.' },
    )
  const setting = via.replace(/^git /, '')
  return match(
    'builtin/network',
    'deny',
    span,
    `Command not allowed: ${program}. By ${setting}, git runs it with options that may lead to any host, and ${only}.`,
    { program, instead: `Leave ${setting} as it is, or let a person set it.` },
  )
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
  if (network === 'none') found.push(noNetwork(program, span, input))
  else if (hosts.length === 0) found.push(notNamed(program, via, span, input))
  else
    for (const host of away)
      if (!isListed(host, network.hosts)) found.push(notListed(program, host.host, host.span, input))
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

/** Denies what reaches the network past what the profile allows. Not lifted by any allow rule; removed by the name `network`. */
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
  }
  for (const host of hosts)
    if (NETWORK_WITH_HOST.has(host.by))
      judge(host.by === 'redirect' ? '/dev/tcp' : host.by, undefined, host.span, [host], input, found)
  return found
}
