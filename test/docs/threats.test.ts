import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { filesBelow, page, ROOT, rows } from './markdown.js'

const tests = filesBelow('test').filter((file) => file.endsWith('.ts'))
const source = tests.map((file) => page(file)).join('\n')
const ticked = (cell: string): readonly string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text)
const isFile = (name: string): boolean => /^[\w./-]+\.(ts|mjs|toml|md)$/.test(name)

/** A title stands in the source as a string; a quote or backtick inside it may be escaped there. */
const stands = (title: string): boolean => source.includes(title) || source.replaceAll('\\', '').includes(title)

describe('docs/threats.md', () => {
  const threats = rows(page('docs/threats.md'))

  it('opens with what is not defended', () => {
    expect(page('docs/threats.md').slice(0, 600)).toMatch(/not\W+(defended|defend)|does not/i)
  })

  it('gives every vector a defence, a file and a test', () => {
    expect(threats.length).toBeGreaterThan(10)
    for (const row of threats)
      expect(row.filter((cell) => cell !== '').length, row.join(' | ')).toBeGreaterThanOrEqual(3)
  })

  it('names only tests that exist', () => {
    const named = threats.flatMap((row) => ticked(row.at(-1) ?? ''))
    expect(named.length).toBeGreaterThan(10)
    const missing = named.filter((name) => (isFile(name) ? !tests.some((file) => file.endsWith(name)) : !stands(name)))
    expect(missing).toEqual([])
  })

  it('names only files that exist', () => {
    const named = threats
      .flatMap((row) => row.slice(0, -1).flatMap(ticked))
      .filter((name) => /^(src|test|profiles)\//.test(name))
    expect(named.filter((name) => !existsSync(join(ROOT, name)))).toEqual([])
  })
})
