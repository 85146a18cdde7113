import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import * as library from '../../src/index.js'
import { everyCall } from './every-call.js'
import { page, ROOT } from './markdown.js'

const run = (script: string): string =>
  execFileSync(process.execPath, [join(ROOT, 'script', script), '--check'], { encoding: 'utf8', stdio: 'pipe' })

describe('generated pages', () => {
  it('docs/conformance.md has a test for every requirement, and is what its script writes', () => {
    run('conformance-page.mjs')
    const ids = [...page('docs/conformance.md').matchAll(/^- \*\*(\w+)\*\*/gm)].map(([, id]) => id)
    const counts = { Q: 10, A: 6, D: 9, E: 10, T: 3, S: 5, G: 3, L: 2 }
    const wanted = Object.entries(counts).flatMap(([letter, count]) =>
      Array.from({ length: count }, (_, i) => `${letter}${i + 1}`),
    )
    expect(ids.toSorted()).toEqual(wanted.toSorted())
  })

  it('api.md is what the compiler sees of the library', { timeout: 120_000 }, () => {
    run('api-report.mjs')
    for (const name of Object.keys(library))
      expect(page('api.md'), name).toMatch(new RegExp(`^(?:value|class) ${name}\\b`, 'm'))
  })

  it('the example of every call uses every call and every function', () => {
    expect(everyCall).toBeTypeOf('function')
    const text = page('test/docs/every-call.ts')
    expect(text).not.toMatch(/\bas (?!const)\w|\bany\b|@ts-/)
    for (const name of Object.keys(library)) expect(text, name).toMatch(new RegExp(`\\b${name}\\b`))
    const api = page('src/engine/api.ts')
    const engine = api.slice(api.indexOf('export interface Engine {'))
    const calls = [...engine.matchAll(/^ {2}(?:readonly )?(\w+)[(:<]/gm)].map(([, name = '']) => name)
    expect(calls.length).toBeGreaterThan(15)
    for (const name of calls) expect(text, name).toMatch(new RegExp(`\\bcordon\\.${name}\\b`))
  })
})
