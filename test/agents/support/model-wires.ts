import type { ModelRequest, Turn } from './scripted-model.js'

// The bodies are those of four vendors' public interfaces; only the fields that agents look at are named here.
// biome-ignore lint/suspicious/noExplicitAny: the bodies come from other programs and are read field by field.
type Body = any

/** The model's next answer: some text, a tool call, or both. */
interface Answer {
  readonly text: string
  readonly call: { readonly name: string; readonly input: Readonly<Record<string, unknown>> } | null
}

interface Wire {
  readonly path: RegExp
  read(body: Body): ModelRequest
  streams(body: Body, path: string): boolean
  write(answer: Answer, body: Body): { readonly whole: unknown; readonly stream: readonly unknown[] }
}

/** Shell tools by name, with the input each takes. The first that the agent offers is used. */
const SHELL_TOOLS: Readonly<Record<string, (command: string) => Readonly<Record<string, unknown>>>> = {
  Bash: (command) => ({ command, description: 'scripted' }),
  bash: (command) => ({ command, description: 'scripted' }),
  exec_command: (cmd) => ({ cmd }),
  shell_command: (command) => ({ command }),
  run_shell_command: (command) => ({ command, description: 'scripted', is_background: false }),
}

export function answerFor(turns: readonly Turn[], { tools, results }: ModelRequest): Answer {
  const turn = tools.length === 0 ? { text: 'Scripted' } : (turns[results.length] ?? { text: results.at(-1) ?? '' })
  if ('text' in turn) return { text: turn.text, call: null }
  if ('tool' in turn) {
    const name = tools.includes(turn.tool) ? turn.tool : (tools.find((tool) => tool.endsWith(turn.tool)) ?? turn.tool)
    return { text: '', call: { name, input: turn.input } }
  }
  const name = Object.keys(SHELL_TOOLS).find((known) => tools.includes(known)) ?? 'no_shell_tool_offered'
  return { text: '', call: { name, input: { ...SHELL_TOOLS[name]?.(turn.shell), ...turn.input } } }
}

let serial = 0
const newId = (prefix: string): string => `${prefix}_${++serial}`

const plain = (content: Body): string =>
  typeof content === 'string'
    ? content
    : Array.isArray(content)
      ? content.map((part) => part.text ?? JSON.stringify(part)).join('\n')
      : JSON.stringify(content ?? '')

const ANTHROPIC: Wire = {
  path: /\/messages$/,
  read: ({ tools = [], messages = [] }) => ({
    tools: tools.map((tool: Body) => tool.name),
    results: messages
      .flatMap(({ content }: Body) => (Array.isArray(content) ? content : []))
      .filter((block: Body) => block.type === 'tool_result')
      .map((block: Body) => plain(block.content)),
  }),
  streams: (body) => body.stream === true,
  write({ text, call }, { model }) {
    const content = [
      ...(text === '' ? [] : [{ type: 'text', text }]),
      ...(call ? [{ type: 'tool_use', id: newId('toolu'), ...call }] : []),
    ]
    const stop = { stop_reason: call ? 'tool_use' : 'end_turn', stop_sequence: null }
    const usage = { input_tokens: 1, output_tokens: 1, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 }
    const whole = { id: newId('msg'), type: 'message', role: 'assistant', model, usage, ...stop, content }
    const blocks = content.flatMap((block: Body, index) => [
      {
        type: 'content_block_start',
        index,
        content_block: { ...block, ...(block.type === 'text' ? { text: '' } : { input: {} }) },
      },
      {
        type: 'content_block_delta',
        index,
        delta:
          block.type === 'text'
            ? { type: 'text_delta', text: block.text }
            : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) },
      },
      { type: 'content_block_stop', index },
    ])
    const message = { ...whole, content: [], stop_reason: null }
    return {
      whole,
      stream: [
        { type: 'message_start', message },
        ...blocks,
        { type: 'message_delta', delta: stop, usage },
        { type: 'message_stop' },
      ],
    }
  },
}

/** Codex groups the tools of an MCP server in a namespace and names them without it. */
function inNamespace(name: string, tools: Body): { readonly name: string; readonly namespace?: string } {
  const space = tools.find((tool: Body) => tool.type === 'namespace' && name.startsWith(`${tool.name}__`))
  return space ? { namespace: space.name, name: name.slice(space.name.length + 2) } : { name }
}

