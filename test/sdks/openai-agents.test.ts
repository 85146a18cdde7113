import { describe } from 'vitest'
import { itHoldsWhatMustHold } from './support/must-hold.js'

describe('the example of the OpenAI Agents SDK', () => {
  itHoldsWhatMustHold({
    name: 'openai-agents',
    env: (url) => ({ OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: 'dummy', OPENAI_AGENTS_DISABLE_TRACING: '1' }),
    call: (command) => ({ tool: 'shell', input: { commands: [command] } }),
  })
})
