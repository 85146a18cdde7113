import { BlockList, isIP, isIPv6 } from 'node:net'
import { networkInterfaces } from 'node:os'
import { domainToASCII } from 'node:url'
import { isLoopbackHost } from '../../core/model/loopback.js'

interface HostRule {
  /** Labels from the top down: `*.example.com` is `['com', 'example', '*']`. */
  readonly labels: readonly string[]
  readonly port: number | null
}

/** Where a listed name must not lead: this machine, its neighbours, and the metadata services of clouds. */
const INWARD = new BlockList()
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32],
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
  ['::', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 32],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const) {
  INWARD.addSubnet(net, bits, 'ipv6')
}

/** An address in its one spelling; IPv4 inside IPv6 is what it is. Null for what names an interface too (`fe80::1%eth0`). */
function canonicalAddress(address: string): string | null {
  if (!isIPv6(address)) return address
  if (address.includes('%')) return null
  const { hostname } = new URL(`http://[${address}]`)
  const [, high, low] = /^\[::ffff:([\da-f]{1,4}):([\da-f]{1,4})\]$/.exec(hostname) ?? []
  if (high === undefined || low === undefined) return hostname.slice(1, -1)
  const bytes = Buffer.from(`${high.padStart(4, '0')}${low.padStart(4, '0')}`, 'hex')
  return bytes.join('.')
}

/** By its own addresses, too, a machine reaches what it offers to its neighbours only. */
const isOwn = (address: string): boolean =>
  Object.values(networkInterfaces()).some((all) => all?.some((one) => one.address === address))

/** Does this address lie on this machine or in a private network? */
export function isInward(raw: string): boolean {
  const address = isIP(raw) === 0 ? null : canonicalAddress(raw)
  if (address === null) return true
  return INWARD.check(address, isIPv6(address) ? 'ipv6' : 'ipv4') || isOwn(address)
}

/** The one spelling a host has, or null for what is no host: NUL bytes, odd encodings, empty labels. */
export function canonicalHost(host: string): string | null {
  const bare = host.replace(/^\[([\da-f:.]+)\]$/i, '$1').replace(/\.$/, '')
  if (isIP(bare) !== 0) return canonicalAddress(bare)
  // Whatever is not plain printable ASCII or a letter of some script would be read differently by whoever comes next.
  if (!/^[\p{L}\p{N}._-]+$/u.test(bare) || bare.split('.').includes('')) return null
  const ascii = domainToASCII(bare)
  // 0x7f.1 and 2130706433 are addresses to a resolver and names to a list.
  if (ascii === '' || isIP(ascii) !== 0 || /^[\d.]+$|(^|\.)(0x[\da-f]*|\d+)$/i.test(ascii)) return null
  return ascii.toLowerCase()
}

const labelsOf = (host: string): readonly string[] => (isIP(host) === 0 ? host.split('.').reverse() : [host])

/** `host:443` and `[::1]:443` name a port; in a bare `::1` the last group is none. */
function split(text: string): readonly [pattern: string, port: number | null] {
  const [, pattern, port] = /^([^:]*|\[.*\]):(\d+)$/.exec(text) ?? []
  return pattern === undefined ? [text, null] : [pattern, Number(port)]
}

export const withoutPort = (text: string): string => split(text)[0]

/** Parses one entry. Null for an invalid one, and for a loopback host without a port: that is the sandbox's own loopback. */
function parseRule(text: string): HostRule | null {
  const [pattern, port] = split(text)
  if (port === null && isLoopbackHost(pattern)) return null
  if (pattern === '*') return { labels: ['*'], port }
  const isWild = pattern.startsWith('*.')
  const host = canonicalHost(isWild ? pattern.slice(2) : pattern)
  if (host === null || (isWild && isIP(host) !== 0)) return null
  return { labels: [...labelsOf(host), ...(isWild ? ['*'] : [])], port }
}

function matches({ labels, port: wanted }: HostRule, host: readonly string[], port: number): boolean {
  if (wanted !== null && wanted !== port) return false
  const wild = labels.at(-1) === '*'
  const fixed = wild ? labels.slice(0, -1) : labels
  return (
    (wild ? host.length > fixed.length : host.length === fixed.length) && fixed.every((label, i) => label === host[i])
  )
}

/** A host and one port of it. */
export interface Place {
  readonly host: string
  readonly port: number
}

/** Places the list names by an address or by a name without a dot, with a port. */
export function plainPlaces(list: readonly string[]): readonly Place[] {
  return list
    .flatMap((text) => parseRule(text) ?? [])
    .flatMap(({ labels: [host = '', ...more], port }) => (more.length > 0 || port === null ? [] : [{ host, port }]))
}

/** Ports that are listed; null among them where a host is listed with all of its ports. */
export const listedPorts = (list: readonly string[]): readonly (number | null)[] =>
  list.flatMap((text) => parseRule(text) ?? []).map(({ port }) => port)

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
