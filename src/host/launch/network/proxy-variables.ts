/** Hosts that programs reach without the proxy: the sandbox's own loopback, in the notations of different programs. */
const DIRECT = 'localhost,127.0.0.1,127.0.0.0/8,::1,[::1],0.0.0.0'

/** Returns the variables that name the proxy. No single spelling works for all programs. */
export function proxyVariables(port: number): readonly (readonly [string, string])[] {
  const http = `http://127.0.0.1:${port}`
  return [
    ...['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY'].map((name) => [name, http] as const),
    ...['no_proxy', 'NO_PROXY'].map((name) => [name, DIRECT] as const),
    ['NODE_USE_ENV_PROXY', '1'],
  ]
}
