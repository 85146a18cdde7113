import { allowHosts, configuredIn, inSettings } from '../../model/policy/allow-command.js'
import type { RuleMatch } from '../../model/policy/decision.js'
import { hostsOf, unlistedVerdict } from '../../model/policy/network-sets.js'
import type { HostFact, Invocation } from '../../model/run/facts.js'
import { type DecideInput, match } from '../match/input.js'
import { isOwnLoopback } from '../match/local-host.js'
import type { Example } from './denial.js'

/** Programs whose purpose is to reach other machines. For others that also can (git, npm, pip), the sandbox decides. */
const NETWORK_PROGRAMS = new Set(
  'curl wget wget2 aria2c axel curlie http https httpie xh nc ncat netcat nc.openbsd nc.traditional socat telnet ssh slogin mosh scp sftp ftp lftp ncftp tftp'.split(
    ' ',
  ),
)
/** Programs that use the network only with a host on the command line; otherwise they work locally. */
const NETWORK_WITH_HOST = new Set(
  'rsync redirect ping ping6 fping hping3 arping arp-scan traceroute traceroute6 tracepath tracepath6 tcptraceroute mtr dig delv kdig drill host nslookup whois nmap zmap masscan'.split(
    ' ',
  ),
)
const ASKS_ABOUT_ITSELF = /^(?:--version|--help|-V|-h|--manual)$/
/** Programs that download. A host on their command line needs approval if the profile asks about unlisted hosts. */
const FETCHES = new Set('git hg svn pip pip3 uv npm npx pnpm yarn bun cargo go gem bundle'.split(' '))
/** Subcommands of git that connect to the address on the line; others only write it down. */
const GIT_FETCHES = /^(?:clone|fetch|pull|push|ls-remote|submodule|archive|fetch-pack|send-pack)$/
/** Files that hold tokens, also inside a project. */
const HOLDS_TOKENS = /(?:^|\/)\.(?:npmrc|yarnrc(?:\.yml)?|pypirc|netrc|env(?:\.[\w.-]+)?|git-credentials)$/
const NETCAT = /^(?:nc|ncat|netcat|nc\.openbsd|nc\.traditional)$/
const LISTENS = /^(?:-[a-zA-Z]*l[a-zA-Z]*|--listen)$/
const SOCAT_LISTENS = /^[a-z0-9]+-(?:listen|l|recv|recvfrom)\d?:/i
/** Addresses of socat in the same sandbox. */
const SOCAT_LOCAL = /^(?:-|stdio|stdin|stdout|pipe(?::.*)?|unix-connect:[^,!]*)$/i
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
    'curl -K settings',
    'wget -i list',
    'wget -q http://example.com',
    'nc example.com 80',
    'rsync a example.com:b',
    'echo x > /dev/tcp/example.com/80',
    ['curl', 'x'],
  ],
  misses: [
    'curl --version',
    'curl',
    'wget -q',
    'curl unknown://example.com',
    'curl localhost:3000',
    'nc -z 127.0.0.1 5432',
    'nc -lk 8080',
    'rsync -a src/ copy/',
    'echo curl example.com',
    'git status',
    'npm test',
  ],
}

/** Reports whether the profile lists a host. If the command names no port, the sandbox checks the port. */
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

/** Returns a host for comparison: lower case, without brackets and the final dot. */
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
  const isHost = named !== null && CAN_BE_NAMED.test(named)
  const own = host === undefined ? '' : configuredIn(bareName(host.host), host.port, input.surroundings.registries)
  const reason = `Command not allowed: ${program}. Profile "${input.profile.name}" allows no network access.`
  const instead = 'Use local files only.'
  const remedy = isHost ? allowHosts(named, input.profile.name) : null
  return match('builtin/network', 'deny', span, reason + own, { program, instead, remedy })
}

