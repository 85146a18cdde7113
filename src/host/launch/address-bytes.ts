import { isIPv4, isIPv6 } from 'node:net'

const GROUPS = 8

/** The bytes of an address in hexadecimal digits, as the kernel has them; null for what is none, or names an interface too. */
export function addressBytes(address: string): string | null {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number)).toString('hex')
  if (!isIPv6(address) || address.includes('%')) return null
  // In its one spelling it has no dots, and at most one gap.
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const groups = (text: string): readonly string[] => text.split(':').filter((group) => group !== '')
  const [before, after] = [groups(head), groups(tail ?? '')]
  const gap = Array.from({ length: GROUPS - before.length - after.length }, () => '0')
  return [...before, ...gap, ...after].map((group) => group.padStart(4, '0')).join('')
}
