import {
  type McpServer,
  type ReadResourceResult,
  ResourceNotFoundError,
  ResourceTemplate,
  type Variables,
} from '@modelcontextprotocol/server'
import { CordonError } from '../../core/model/basics/errors.js'
import { shortId } from '../../core/model/basics/id.js'
import { isInside } from '../../core/model/basics/path.js'
import { toSnakeCase } from '../../core/present/snake-case.js'
import type { Serving } from './serving.js'

/** One message should not carry more. The rest is read by `cordon logs`. */
const MAX_OUTPUT_BYTES = 4 * 1024 * 1024
const LISTED_RUNS = 20

interface Kind {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly mimeType: string
  read(id: string): Promise<string> | string
}

/** Registers the resources of past runs: the whole record, the kept output and the diff. */
export function registerResources(server: McpServer, serving: Serving): void {
  const { records } = serving
  for (const kind of kindsOf(serving)) {
    const list =
      kind.name === 'run'
        ? () => ({
            resources: records
              .ids()
              .slice(0, LISTED_RUNS)
              .map((id) => ({ uri: `cordon://run/${id}`, name: `run ${shortId(id)}`, mimeType: kind.mimeType })),
          })
        : undefined
    const { name, title, description, mimeType } = kind
    server.registerResource(
      name,
      new ResourceTemplate(`cordon://${name}/{id}`, { list }),
      { title, description, mimeType },
      (uri, variables) => readAs(serving, kind, uri, variables),
    )
  }
}

function kindsOf({ engine, records }: Serving): readonly Kind[] {
  return [
    {
      name: 'run',
      title: 'Run',
      description: 'The whole record of a run: decision, output, changes, evidence.',
      mimeType: 'application/json',
      read: (id) => records.get(id) ?? JSON.stringify(toSnakeCase(engine.audit.query({ id, limit: 1 })[0])),
    },
    {
      name: 'output',
      title: 'Output',
      description: 'All that a run printed: stdout, then stderr.',
      mimeType: 'text/plain',
      read: (id) => outputOf(engine, id),
    },
    {
      name: 'diff',
      title: 'Diff',
      description: 'The changes of a run, as a unified diff.',
      mimeType: 'text/x-diff',
      read: (id) => diffOf(engine, id),
    },
  ]
}

async function readAs(serving: Serving, kind: Kind, uri: URL, { id }: Variables): Promise<ReadResourceResult> {
  try {
    assertOwn(serving, String(id))
    const text = await kind.read(String(id))
    return { contents: [{ uri: uri.href, mimeType: kind.mimeType, text }] }
  } catch (thrown) {
    if (thrown instanceof CordonError && thrown.code === 'NOT_FOUND')
      throw new ResourceNotFoundError(uri.href, thrown.message)
    throw thrown
  }
}

/** A client reads the runs of its own agent in this workspace, no others. */
function assertOwn({ engine, identity, records }: Serving, id: string): void {
  if (records.get(id) !== null) return
  const row = engine.audit.query({ id, limit: 1 }).find((found) => found.id === id)
  const isOwn = row?.caller === 'mcp' && row.agent === (identity.agent ?? null)
  if (!isOwn || row.cwd === null || !isInside(row.cwd, engine.transactions.here()))
    throw new CordonError('NOT_FOUND', `There is no run ${JSON.stringify(id)}.`)
}

async function outputOf({ logs }: Serving['engine'], id: string): Promise<string> {
  const read = (stream: 'stdout' | 'stderr') => logs(id, stream, 0, MAX_OUTPUT_BYTES)
  const [stdout, stderr] = await Promise.all([read('stdout'), read('stderr')])
  return [stdout, stderr].map(({ text, totalBytes }) => text + cutNote(totalBytes, id)).join('')
}

const cutNote = (totalBytes: number, id: string): string =>
  totalBytes <= MAX_OUTPUT_BYTES
    ? ''
    : `\n[${totalBytes - MAX_OUTPUT_BYTES} more bytes: cordon logs ${id} --from ${MAX_OUTPUT_BYTES}]\n`

const diffOf = ({ transactions }: Serving['engine'], id: string): string =>
  transactions
    .diff(id)
    .map(({ change, text, note }) => text ?? `${change.kind} ${change.path}${note === null ? '' : ` (${note})`}\n`)
    .join('')
