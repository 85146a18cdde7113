import { BlockList, isIP, isIPv6 } from 'node:net'
import { networkInterfaces } from 'node:os'
import { domainToASCII } from 'node:url'
import { isLoopbackHost } from '../../../core/model/basics/loopback.js'

interface HostRule {
  /** Labels from the top down: `*.example.com` is `['com', 'example', '*']`. */
  readonly labels: readonly string[]
  readonly port: number | null
}

/** Addresses that no listed name may lead to: this machine, its neighbours, and the metadata services of clouds. */
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

/**
 * Returns an address in its canonical form, IPv4 inside IPv6 as IPv4. Returns null for one with an interface
 * (`fe80::1%eth0`).
 */
function canonicalAddress(address: string): string | null {
  if (!isIPv6(address)) return address
  if (address.includes('%')) return null
  const { hostname } = new URL(`http://[${address}]`)
  const [, high, low] = /^\[::ffff:([\da-f]{1,4}):([\da-f]{1,4})\]$/.exec(hostname) ?? []
  if (high === undefined || low === undefined) return hostname.slice(1, -1)
  const bytes = Buffer.from(`${high.padStart(4, '0')}${low.padStart(4, '0')}`, 'hex')
  return bytes.join('.')
}

/** A machine also reaches its private services by its own addresses. */
const isOwn = (address: string): boolean =>
  Object.values(networkInterfaces()).some((all) => all?.some((one) => one.address === address))

/** Tells if an address belongs to this machine or a private network. */
export function isInward(raw: string): boolean {
  const address = isIP(raw) === 0 ? null : canonicalAddress(raw)
  if (address === null) return true
  return INWARD.check(address, isIPv6(address) ? 'ipv6' : 'ipv4') || isOwn(address)
}

/** Returns the canonical form of a host. Returns null for an invalid one: NUL bytes, odd encodings, empty labels. */
export function canonicalHost(host: string): string | null {
  const bare = host.replace(/^\[([\da-f:.]+)\]$/i, '$1').replace(/\.$/, '')
  if (isIP(bare) !== 0) return canonicalAddress(bare)
  // Another program would read any other character differently.
  if (!/^[\p{L}\p{N}._-]+$/u.test(bare) || bare.split('.').includes('')) return null
  const ascii = domainToASCII(bare)
  // 0x7f.1 and 2130706433 are addresses to a resolver and names to a list.
  if (ascii === '' || isIP(ascii) !== 0 || /^[\d.]+$|(^|\.)(0x[\da-f]*|\d+)$/i.test(ascii)) return null
  return ascii.toLowerCase()
}

const labelsOf = (host: string): readonly string[] => (isIP(host) === 0 ? host.split('.').reverse() : [host])

/** Splits off a port, as in `host:443` and `[::1]:443`. In a bare `::1` the last group is not a port. */
function split(text: string): readonly [pattern: string, port: number | null] {
  const [, pattern, port] = /^([^:]*|\[.*\]):(\d+)$/.exec(text) ?? []
  return pattern === undefined ? [text, null] : [pattern, Number(port)]
}

export const withoutPort = (text: string): string => split(text)[0]

/**
 * Parses one entry. Returns null for an invalid one, and for a loopback host without a port, which is the sandbox's own
 * loopback.
 */
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

export interface HostAddress {
  readonly host: string
  readonly port: number
}

/** Returns list entries with a port that are addresses or names without a dot. */
export function plainAddresses(list: readonly string[]): readonly HostAddress[] {
  return list
    .flatMap((text) => parseRule(text) ?? [])
    .flatMap(({ labels: [host = '', ...more], port }) => (more.length > 0 || port === null ? [] : [{ host, port }]))
}

/** Returns the listed ports. Null stands for a host with all of its ports. */
export const listedPorts = (list: readonly string[]): readonly (number | null)[] =>
  list.flatMap((text) => parseRule(text) ?? []).map(({ port }) => port)

/** Permission to reach a host, and to reach it even if its name leads inward. */
export type HostPermission =
  | { readonly granted: false }
  | { readonly granted: true; readonly host: string; readonly inward: boolean }

/**
 * Compiles the profile's host list. Names are compared label by label; `*.` covers every name below; a port restricts
 * the entry.
 */
export function hostRules(list: readonly string[]): (host: string, port: number) => HostPermission {
  const rules = list.flatMap((text) => parseRule(text) ?? [])
  return (raw, port) => {
    const host = canonicalHost(raw)
    if (host === null) return { granted: false }
    const rule = rules.find((candidate) => matches(candidate, labelsOf(host), port))
    if (rule === undefined) return { granted: false }
    return { granted: true, host, inward: rule.labels.length === 1 && rule.labels[0] === host }
  }
}
