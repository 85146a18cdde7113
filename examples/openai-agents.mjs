// The OpenAI Agents SDK: a held command becomes an interruption of the run, which a person answers at the terminal.
// Usage: OPENAI_API_KEY=… node examples/openai-agents.mjs 'Run the tests and fix what fails'
import { createInterface } from 'node:readline/promises'
import { Agent, run, shellTool } from '@openai/agents'
import { createCordon } from 'cordon'
import { agentsShell } from 'cordon/openai-agents'

const cordon = await createCordon({ workspace: '.' })
const terminal = createInterface({ input: process.stdin })
const lines = terminal[Symbol.asyncIterator]()
const stop = new AbortController()
const abort = () => stop.abort()
process.once('SIGINT', abort)

const shell = agentsShell(cordon, { signal: stop.signal, onEvent: show })
const agent = new Agent({
  name: 'Builder',
  instructions: 'Every command starts in a new shell in the workspace: `cd` and variables do not last.',
  model: process.env.MODEL ?? 'gpt-5.5',
  tools: [shellTool(shell)],
})

try {
  let result = await run(agent, process.argv[2] ?? 'Say hello.', { signal: stop.signal })
  while (result.interruptions.length > 0) {
    for (const item of result.interruptions) {
      if (await ask(item)) result.state.approve(item)
      else result.state.reject(item)
    }
    result = await run(agent, result.state, { signal: stop.signal })
  }
  process.stdout.write(`${result.finalOutput}\n`)
} catch (error) {
  if (!stop.signal.aborted) throw error
} finally {
  process.removeListener('SIGINT', abort)
  terminal.close()
  await cordon.close()
}

/** Asks the person at the terminal. Anything but a yes is a no. @param {import('@openai/agents').RunToolApprovalItem} item */
async function ask(item) {
  const commands = item.rawItem.type === 'shell_call' ? item.rawItem.action.commands.join('\n') : item.name
  process.stderr.write(`The agent wants to run:\n${commands}\n${shell.reasons(item)}\nAllow once? [y/N] `)
  const { value } = await lines.next()
  return /^y(es)?$/i.test(value ?? '')
}

/** Shows the person what runs. @param {import('cordon').Event} event */
function show(event) {
  if (event.type === 'started') process.stderr.write(`$ ${event.command}\n`)
}
