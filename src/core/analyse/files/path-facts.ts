import type { Span } from '../../model/basics/span.js'
import type { Analysis } from '../analysis/analysis.js'
import type { Arg } from '../programs/grammar/roles.js'
import type { State } from '../state/state.js'
import { linkedPath, physicalPath } from './physical-path.js'

/** The use of a path: what is done, by which program, and whether to everything below. */
interface Use {
  readonly kind: 'reads' | 'writes' | 'deletes'
  readonly by: string
  readonly recursive?: boolean
}

/** Records a path that is read, written or deleted. Marks it as partial if its end is unknown. */
export function addPath(analysis: Analysis, state: State, use: Use, arg: Arg, cwd = state.directory.cwd): void {
  if (analysis.certainty.isRemote || arg.text === '') return
  const text = arg.text ?? arg.unknown?.glob ?? arg.prefix
  if (arg.alternatives !== undefined) {
    for (const option of arg.alternatives)
      if (option !== '')
        addPath(analysis, state, use, { ...withoutAlternatives(arg), text: option, prefix: option }, cwd)
    if (text !== '' && arg.alternatives.includes(text)) return
  }
  const isRelative = !text.startsWith('/')
  if (cwd === null && cwd === state.directory.cwd && text !== '' && isRelative)
    for (const directory of state.directory.possibleCwds)
      addPath(analysis, state, use, withoutAlternatives(arg), directory)
  const isPartial = arg.text === null || (cwd === null && isRelative)
  analysis.budget.add(4 + ((text.length + (isRelative ? (cwd?.length ?? 0) : 0)) >> 1))
  if (text === '' || (isRelative && cwd === null)) {
    addFact(analysis, use, text, arg.span, isPartial)
    return
  }
  addFact(analysis, use, physicalPath(analysis, text, cwd ?? '/'), arg.span, isPartial)
  if (!analysis.files.hasLinks) return
  const linked = linkedPath(analysis, text, cwd ?? '/', use.kind !== 'deletes')
  if (linked !== null) addFact(analysis, use, linked, arg.span, isPartial)
}

function withoutAlternatives({ alternatives: _, ...arg }: Arg): Arg {
  return arg
}

function addFact(analysis: Analysis, { kind, by, recursive }: Use, path: string, span: Span, isPartial: boolean): void {
  analysis.findings.path(kind, {
    path,
    span,
    by,
    ...(recursive ? { recursive } : {}),
    ...(isPartial ? { partial: true } : {}),
  })
  if (!isPartial) analysis.questions.add({ ask: 'path', path })
  else if (path.startsWith('/'))
    analysis.questions.add({ ask: 'path', path: path.slice(0, Math.max(1, fixedEnd(path))) })
}

/** Returns the end of the directory before the first glob, or before the last name. */
function fixedEnd(path: string): number {
  let slash = -1
  for (let i = 0; i < path.length; i++) {
    const c = path.charCodeAt(i)
    if (c === 0x2f) slash = i
    else if (c === 0x2a || c === 0x3f || c === 0x5b || c === 0x28) break
  }
  return slash
}

export function addHost(analysis: Analysis, host: string, port: number | null, span: Span, by: string): void {
  if (host !== '' && !analysis.certainty.isRemote) analysis.findings.host({ host, port, span, by })
}

/** Records the host of a URL, `user@host:port`, `host:path` or plain host. */
export function addHostOf(analysis: Analysis, arg: Arg, how: 'host' | 'url', by: string): void {
  // bash takes the brackets of `http://[::1]:80/` for a glob and keeps them if no file matches.
  const glob = arg.unknown?.glob
  const text = arg.text ?? (glob !== undefined && IN_BRACKETS.test(glob) ? glob : arg.prefix)
  if (arg.text === null && SCHEME_ALONE.test(text)) return
  const url = /^(?:[a-z][a-z0-9+.-]*:)?\/\/(?:[^/@\s]*@)?(\[[^\]]+\]|[^/:?#\s]+)(?::(\d+))?/i.exec(text)
  if (url) {
    if (!FILE.test(text)) addHost(analysis, plain(url[1]), url[2] ? Number(url[2]) : null, arg.span, by)
    return
  }
  const host = /^(?:[^@\s]*@)?(\[[^\]]+\]|[^/:?#\s]+)(?::(\d+)(?=[/?#]|$))?/.exec(text)
  if (!host || (how === 'url' && text.startsWith('-'))) return
  addHost(analysis, plain(host[1]), host[2] ? Number(host[2]) : null, arg.span, by)
}

const FILE = /^file:/i
const IN_BRACKETS = /^(?:[a-z]+:\/\/)?\[[\da-f:.]+\](?:[:/]|$)/i
const SCHEME_ALONE = /^(?!localhost:)[a-z][a-z0-9+.-]*:\/*$/i

const plain = (host = ''): string =>
  (host.startsWith('[') || host.endsWith(']') ? host.replaceAll(/^\[|\]$/g, '') : host).toLowerCase()
