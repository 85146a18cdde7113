const HTTP_PORT = 80
const PORT_DIGITS = 5
/** Matches a header: names are tokens, values any bytes but control characters. A continuation line does not match. */
const HEADER = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([^\0-\x08\x0a-\x1f\x7f]*)$/
const REQUEST = /^([A-Z]{1,20}) ([\x21-\x7e]+) HTTP\/1\.[01]$/
const WITHOUT_BODY = /^(?:GET|HEAD|DELETE|OPTIONS|TRACE)$/
/** Headers of one hop, which are not forwarded. */
const HOP = new Set('connection keep-alive te trailer upgrade expect host'.split(' '))
const FRAMING = new Set(['content-length', 'transfer-encoding'])

type Header = readonly [name: string, value: string]

/** Request of a client to the proxy. */
export interface ProxyRequest {
  readonly host: string
  readonly port: number
  /** Null for a tunnel. */
  readonly forward: {
    /** Returns the head for the server, with the checked host. */
    readonly head: (host: string) => string
    /** Bytes of the body. Infinity if it is chunked. */
    readonly bodyBytes: number
  } | null
}

/** Splits host and port as written. The rules judge odd forms. */
function hostAndPort(authority: string, defaultPort: number): { readonly host: string; readonly port: number } {
  const colon = authority.lastIndexOf(':')
  const port = colon < 0 ? '' : authority.slice(colon + 1)
  if (!/^\d+$/.test(port) || port.length > PORT_DIGITS) return { host: authority, port: defaultPort }
  return { host: authority.slice(0, colon), port: Number(port) }
}

function headersOf(lines: readonly string[]): readonly Header[] | null {
  const headers: Header[] = []
  for (const line of lines) {
    const [, name, value] = HEADER.exec(line) ?? []
    if (name === undefined || value === undefined) return null
    headers.push([name, value])
  }
  return headers
}

const valuesOf = (headers: readonly Header[], wanted: string): readonly string[] =>
  headers.flatMap(([name, value]) => (name.toLowerCase() === wanted ? value.trim() : []))

/** Returns the length of the body. Returns null for two lengths, or for one that programs read differently. */
function bodyBytesOf(headers: readonly Header[]): number | null {
  const [length, ...lengths] = valuesOf(headers, 'content-length')
  const [coding, ...codings] = valuesOf(headers, 'transfer-encoding')
  if (lengths.length + codings.length > 0 || (length !== undefined && coding !== undefined)) return null
  if (coding !== undefined) return coding.toLowerCase() === 'chunked' ? Number.POSITIVE_INFINITY : null
  if (length === undefined) return 0
  return /^\d{1,15}$/.test(length) ? Number(length) : null
}

function headersFor(method: string, headers: readonly Header[], host: string, port: number): readonly Header[] {
  const named = new Set(
    valuesOf(headers, 'connection')
      .join(',')
      .toLowerCase()
      .split(/[\s,]+/),
  )
  const isKept = (name: string): boolean =>
    FRAMING.has(name) || !(HOP.has(name) || named.has(name) || name.startsWith('proxy-'))
  const kept = headers.filter(([name]) => isKept(name.toLowerCase()))
  const isFramed = kept.some(([name]) => FRAMING.has(name.toLowerCase()))
  const authority = host.includes(':') ? `[${host}]` : host
  return [
    ['Host', port === HTTP_PORT ? authority : `${authority}:${port}`],
    ...kept,
    ...(isFramed || WITHOUT_BODY.test(method) ? [] : [['Content-Length', '0'] as const]),
    ['Connection', 'close'],
  ]
}

/**
 * Parses the head of a proxy request, without the empty line at its end. Returns null for a request that programs could
 * read differently.
 */
export function parseProxyHead(text: string): ProxyRequest | null {
  const [first = '', ...lines] = text.split('\r\n')
  const [, method, target] = REQUEST.exec(first) ?? []
  const headers = headersOf(lines)
  if (method === undefined || target === undefined || headers === null) return null
  if (method === 'CONNECT') return { ...hostAndPort(target, 0), forward: null }
  const [, authority, rest = ''] = /^http:\/\/([^/?#]+)([^#]*)$/i.exec(target) ?? []
  const bodyBytes = bodyBytesOf(headers)
  if (authority === undefined || bodyBytes === null) return null
  const { host, port } = hostAndPort(authority, HTTP_PORT)
  const path = rest.startsWith('/') ? rest : `/${rest}`
  const head = (checked: string): string =>
    [
      `${method} ${path} HTTP/1.1`,
      ...headersFor(method, headers, checked, port).map(([name, value]) => `${name}: ${value}`),
      '\r\n',
    ].join('\r\n')
  return { host, port, forward: { head, bodyBytes } }
}
