// LangChain: a held command interrupts the agent by LangChain's own human-in-the-loop middleware, and a person answers
// at the terminal. Usage: ANTHROPIC_API_KEY=… node examples/langchain.mjs 'Run the tests and fix what fails'
import { createInterface } from 'node:readline/promises'
import { ChatAnthropic } from '@langchain/anthropic'
import { Command, MemorySaver } from '@langchain/langgraph'
import { createCordon } from 'cordon'
import { langChainBash } from 'cordon/langchain'
import { createAgent, humanInTheLoopMiddleware, tool } from 'langchain'

const cordon = await createCordon({ workspace: '.' })
const terminal = createInterface({ input: process.stdin })
const lines = terminal[Symbol.asyncIterator]()
const stop = new AbortController()
const abort = () => stop.abort()
process.once('SIGINT', abort)

const bash = langChainBash(cordon, { onEvent: show })
const agent = createAgent({
  model: new ChatAnthropic({
    model: process.env.MODEL ?? 'claude-sonnet-5-5',
    anthropicApiUrl: process.env.ANTHROPIC_BASE_URL ?? 'https://api.anthropic.com',
  }),
  tools: [tool(bash.run, bash.fields)],
  middleware: [humanInTheLoopMiddleware({ interruptOn: { bash: bash.interruptOn } })],
  checkpointer: new MemorySaver(),
})
const config = { configurable: { thread_id: 'one' }, signal: stop.signal }

try {
  let state = await agent.invoke({ messages: [{ role: 'user', content: process.argv[2] ?? 'Say hello.' }] }, config)
  for (;;) {
    const [interrupt] = state.__interrupt__ ?? []
    if (interrupt === undefined) break
    const { actionRequests = [] } = /** @type {import('langchain').HITLRequest} */ (interrupt.value)
    const decisions = []
    for (const { args, description } of actionRequests)
      decisions.push({ type: (await ask(`${args.command}\n${description}`)) ? 'approve' : 'reject' })
    state = await agent.invoke(new Command({ resume: { decisions } }), config)
  }
  process.stdout.write(`${state.messages.at(-1)?.text}\n`)
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
