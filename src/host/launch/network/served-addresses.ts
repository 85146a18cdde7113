import { addressBytes } from './address-bytes.js'
import { listedPorts, plainAddresses } from './host-rules.js'

/**
 * Ports of hosts that are listed without a port, for programs that do not use the proxy. The proxy serves every port.
 */
const USUAL_PORTS: readonly number[] = [
  ...[22, 25, 80, 143, 389, 443, 465, 587, 636, 873, 993, 995, 1433, 1521, 1883, 2375, 2376, 2379, 3000, 3128, 3306],
  ...[4000, 4317, 4318, 5000, 5432, 5671, 5672, 6379, 6443, 7687, 8000, 8080, 8081, 8086, 8088, 8200, 8443, 8500, 8888],
  ...[9000, 9042, 9090, 9092, 9200, 9418, 9443, 11211, 11434, 26257, 27017, 50051],
]

/** Returns the ports of every address for programs that do not use the proxy. */
export const servedPorts = (hosts: readonly string[]): readonly number[] => [
  ...new Set(listedPorts(hosts).flatMap((port) => port ?? USUAL_PORTS)),
]

/** Returns addresses of the host's loopback. An entry needs a port, because programs inside have their own loopback. */
export const hostLoopback = (hosts: readonly string[]): readonly string[] =>
  plainAddresses(hosts).flatMap(({ host, port }) => {
    const addresses = host === 'localhost' ? ['127.0.0.1', '::1'] : isLoopback(host) ? [host] : []
    return addresses.map((address) => `${addressBytes(address)}:${port}`)
  })

export const isLoopback = (address: string): boolean => address === '::1' || /^127\.[\d.]+$/.test(address)
