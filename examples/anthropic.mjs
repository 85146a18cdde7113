// Anthropic's own bash tool (`bash_20250124`). The API asks nobody, so a person answers a held command with
// `cordon approve`. Usage: ANTHROPIC_API_KEY=… node examples/anthropic.mjs 'Run the tests and fix what fails'
import Anthropic from '@anthropic-ai/sdk'
import { createCordon } from 'cordon'
import { anthropicBash } from 'cordon/anthropic'

const client = new Anthropic()
const cordon = await createCordon({ workspace: '.' })
const { signal, abort } = interruptible()
const bash = anthropicBash(cordon, { onEvent: show })

/** @type {Anthropic.MessageParam[]} */
const messages = [{ role: 'user', content: process.argv[2] ?? 'Say hello.' }]
const request = {
  model: process.env.MODEL ?? 'claude-sonnet-5-5',
  max_tokens: 4096,
  system: 'Every command starts in a new shell in the workspace: `cd` and variables do not last.',
  tools: [bash],
  messages,
}

try {
  while (!signal.aborted) {
    const { content } = await client.messages.create(request, { signal })
    messages.push({ role: 'assistant', content })
    for (const block of content) if (block.type === 'text') process.stdout.write(`${block.text}\n`)
    const calls = content.filter((block) => block.type === 'tool_use')
    if (calls.length === 0) break
    messages.push({ role: 'user', content: await Promise.all(calls.map((call) => bash.answer(call, { signal }))) })
  }
} finally {
  process.removeListener('SIGINT', abort)
  await cordon.close()
}

/** Aborts the run at Ctrl-C: the command ends with it. */
function interruptible() {
  const stop = new AbortController()
  const abort = () => stop.abort()
  process.once('SIGINT', abort)
  return { signal: stop.signal, abort }
}

/** Shows the person what runs. @param {import('cordon').Event} event */
function show(event) {
  if (event.type === 'started') process.stderr.write(`$ ${event.command}\n`)
}
