import { isIPv4, isIPv6 } from 'node:net'

const GROUPS = 8

/**
 * Returns the bytes of an address in hexadecimal digits, as the kernel prints them. Returns null for an invalid address
 * or one with an interface.
 */
export function addressBytes(address: string): string | null {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number)).toString('hex')
  if (!isIPv6(address) || address.includes('%')) return null
  // Its canonical form has no dots, and at most one gap.
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const cgroupFiles = (text: string): readonly string[] => text.split(':').filter((group) => group !== '')
  const [before, after] = [cgroupFiles(head), cgroupFiles(tail ?? '')]
  const gap = Array.from({ length: GROUPS - before.length - after.length }, () => '0')
  return [...before, ...gap, ...after].map((group) => group.padStart(4, '0')).join('')
}
