import type { PathFact } from '../model/facts.js'
import type { Span } from '../model/span.js'
import { linkedPath, physicalPath } from './physical-path.js'
import type { Arg } from './programs/knowledge.js'
import type { Reading } from './reading.js'
import type { State } from './state.js'

/** Notes a path that is read, written or deleted. What is not known of it is left out, and said so. */
export function addPath(
  reading: Reading,
  state: State,
  kind: 'reads' | 'writes' | 'deletes',
  arg: Arg,
  by: string,
  recursive: boolean,
  cwd: string | null = state.cwd,
): void {
  if (reading.remote > 0 || arg.text === '') return
  const text = arg.text ?? arg.unknown?.glob ?? arg.head
  if (arg.options !== undefined) {
    for (const option of arg.options)
      if (option !== '') addPath(reading, state, kind, { ...bare(arg), text: option, head: option }, by, recursive, cwd)
    if (text !== '' && arg.options.includes(text)) return
  }
  if (cwd === null && cwd === state.cwd && text !== '' && !text.startsWith('/'))
    for (const place of state.places) addPath(reading, state, kind, bare(arg), by, recursive, place)
  const isRelative = !text.startsWith('/')
  const partial = arg.text === null || (cwd === null && isRelative)
  reading.work.add(4 + ((text.length + (isRelative ? (cwd?.length ?? 0) : 0)) >> 1))
  if (text === '' || (isRelative && cwd === null)) {
    addOne(reading, kind, text, arg, by, recursive, partial)
    return
  }
  addOne(reading, kind, physicalPath(reading, text, cwd ?? '/'), arg, by, recursive, partial)
  if (!reading.memory.hasLinks) return
  const linked = linkedPath(reading, text, cwd ?? '/', kind !== 'deletes')
  if (linked !== null) addOne(reading, kind, linked, arg, by, recursive, partial)
}

/** The same without what it can be. */
function bare({ options: _, ...arg }: Arg): Arg {
  return arg
}

function addOne(
  reading: Reading,
  kind: 'reads' | 'writes' | 'deletes',
  path: string,
  arg: Arg,
  by: string,
  recursive: boolean,
  partial: boolean,
): void {
  reading.findings.path(kind, factOf(path, arg.span, by, recursive, partial))
  if (!partial) reading.ask({ ask: 'path', path })
  else if (path.startsWith('/')) {
    reading.ask({ ask: 'path', path: path.slice(0, Math.max(1, fixedEnd(path))) })
  }
}

/** Where the directory ends that stands before the first pattern, or before the last name where there is none. */
function fixedEnd(path: string): number {
  let slash = -1
  for (let i = 0; i < path.length; i++) {
    const c = path.charCodeAt(i)
    if (c === 0x2f) slash = i
    else if (c === 0x2a || c === 0x3f || c === 0x5b || c === 0x28) break
  }
  return slash
}

/** Without the fields that have nothing to say. */
function factOf(path: string, span: Span, by: string, recursive: boolean, partial: boolean): PathFact {
  if (recursive) return partial ? { path, span, by, recursive, partial } : { path, span, by, recursive }
  return partial ? { path, span, by, partial } : { path, span, by }
}

export function addHost(reading: Reading, host: string, port: number | null, span: Span, by: string): void {
  if (host !== '' && reading.remote === 0) reading.findings.host({ host, port, span, by })
}

/** The host in a URL, `user@host:port`, `host:path` or plain host. */
export function addHostOf(reading: Reading, arg: Arg, how: 'host' | 'url', by: string): void {
  // Bash takes the brackets of `http://[::1]:80/` for a glob, and leaves it as it is where no file matches.
  const glob = arg.unknown?.glob
  const text = arg.text ?? (glob !== undefined && IN_BRACKETS.test(glob) ? glob : arg.head)
  if (arg.text === null && SCHEME_ALONE.test(text)) return
  const url = /^(?:[a-z][a-z0-9+.-]*:)?\/\/(?:[^/@\s]*@)?(\[[^\]]+\]|[^/:?#\s]+)(?::(\d+))?/i.exec(text)
  if (url) {
    if (!FILE.test(text)) addHost(reading, plain(url[1]), url[2] ? Number(url[2]) : null, arg.span, by)
    return
  }
  const host = /^(?:[^@\s]*@)?(\[[^\]]+\]|[^/:?#\s]+)(?::(\d+)(?=[/?#]|$))?/.exec(text)
  if (!host || (how === 'url' && text.startsWith('-'))) return
  addHost(reading, plain(host[1]), host[2] ? Number(host[2]) : null, arg.span, by)
}

const FILE = /^file:/i
const IN_BRACKETS = /^(?:[a-z]+:\/\/)?\[[\da-f:.]+\](?:[:/]|$)/i
const SCHEME_ALONE = /^[a-z][a-z0-9+.-]*:\/*$/i

const plain = (host = ''): string =>
  (host.startsWith('[') || host.endsWith(']') ? host.replaceAll(/^\[|\]$/g, '') : host).toLowerCase()