/** Asks or denies for a host outside the list, by the profile. An approval opens the host for this command. */
function notListed(program: string, { host, port, span }: HostFact, input: DecideInput): RuleMatch {
  const verdict = unlistedVerdict(input.profile.network)
  const name = bareName(host)
  const entry = port === null ? name : `${name.includes(':') ? `[${name}]` : name}:${port}`
  const not = verdict === 'ask' ? `${program} reaches` : `Command not allowed: ${program}.`
  const reason =
    verdict === 'ask'
      ? `${not} ${host}. Profile "${input.profile.name}" does not list this host.`
      : `${not} Profile "${input.profile.name}" does not list the host ${host}.`
  const remedy = CAN_BE_NAMED.test(name)
    ? allowHosts(name, input.profile.name)
    : inSettings(`add ${JSON.stringify(host)} to \`network.hosts\``, input.profile.name)
  const lifts = verdict === 'ask' && CAN_BE_NAMED.test(name) ? { hosts: [entry] } : undefined
  const own = configuredIn(name, port, input.surroundings.registries)
  return match('builtin/network', verdict, span, reason + own, { program, remedy, lifts })
}

const NAMES_COMMAND = /^git .*\.|^GIT_/

/** `via`: the setting or variable that has another program run it later, for hosts which that program chooses. */
function notNamed(program: string, via: string | undefined, span: RuleMatch['span'], input: DecideInput): RuleMatch {
  const verdict = unlistedVerdict(input.profile.network)
  const only = `Profile "${input.profile.name}" allows listed hosts only.`
  const begin = verdict === 'ask' ? '' : `Command not allowed: ${program}. `
  // An approval opens every host: which one it is, no one can say before it runs.
  const lifts = verdict === 'ask' ? { hosts: ['*'] } : undefined
  if (via !== undefined && NAMES_COMMAND.test(via)) {
    const setting = via.replace(/^git /, '')
    const reason = `${begin}${setting} makes git run ${program} with options that can reach any host. ${only}`
    return match('builtin/network', verdict, span, reason, {
      program,
      instead: `Leave ${setting} unchanged, or ask a person to set it.`,
      lifts,
    })
  }
  const reason = `${begin}The command line does not show which host ${program} reaches. ${only}`
  return match('builtin/network', verdict, span, reason, {
    program,
    instead: 'Write the host name on the command line.',
    lifts,
  })
}

