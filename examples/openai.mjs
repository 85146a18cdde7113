// The `shell` tool of OpenAI's Responses API. The API asks nobody, so a person answers a held command with
// `cordon approve`. Usage: OPENAI_API_KEY=… node examples/openai.mjs 'Run the tests and fix what fails'
import { createCordon } from 'cordon'
import { openAiShell } from 'cordon/openai'
import OpenAI from 'openai'

const client = new OpenAI()
const cordon = await createCordon({ workspace: '.' })
const stop = new AbortController()
const abort = () => stop.abort()
process.once('SIGINT', abort)

const shell = openAiShell(cordon, { onEvent: show })
/** @type {OpenAI.Responses.ResponseInput} */
const input = [{ role: 'user', content: process.argv[2] ?? 'Say hello.' }]

try {
  while (!stop.signal.aborted) {
    const { output, output_text } = await client.responses.create(
      { model: process.env.MODEL ?? 'gpt-5.5', tools: [shell.tool], input, store: false },
      { signal: stop.signal },
    )
    input.push(.../** @type {OpenAI.Responses.ResponseInput} */ (output))
    const calls = output.filter((item) => item.type === 'shell_call')
    if (calls.length === 0) {
      process.stdout.write(`${output_text}\n`)
      break
    }
    for (const call of calls) input.push(await shell.answer(call, { signal: stop.signal }))
  }
} finally {
  process.removeListener('SIGINT', abort)
  await cordon.close()
}

/** Shows the person what runs. @param {import('cordon').Event} event */
function show(event) {
  if (event.type === 'started') process.stderr.write(`$ ${event.command}\n`)
}
