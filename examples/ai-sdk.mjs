// The Vercel AI SDK 7: a held command becomes the SDK's own approval request, which a person answers
// at the terminal. Usage: ANTHROPIC_API_KEY=… node examples/ai-sdk.mjs 'Run the tests and fix what fails'
import { createInterface } from 'node:readline/promises'
import { anthropic } from '@ai-sdk/anthropic'
import { generateText, stepCountIs } from 'ai'
import { createCordon } from 'cordon'
import { aiSdkBash } from 'cordon/ai-sdk'

const cordon = await createCordon({ workspace: '.' })
const terminal = createInterface({ input: process.stdin })
const lines = terminal[Symbol.asyncIterator]()
const stop = new AbortController()
const abort = () => stop.abort()
process.once('SIGINT', abort)

const bash = aiSdkBash(cordon, { onEvent: show })
/** @type {import('ai').ModelMessage[]} */
const messages = [{ role: 'user', content: process.argv[2] ?? 'Say hello.' }]

try {
  for (;;) {
    const { content, responseMessages, text } = await generateText({
      model: anthropic(process.env.MODEL ?? 'claude-sonnet-5-5'),
      tools: { bash: bash.tool },
      toolApproval: { bash: bash.toolApproval },
      stopWhen: stepCountIs(50),
      abortSignal: stop.signal,
      messages,
    })
    messages.push(...responseMessages)
    const requests = content.filter((part) => part.type === 'tool-approval-request')
    if (requests.length === 0) {
      process.stdout.write(`${text}\n`)
      break
    }
    /** @type {import('ai').ToolApprovalResponse[]} */
    const answers = []
    for (const { approvalId, toolCall } of requests) {
      const { command } = /** @type {{ command: string }} */ (toolCall.input)
      const approved = await ask(`${command}\n${bash.reasons(toolCall.toolCallId)}`)
      answers.push({ type: 'tool-approval-response', approvalId, approved })
    }
    messages.push({ role: 'tool', content: answers })
  }
} catch (error) {
  if (!stop.signal.aborted) throw error
} finally {
  process.removeListener('SIGINT', abort)
  terminal.close()
  await cordon.close()
}

/** Asks the person at the terminal. Anything but a yes is a no. @param {string} what */
async function ask(what) {
  process.stderr.write(`The agent wants to run:\n${what}\nAllow once? [y/N] `)
  const { value } = await lines.next()
  return /^y(es)?$/i.test(value ?? '')
}

/** Shows the person what runs. @param {import('cordon').Event} event */
function show(event) {
  if (event.type === 'started') process.stderr.write(`$ ${event.command}\n`)
}
