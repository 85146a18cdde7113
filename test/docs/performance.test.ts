import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { page, ROOT, rows } from './markdown.js'

describe('docs/performance.md', () => {
  const text = page('docs/performance.md')
  const names =
    /NAMES = \[(.*)\]/
      .exec(page('bench/main.mjs'))?.[1]
      ?.split(', ')
      .map((name) => name.slice(1, -1)) ?? []

  it('has at least one row for every bench, and every bench has its file', () => {
    expect(names.length).toBeGreaterThan(3)
    const measured = new Set(rows(text).map(([name = '']) => name.replaceAll('`', '')))
    expect([...measured].sort()).toEqual([...names].sort())
    expect(names.filter((name) => !existsSync(join(ROOT, `bench/${name}.ts`)))).toEqual([])
  })

  it('gives every row what is compared, the bar and a number', () => {
    for (const row of rows(text))
      expect(
        row.every((cell) => cell !== ''),
        row.join(' | '),
      ).toBe(true)
  })
})
