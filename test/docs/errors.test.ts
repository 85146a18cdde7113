import { describe, expect, it } from 'vitest'
import { ERRORS } from '../../src/core/model/basics/errors.js'
import { page, rows } from './markdown.js'

describe('docs/errors.md', () => {
  it('lists every code with its exit, status, category, domain and phase, and no other', () => {
    const documented = rows(page('docs/errors.md')).map((cells) => cells.slice(0, 6))
    const real = Object.entries(ERRORS).map(([code, { exit, http, category, domain, phase }]) => [
      `\`${code}\``,
      String(exit),
      String(http),
      category,
      domain,
      phase,
    ])
    expect(documented).toEqual(real)
  })

  it('has a meaning and a remedy for each code, in the order of the table', () => {
    const text = page('docs/errors.md').replaceAll('\n  ', ' ')
    const entries = [...text.matchAll(/^- `([A-Z_]+)`: (.+\.) \*Do:\* (.+\.)$/gm)].map(([, code]) => code)
    expect(entries).toEqual(Object.keys(ERRORS))
  })
})
