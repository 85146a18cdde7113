import { BlockList, isIP, isIPv6 } from 'node:net'
import { domainToASCII } from 'node:url'

interface HostRule {
  /** Labels from the top down: `*.example.com` is `['com', 'example', '*']`. */
  readonly labels: readonly string[]
  readonly text: string
  readonly port: number | null
}

/** Where a listed name must not lead: this machine, its neighbours, and the metadata services of clouds. */
const INWARD = new BlockList()
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const) {
  INWARD.addSubnet(net, bits, 'ipv4')
}
for (const [net, bits] of [
  ['::', 127],
  ['64:ff9b::', 96],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const) {
  INWARD.addSubnet(net, bits, 'ipv6')
}

/** Does this address lie on this machine or in a private network? IPv4 inside IPv6 counts as what it is. */
export function isInward(address: string): boolean {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return INWARD.check(mapped, 'ipv4')
  if (/^::ffff:/i.test(address)) return true
  return INWARD.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}

/** The one spelling a host has, or null for what is no host: NUL bytes, odd encodings, empty labels. */
export function canonicalHost(host: string): string | null {
  const bare = host.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
  if (isIP(bare) !== 0) return bare.toLowerCase()
  // Whatever is not plain printable ASCII or a letter of some script would be read differently by whoever comes next.
  if (!/^[\p{L}\p{N}._-]+$/u.test(bare) || bare.split('.').includes('')) return null
  const ascii = domainToASCII(bare)
  // 0x7f.1 and 2130706433 are addresses to a resolver and names to a list.
  if (ascii === '' || isIP(ascii) !== 0 || /^[\d.]+$|(^|\.)0x[\da-f]*$/i.test(ascii)) return null
  return ascii.toLowerCase()
}

const labelsOf = (host: string): readonly string[] => (isIP(host) === 0 ? host.split('.').reverse() : [host])

function parseRule(text: string): HostRule | null {
  const [, pattern = text, port] = /^(.*?)(?::(\d+))?$/.exec(text) ?? []
  const wildcard = pattern.startsWith('*.')
  if (pattern === '*') return { labels: ['*'], text, port: port === undefined ? null : Number(port) }
  const host = canonicalHost(wildcard ? pattern.slice(2) : pattern)
  if (host === null) return null
  return {
    labels: [...labelsOf(host), ...(wildcard ? ['*'] : [])],
    text,
    port: port === undefined ? null : Number(port),
  }
}

function matches({ labels, port: wanted }: HostRule, host: readonly string[], port: number): boolean {
  if (wanted !== null && wanted !== port) return false
  const wild = labels.at(-1) === '*'
  const fixed = wild ? labels.slice(0, -1) : labels
  return (
    (wild ? host.length > fixed.length : host.length === fixed.length) && fixed.every((label, i) => label === host[i])
  )
}

/** Leave to reach a host: whether, and whether even where its name leads inward. */
export type Leave =
  | { readonly granted: false }
  | { readonly granted: true; readonly host: string; readonly inward: boolean }

/** The profile's list of hosts: names compared label by label, `*.` for every name below, a port where one is given. */
export function hostRules(list: readonly string[]): (host: string, port: number) => Leave {
  const rules = list.flatMap((text) => parseRule(text) ?? [])
  return (raw, port) => {
    const host = canonicalHost(raw)
    if (host === null) return { granted: false }
    const rule = rules.find((candidate) => matches(candidate, labelsOf(host), port))
    if (rule === undefined) return { granted: false }
    return { granted: true, host, inward: rule.labels.length === 1 && rule.labels[0] === host }
  }
}
