import { join } from 'node:path'
import { readUntrustedFile } from '../untrusted-files/read-untrusted-file.js'

/** A registry in the settings of a person. Only the host is stored, because the URL may contain a token. */
export interface OwnRegistry {
  readonly tool: string
  /** `~/.npmrc`. */
  readonly file: string
  /** `npm.example.com:443`. */
  readonly host: string
}

const MAX_BYTES = 65_536
const PORTS: Readonly<Record<string, number>> = { 'https:': 443, 'http:': 80 }

/** Settings files below the home, and the lines of them that name a registry. */
const FILES: readonly (readonly [tool: string, file: string, line: RegExp])[] = [
  ['npm', '.npmrc', /^\s*(?:@[\w.-]+:)?registry\s*=\s*(\S+)/],
  ...['.config/pip/pip.conf', '.pip/pip.conf', '.pip/pip.ini'].map(
    (file) => ['pip', file, /^\s*(?:extra-)?index-url\s*=\s*(\S+)/] as const,
  ),
  ...['.cargo/config.toml', '.cargo/config'].map(
    (file) => ['cargo', file, /^\s*(?:registry|index)\s*=\s*["'](?:sparse\+)?(\S+?)["']/] as const,
  ),
]

const textOf = (path: string): string => readUntrustedFile(path, MAX_BYTES, 'follow')?.toString('utf8') ?? ''

function hostOf(address: string): readonly string[] {
  try {
    const { protocol, hostname, port } = new URL(address.replace(/^["']|["']$/g, ''))
    const usual = PORTS[protocol]
    return usual === undefined || !/^[\w.-]+$/.test(hostname) ? [] : [`${hostname}:${port === '' ? usual : port}`]
  } catch {
    return []
  }
}

/** Returns the registries that the npm, pip and cargo settings in a home name. */
export function ownRegistries(home: string): readonly OwnRegistry[] {
  const found = FILES.flatMap(([tool, file, line]) =>
    textOf(join(home, file))
      .split('\n')
      .flatMap((text) => hostOf(line.exec(text)?.[1] ?? ''))
      .map((host) => ({ tool, file: `~/${file}`, host })),
  )
  return [...new Map(found.map((one) => [`${one.tool} ${one.host}`, one])).values()]
}
