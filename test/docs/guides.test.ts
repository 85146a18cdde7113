import { describe, expect, it } from 'vitest'
import { AGENT_TABLE } from '../../src/host/agent-settings/agent-table.js'
import { AGENTS } from '../agents/support/agents.js'
import { page, rows } from './markdown.js'

const driven: Readonly<Record<string, string>> = Object.fromEntries(
  AGENTS.map(({ name, package: spec }) => [
    name === 'claude' ? 'claude-code' : name,
    spec.slice(spec.lastIndexOf('@') + 1),
  ]),
)

describe('the guide of each agent', () => {
  it.each(AGENT_TABLE)(
    '$id begins with its command, names the tested version, and ends with a refusal',
    ({ id, title }) => {
      const guide = page(`docs/agents/${id}.md`)
      const [command, , heading] = guide.split('\n')
      const version = driven[id] ?? '(not driven in tests)'
      expect([command, heading]).toEqual([`\`cordon init ${id}\``, `# ${title} ${version}`])
      expect(guide.trimEnd().split('\n').at(-1)).toMatch(/^`Command not allowed: /)
      expect(rows(guide).length).toBeGreaterThan(2)
      expect(rows(page('docs/agents/README.md'))).toContainEqual([`${title} ${version}`, `[${id}](${id}.md)`])
    },
  )
})
