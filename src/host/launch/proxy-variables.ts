import { hostRules, withoutPort } from './host-rules.js'

/** The wall's own loopback is reached without the proxy, unless the list says that the host's is meant. */
const LOOPBACK: readonly string[] = ['localhost', '127.0.0.1', '::1']

/** By which programs find the proxy: there is no one spelling all of them read. */
export function proxyVariables(port: number, hosts: readonly string[]): readonly (readonly [string, string])[] {
  const http = `http://127.0.0.1:${port}`
  const leaveFor = hostRules(hosts.map(withoutPort))
  const isListed = (name: string): boolean => {
    const leave = leaveFor(name, 1)
    return leave.granted && leave.inward
  }
  const direct = LOOPBACK.filter((name) => !isListed(name)).join(',')
  return [
    ...['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY'].map((name) => [name, http] as const),
    ...['no_proxy', 'NO_PROXY'].map((name) => [name, direct] as const),
    ['NODE_USE_ENV_PROXY', '1'],
  ]
}
