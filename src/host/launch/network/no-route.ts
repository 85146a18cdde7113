import { closeSync, openSync, readlinkSync, readSync } from 'node:fs'

const BYTES = 65_536
/**
 * Kernel counters of packets without a route, and of datagrams to an unserved port of the loopback, as to a name server
 * there.
 */
const COUNTERS: readonly (readonly [protocol: string, counter: string])[] = [
  ['Ip:', 'OutNoRoutes'],
  ['Udp:', 'NoPorts'],
]

/** Notices attempts to use the network in a network namespace without a route. */
export class NoRoute {
  readonly #files: readonly number[]

  private constructor(files: readonly number[]) {
    this.#files = files
  }

  /**
   * `pid` is a process in the namespace; the counters stay readable after its end. Returns null if it has ended or has
   * no namespace yet.
   */
  static open(pid: number): NoRoute | null {
    const files: number[] = []
    try {
      if (readlinkSync(`/proc/${pid}/ns/net`) === readlinkSync('/proc/self/ns/net')) return null
      files.push(openSync(`/proc/${pid}/net/snmp`, 'r'))
      files.push(openSync(`/proc/${pid}/net/snmp6`, 'r'))
    } catch {
      // Kernels without IPv6 have the first file only.
    }
    return files.length === 0 ? null : new NoRoute(files)
  }

  /** Returns true if there were attempts, and forgets the namespace. */
  finish(): boolean {
    const wasTried = this.#files.some((file) => attempts(file) > 0)
    for (const file of this.#files) closeSync(file)
    return wasTried
  }
}

/**
 * Sums the counters. The IPv4 file has a line of names above a line of numbers; the IPv6 file has a line for each
 * counter.
 */
function attempts(file: number): number {
  const buffer = Buffer.alloc(BYTES)
  const lines = buffer.toString('latin1', 0, readSync(file, buffer, 0, BYTES, 0)).split('\n')
  const counts = COUNTERS.map(([protocol, counter]) => {
    const [names, numbers] = lines.filter((line) => line.startsWith(protocol)).map((line) => line.split(' '))
    const six = lines.find((line) => line.startsWith(`${protocol.slice(0, -1)}6${counter}`))
    return Number(numbers?.[names?.indexOf(counter) ?? -1] ?? six?.split(/\s+/)[1] ?? 0)
  })
  return counts.reduce((sum, count) => sum + count, 0)
}
