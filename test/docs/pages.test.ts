import { existsSync, readdirSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, it } from 'vitest'
import { filesBelow, links, page, ROOT, rows } from './markdown.js'

const ENTRY = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md']
const pages = [...ENTRY, ...filesBelow('docs').filter((file) => file.endsWith('.md'))]
const targets = (file: string): readonly string[] =>
  links(page(file)).map((link) => normalize(join(dirname(file), link)))

describe('the documents', () => {
  it('link only to what is there', () => {
    const dead = pages.flatMap((file) =>
      targets(file)
        .filter((target) => !existsSync(join(ROOT, target)))
        .map((target) => `${file} → ${target}`),
    )
    expect(dead).toEqual([])
  })

  it('are all reached from the README, by way of the index', () => {
    const reached = new Set<string>()
    const visit = (file: string): void => {
      if (reached.has(file) || !pages.includes(file)) return
      reached.add(file)
      targets(file).forEach(visit)
    }
    visit('README.md')
    expect(pages.filter((file) => !reached.has(file))).toEqual([])
  })

  it('have a page for every stage the index draws', () => {
    const drawn = /request ─ (.*) ─▶ result/.exec(page('docs/README.md'))?.[1]?.split(' ─ ') ?? []
    expect(drawn.length).toBeGreaterThan(8)
    const linked = rows(page('docs/README.md')).filter((cells) => links(cells.at(-1) ?? '').length > 0)
    expect(linked.map(([stage]) => stage)).toEqual(expect.arrayContaining(drawn))
  })

  it('begin every change fragment with its kind and one sentence', () => {
    const fragments = readdirSync(join(ROOT, 'changes')).filter((name) => name !== 'README.md')
    for (const name of fragments) {
      expect(page(`changes/${name}`), name).toMatch(/^(added|changed|fixed|removed): .+(?:\n.+)*[.]\n(?:\n|$)/)
    }
  })
})
