import type { HostFact, Invocation } from '../../model/run/facts.js'
import type { DecideInput } from '../match/input.js'
import { isLocalHost } from '../match/local-host.js'

const has = ({ argv }: Invocation, pattern: RegExp): boolean =>
  argv.some((argument) => typeof argument === 'string' && pattern.test(argument))

/** Options of curl and wget that send something, shortened as both let them be, and methods that change something. */
const SENDING_OPTION = /^(?:-(?!-)[A-Za-z#]*(?:[dFT])(?![a-z]*-)|--(?:dat|jso|form|upl|post-|body-)[a-z-]*(?:=|$))/
const METHOD = /^(?:-(?!-)[A-Za-z#]*X|--(?:request|method)(?:=|$))/
const CHANGING = /^=?(?:post|put|patch|delete)$/i
/** Data is put into the address, as that of a search is. */
const GETS = /^(?:-(?!-)[A-Za-z#]*G[A-Za-z#]*|--get)$/

/** Reports whether `--data-urlencode name@file` puts the content of a file into the URL. */
const sendsFile = (option: string, next: Invocation['argv'][number] | undefined): boolean =>
  /^[\w.-]*@/.test(/^(?:-\w|--[\w-]+=)(.+)$/.exec(option)?.[1] ?? (typeof next === 'string' ? next : ''))

function sends(part: Invocation): boolean {
  const { argv, program } = part
  if (/^(?:http|https|httpie|xh|xhs)$/.test(program ?? ''))
    return argv.slice(1).some((one, i, all) => {
      if (typeof one !== 'string' || one.startsWith('-')) return false
      if (CHANGING.test(one)) return true
      return i > 0 && !/^https?:/.test(one) && all.length > 1 && /^[\w.-]+(?::?=|=@|@)(?!=)/.test(one)
    })
  return argv.some((argument, i) => {
    const one = typeof argument === 'string' ? argument : (argument.prefix ?? '')
    if (i === 0 || one === '') return false
    if (SENDING_OPTION.test(one) && !/^(?:-G|--get)$/.test(one)) return !has(part, GETS) || sendsFile(one, argv[i + 1])
    if (/^--url-query(?:=|$)/.test(one)) return sendsFile(one, argv[i + 1])
    const method = METHOD.exec(one)?.[0]
    if (method === undefined) return false
    const value = one.slice(method.length) || argv[i + 1]
    return typeof value === 'string' && CHANGING.test(value)
  })
}

const HEADER_OPTION = /^(?:-(?!-)[A-Za-z#]*[HAbeu]|--(?:header|user-agent|cookie|referer|user|oauth2-bearer))(?:=|$)/

/** Reports whether a header gets the content of a file: `curl -H "x: $(cat notes)"`. */
function carriesFile(part: Invocation, { facts }: DecideInput): boolean {
  const isFilled = part.argv.some((one, i) => {
    if (typeof one === 'string') return false
    const before = part.argv[i - 1]
    return HEADER_OPTION.test(one.prefix ?? (typeof before === 'string' ? before : ''))
  })
  return isFilled && facts.reads.some((read) => read.by !== part.program && isOwn(read, part))
}

const isOwn = ({ span }: Pick<HostFact, 'span'>, part: Invocation): boolean =>
  span[0] >= part.span[0] && span[1] <= part.span[1]

/** Reports whether curl, wget or a similar program sends data to another machine or changes data there. */
export function sendsAway(part: Invocation, input: DecideInput): boolean {
  const { facts } = input
  if (!sends(part) && !carriesFile(part, input)) return false
  const hosts = facts.hosts.filter((host) => host.by === part.program && isOwn(host, part))
  return hosts.length === 0 ? !has(part, /^(?:https?:\/\/)?:\d+/) : hosts.some(({ host }) => !isLocalHost(host))
}
