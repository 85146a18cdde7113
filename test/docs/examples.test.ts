import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startScriptedModel, type Turn } from '../agents/support/scripted-model.js'
import { page, ROOT } from './markdown.js'

let workspace = ''
beforeEach(() => {
  workspace = mkdtempSync(join(tmpdir(), 'cordon-example-'))
})
afterEach(() => rmSync(workspace, { recursive: true, force: true }))

async function run(example: string, turns: readonly Turn[]) {
  const model = await startScriptedModel(turns)
  try {
    const env = {
      PATH: process.env.PATH,
      HOME: workspace,
      XDG_STATE_HOME: mkdtempSync(join(workspace, 'state-')),
      ANTHROPIC_BASE_URL: model.url,
    }
    const { stdout } = await promisify(execFile)(process.execPath, [join(ROOT, 'examples', example), 'go'], {
      cwd: workspace,
      env,
    })
    return { stdout, shown: model.requests.at(-1)?.results ?? [] }
  } finally {
    await model.close()
  }
}

describe('the examples', () => {
  it('are all listed on their page', () => {
    const files = readdirSync(join(ROOT, 'examples')).filter((name) => name !== 'README.md')
    expect(files.filter((name) => !page('examples/README.md').includes(`(${name})`))).toEqual([])
  })

  it('the agent loop runs commands, shows the model a refusal with its reason, and ends with the last text', async () => {
    const { stdout, shown } = await run('agent-loop.mjs', [
      { tool: 'bash', input: { command: 'echo hello > f.txt; cat f.txt' } },
      { tool: 'bash', input: { command: 'sudo id' } },
      { text: 'All done.' },
    ])
    expect(shown).toEqual([expect.stringContaining('hello'), expect.stringContaining('Command not allowed: sudo')])
    expect(stdout).toBe('All done.\n')
    expect(existsSync(join(workspace, 'f.txt')) && readFileSync(join(workspace, 'f.txt'), 'utf8')).toBe('hello\n')
  })
})