const shellAction = (input: Body) => ({ timeout_ms: null, max_output_length: null, ...input })

const RESPONSES: Wire = {
  path: /\/responses$/,
  read: ({ tools = [], input = [] }) => ({
    tools: tools.flatMap((tool: Body) =>
      tool.type === 'namespace'
        ? tool.tools.map((inner: Body) => `${tool.name}__${inner.name}`)
        : [tool.name ?? tool.type],
    ),
    results: (Array.isArray(input) ? input : [])
      .filter((item: Body) => String(item.type).endsWith('_call_output'))
      .map((item: Body) => plain(item.output)),
  }),
  streams: (body) => body.stream === true,
  write({ text, call }, { model, tools = [] }) {
    const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 }
    const ids = { id: newId('fc'), call_id: newId('call') }
    const isShell = tools.some((tool: Body) => tool.type === 'shell' && tool.type === call?.name)
    const item: Body = isShell
      ? { type: 'shell_call', ...ids, environment: { type: 'local' }, action: shellAction(call?.input) }
      : call
        ? {
            type: 'function_call',
            ...ids,
            ...inNamespace(call.name, tools),
            arguments: JSON.stringify(call.input),
          }
        : {
            type: 'message',
            id: newId('msg'),
            role: 'assistant',
            content: [{ type: 'output_text', text, annotations: [] }],
          }
    const done = { ...item, status: 'completed' }
    const response = { id: newId('resp'), object: 'response', created_at: 0, model, error: null, usage }
    const whole = { ...response, status: 'completed', output: [done] }
    const stream = [
      { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
      { type: 'response.output_item.added', output_index: 0, item: { ...item, status: 'in_progress' } },
      { type: 'response.output_item.done', output_index: 0, item: done },
      { type: 'response.completed', response: whole },
    ]
    return { whole, stream: stream.map((event, sequence_number) => ({ ...event, sequence_number })) }
  },
}

const CHAT: Wire = {
  path: /\/chat\/completions$/,
  read: ({ tools = [], messages = [] }) => ({
    tools: tools.map((tool: Body) => tool.function.name),
    results: messages.filter(({ role }: Body) => role === 'tool').map(({ content }: Body) => plain(content)),
  }),
  streams: (body) => body.stream === true,
  write({ text, call }, { model }) {
    const tool_calls = call
      ? [{ id: newId('call'), type: 'function', function: { name: call.name, arguments: JSON.stringify(call.input) } }]
      : undefined
    const message = { role: 'assistant', content: text || null, ...(tool_calls && { tool_calls }) }
    const finish_reason = call ? 'tool_calls' : 'stop'
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
    const base = { id: newId('chat'), created: 0, model }
    const chunk = (delta: Body, finish: string | null) => ({
      ...base,
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, finish_reason: finish }],
    })
    const delta = { ...message, ...(tool_calls && { tool_calls: tool_calls.map((one, index) => ({ index, ...one })) }) }
    return {
      whole: { ...base, object: 'chat.completion', usage, choices: [{ index: 0, message, finish_reason }] },
      stream: [chunk(delta, null), chunk({}, finish_reason), { ...chunk({}, null), choices: [], usage }, '[DONE]'],
    }
  },
}

const GEMINI: Wire = {
  path: /:(?:generateContent|streamGenerateContent)$/,
  read: ({ tools = [], contents = [] }) => ({
    tools: tools.flatMap((tool: Body) => tool.functionDeclarations ?? []).map(({ name }: Body) => name),
    results: contents
      .flatMap(({ parts = [] }: Body) => parts)
      .filter((part: Body) => part.functionResponse)
      .map(({ functionResponse: { response } }: Body) => plain(response?.output ?? response)),
  }),
  streams: (_, path) => path.endsWith(':streamGenerateContent'),
  write({ text, call }) {
    const part = call ? { functionCall: { id: newId('call'), name: call.name, args: call.input } } : { text }
    const whole = {
      usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
      candidates: [{ index: 0, finishReason: 'STOP', content: { role: 'model', parts: [part] } }],
    }
    return { whole, stream: [whole] }
  },
}

export const WIRES: readonly Wire[] = [ANTHROPIC, RESPONSES, CHAT, GEMINI]
