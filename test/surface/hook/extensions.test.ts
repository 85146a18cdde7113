import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'

const roots: string[] = []
afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true, force: true })
})

interface ToolCall {
  readonly agent: string
  readonly tool: string
  readonly input: object
  readonly cwd: string
  readonly shell: string | null
}

/** The module that both extensions use, in a package whose binary is this script. Null: the binary is missing. */
async function extension(script: string | null): Promise<(tool: string) => Promise<string | null>> {
  const root = mkdtempSync(join(tmpdir(), 'cordon-extension-'))
  roots.push(root)
  mkdirSync(join(root, 'dist'))
  writeFileSync(join(root, 'package.json'), '{ "type": "module" }')
  cpSync(resolve(import.meta.dirname, '../../../integrations'), join(root, 'integrations'), { recursive: true })
  if (script !== null) writeFileSync(join(root, 'dist/bin.cjs'), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  const module = await import(/* @vite-ignore */ pathToFileURL(join(root, 'integrations/ask-cordon.js')).href)
  const refusalOf: (call: ToolCall) => Promise<string | null> = module.refusalOf
  return (tool) => refusalOf({ agent: 'pi', tool, input: { command: 'ls' }, cwd: '/', shell: null })
}

describe('an extension of an agent', () => {
  it('gives the reason of a refusal, and nothing where Cordon has no opinion', async () => {
    expect(await (await extension(`cat >/dev/null; echo '{"verdict":"deny","reason":"no"}'`))('bash')).toBe('no')
    expect(await (await extension(`cat >/dev/null; echo '{"verdict":"none"}'`))('bash')).toBeNull()
  })

  it.each([
    ['is missing', null],
    ['fails', 'exit 1'],
    ['is killed', 'kill -9 $$'],
    ['says nothing', 'cat >/dev/null'],
    ['prints a stray line', `echo hello; echo '{"verdict":"none"}'`],
    ['prints another form', `echo '{"permission":"allow"}'`],
    ['exits with 1 after its answer', `echo '{"verdict":"none"}'; exit 1`],
  ])('refuses the command where Cordon %s', async (_, script) => {
    expect(await (await extension(script))('bash')).toMatch(/^Cordon did not answer/)
  })

  it('does not ask about tools that neither run nor write', async () => {
    expect(await (await extension(null))('read')).toBeNull()
  })
})
