import { describe } from 'vitest'
import { itHoldsWhatMustHold } from './support/must-hold.js'

describe.each(['ai-sdk-6', 'ai-sdk-7'] as const)('the example of the %s', (name) => {
  itHoldsWhatMustHold({
    name,
    env: (url) => ({ ANTHROPIC_BASE_URL: `${url}/v1`, ANTHROPIC_API_KEY: 'dummy' }),
    call: (command) => ({ tool: 'bash', input: { command } }),
  })
})
