// An agent in forty lines: the model asks for tools, Cordon runs them, and a person answers what needs one.
// Usage: ANTHROPIC_API_KEY=… node examples/agent-loop.mjs 'Run the tests and fix what fails'
import { createInterface } from 'node:readline/promises'
import { createCordon } from 'cordon'

const {
  ANTHROPIC_API_KEY = '',
  ANTHROPIC_BASE_URL = 'https://api.anthropic.com',
  MODEL = 'claude-sonnet-4-5',
} = process.env
const cordon = await createCordon({ workspace: '.', onApproval: ask })
const tools = cordon.tools
  .definitions()
  .map(({ name, description, parameters }) => ({ name, description, input_schema: parameters }))
const messages = [{ role: 'user', content: process.argv[2] ?? 'Say hello.' }]

try {
  for (;;) {
    const { content } = await reply()
    messages.push({ role: 'assistant', content })
    for (const block of content) if (block.type === 'text') process.stdout.write(`${block.text}\n`)
    const calls = content.filter((block) => block.type === 'tool_use')
    if (calls.length === 0) break
    messages.push({ role: 'user', content: await Promise.all(calls.map(answer)) })
  }
} finally {
  await cordon.close()
}

/** Runs one tool call. A refusal is an answer too: the model reads why, and what to do instead. */
async function answer({ id, name, input }) {
  const { success, text } = await cordon.tools.execute({ id, name, arguments: input })
  return { type: 'tool_result', tool_use_id: id, content: text, is_error: !success }
}

/** Asks the person at the terminal. Without a terminal the command is held, and `cordon approve` answers. */
async function ask(approval) {
  if (!process.stdin.isTTY) return 'deny'
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const typed = await terminal.question(`The agent wants to run:\n  ${approval.command}\nAllow once? [y/N] `)
  terminal.close()
  return /^y(es)?$/i.test(typed.trim()) ? 'once' : 'deny'
}

async function reply() {
  const response = await fetch(`${ANTHROPIC_BASE_URL}/v1/messages`, {
    method: 'POST',
    headers: { 'x-api-key': ANTHROPIC_API_KEY, 'anthropic-version': '2023-06-01', 'content-type': 'application/json' },
    body: JSON.stringify({ model: MODEL, max_tokens: 4096, tools, messages }),
  })
  if (!response.ok) throw new Error(`The model answered ${response.status}: ${await response.text()}`)
  return response.json()
}