/** Returns the matches for one use of a program and the hosts it names. */
function judge(
  program: string,
  via: string | undefined,
  span: RuleMatch['span'],
  hosts: readonly HostFact[],
  input: DecideInput,
): readonly RuleMatch[] {
  const { network } = input.profile
  const away = hosts.filter(({ host }) => !isOwnLoopback(host, input))
  if (network === 'full' || (hosts.length > 0 && away.length === 0)) return []
  if (network === 'none') return [noNetwork(program, span, away[0], input)]
  if (hosts.length === 0) return [notNamed(program, via, span, input)]
  return away.filter((host) => !isListed(host, hostsOf(network))).map((host) => notListed(program, host, input))
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

const SETTINGS = /^(?:-[a-zA-Z]*K|--conf)/
/** Options that take addresses from a file, and settings that name some. */
const TAKES_ADDRESSES = /^(?:-[a-zA-Z]*[Kie]|--(?:conf|inp|exec|base))/

/** Recognises `curl -s` and `curl foo://x`: without a URL of a known scheme, curl fails before it connects. */
const namesNoAddress = ({ program, argv, span }: Invocation, { text }: DecideInput): boolean =>
  /^(?:curl|wget2?)$/.test(program ?? '') &&
  // A variable that is not set here may be set outside.
  !/[$`]/.test(text.slice(...span)) &&
  argv
    .slice(1)
    .every(
      (arg) =>
        typeof arg === 'string' &&
        /^-|^[a-z][a-z0-9+.-]*:\/\//i.test(arg) &&
        !(program === 'curl' ? SETTINGS : TAKES_ADDRESSES).test(arg),
    )

/** `curl file:///path`: every address it names is a file. */
const onlyReadsFiles = ({ program, argv }: Invocation): boolean =>
  program === 'curl' &&
  argv.some((arg) => typeof arg === 'string' && /^file:\/\/(?:localhost)?\//i.test(arg)) &&
  argv.every((arg) => typeof arg === 'string' && !SETTINGS.test(arg))

/**
 * Recognises `nc -l 8080`, `socat TCP-LISTEN:80 EXEC:cat` and `socat - UNIX-CONNECT:x`. Their other ends are programs
 * of the same sandbox.
 */
function onlyListens({ program, argv }: Invocation, { profile }: DecideInput): boolean {
  if (profile.sandbox !== 'required') return false
  const args = argv.slice(1)
  if (NETCAT.test(program ?? '')) return args.some((arg) => typeof arg === 'string' && LISTENS.test(arg))
  const listens = (arg: Invocation['argv'][number]): boolean => typeof arg === 'string' && SOCAT_LISTENS.test(arg)
  const stays = (arg: Invocation['argv'][number]): boolean => typeof arg === 'string' && !SOCAT_CONNECTS.test(arg)
  if (program !== 'socat') return false
  const isLocal = (arg: Invocation['argv'][number]): boolean => typeof arg === 'string' && SOCAT_LOCAL.test(arg)
  return (
    (args.some(listens) && args.every((arg) => listens(arg) || stays(arg))) || (args.length > 0 && args.every(isLocal))
  )
}

/** Does a program that also works without a network name this host to fetch from it or send to it? */
function isFetched({ by, host, span }: HostFact, { facts }: DecideInput): boolean {
  if (!FETCHES.has(by) || !/[.:]/.test(host)) return false
  const part = facts.invocations.find((one) => one.program === by && span[0] >= one.span[0] && span[1] <= one.span[1])
  return (
    part !== undefined && (by !== 'git' || part.argv.some((arg) => typeof arg === 'string' && GIT_FETCHES.test(arg)))
  )
}

/**
 * Asks about `wget "https://host/$(cat .npmrc)"`: an argument holds the content of a token file, even for a listed
 * host.
 */
function carriesToken({ program, argv, span }: Invocation, { facts }: DecideInput): RuleMatch | null {
  if (argv.every((one) => typeof one === 'string')) return null
  const read = facts.reads.find(
    (one) => one.span[0] >= span[0] && one.span[1] <= span[1] && HOLDS_TOKENS.test(one.path),
  )
  if (read === undefined) return null
  const reason = `${program} may send the content of ${read.path} to another machine.`
  return match('builtin/network', 'ask', read.span, reason, { program, instead: 'Do not send files that hold tokens.' })
}

/**
 * Denies network use that the profile does not allow, or asks if the profile asks about unlisted hosts. No allow rule
 * lifts it; the name `network` in `builtins.removed` does.
 */
export function networkMatches(input: DecideInput): readonly RuleMatch[] {
  const { invocations, hosts } = input.facts
  const found: RuleMatch[] = []
  if (input.profile.network === 'full') return found
  for (const part of invocations) {
    if (!isUse(part)) continue
    const { program, span, via } = part
    const named = hosts.filter((host) => host.by === program && isWithin(host, span))
    if (named.length === 0 && (onlyListens(part, input) || onlyReadsFiles(part) || namesNoAddress(part, input)))
      continue
    found.push(...judge(program ?? '', via.at(-1), span, named, input))
    const carried = named.every(({ host }) => isOwnLoopback(host, input)) ? null : carriesToken(part, input)
    if (carried !== null) found.push(carried)
  }
  for (const host of hosts)
    if (NETWORK_WITH_HOST.has(host.by) || (unlistedVerdict(input.profile.network) === 'ask' && isFetched(host, input)))
      found.push(...judge(host.by === 'redirect' ? '/dev/tcp' : host.by, undefined, host.span, [host], input))
  return found
}
