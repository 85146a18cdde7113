import { afterEach, describe, expect, it } from 'vitest'
import { agentGround, driveAgent, needsAgent, testedAgents } from './support/drive-agent.js'

const agents = testedAgents()
const grounds: { remove(): void }[] = []
afterEach(() => {
  for (const ground of grounds.splice(0)) ground.remove()
})

describe('without Cordon', () => {
  it.for(agents)(
    '$name runs the command that the model asks for and shows it the output',
    { timeout: 100_000 },
    async (agent, context) => {
      needsAgent(context, agent)
      const ground = agentGround()
      grounds.push(ground)
      const { shown } = await driveAgent(agent, [{ shell: 'echo seen-$HOME; pwd' }, { text: 'done' }], ground)
      expect(shown).toHaveLength(1)
      expect(shown[0]).toContain(`seen-${ground.home}`)
      expect(shown[0]).toContain(ground.project)
    },
  )
})
