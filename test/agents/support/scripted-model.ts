import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerFor, WIRES } from './model-wires.js'

/** One step of the model: a command for the agent's shell tool, a call of another tool, or a closing text. */
export type Turn =
  | { readonly shell: string; readonly input?: Readonly<Record<string, unknown>> }
  | { readonly tool: string; readonly input: Readonly<Record<string, unknown>> }
  | { readonly text: string }

/** One request of the agent: the tools it offered and the tool results it had collected. */
export interface ModelRequest {
  readonly tools: readonly string[]
  readonly results: readonly string[]
}

export interface ScriptedModel {
  readonly url: string
  readonly requests: readonly ModelRequest[]
  close(): Promise<void>
}

/**
 * Starts a model on loopback that plays the turns in order. It keeps no state: each request shows how many tool
 * results the conversation holds, and that is the number of the next turn.
 */
export async function startScriptedModel(turns: readonly Turn[]): Promise<ScriptedModel> {
  const requests: ModelRequest[] = []
  const server = createServer((request, response) => {
    answer(request, response, turns, requests).catch((error) => response.writeHead(500).end(String(error)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  turns: readonly Turn[],
  requests: ModelRequest[],
): Promise<void> {
  const path = new URL(request.url ?? '/', 'http://loopback').pathname
  let text = ''
  for await (const chunk of request) text += chunk
  const wire = request.method === 'POST' ? WIRES.find((candidate) => candidate.path.test(path)) : undefined
  if (!wire) return answerAside(path, response)
  const body = JSON.parse(text || '{}')
  const seen = wire.read(body)
  if (seen.tools.length > 0) requests.push(seen)
  const events = wire.write(answerFor(turns, seen), body)
  if (!wire.streams(body, path)) return sendJson(response, 200, events.whole)
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const event of events.stream) {
    const type = typeof event === 'object' && event !== null && 'type' in event ? `event: ${event.type}\n` : ''
    response.write(`${type}data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`)
  }
  response.end()
}

/** Token counts and lists of models, which agents ask for between turns. */
function answerAside(path: string, response: ServerResponse): void {
  if (/count_?tokens$/i.test(path)) sendJson(response, 200, { input_tokens: 1, totalTokens: 1 })
  else if (path.endsWith('/models')) sendJson(response, 200, { object: 'list', data: [{ id: 'scripted' }], models: [] })
  else sendJson(response, 404, { error: { type: 'not_found_error', message: `The scripted model has no ${path}.` } })
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}
