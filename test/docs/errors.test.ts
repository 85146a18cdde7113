import { describe, expect, it } from 'vitest'
import { ERRORS } from '../../src/core/model/errors.js'
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

  it('says for each what it means and what to do', () => {
    for (const [code, , , , , , meaning, remedy] of rows(page('docs/errors.md'))) {
      expect([code, meaning, remedy]).toEqual([code, expect.stringMatching(/\.$/), expect.stringMatching(/\.$/)])
    }
  })
})
