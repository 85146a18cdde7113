import { describe } from 'vitest'
import { itHoldsWhatMustHold } from './support/must-hold.js'

describe('the LangChain example', () => {
  itHoldsWhatMustHold({
    name: 'langchain',
    env: (url) => ({ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: 'dummy' }),
    call: (command) => ({ tool: 'bash', input: { command } }),
  })
})
