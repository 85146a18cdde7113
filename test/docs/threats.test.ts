import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CLASSES } from '../../script/attack-classes.mjs'
import { filesBelow, page, ROOT } from './markdown.js'

const tests = filesBelow('test').filter((file) => file.endsWith('.ts'))
const source = tests.map((file) => page(file)).join('\n')
const ticked = (cell: string): readonly string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text)
const isFile = (name: string): boolean => /^[\w./-]+\.(ts|mjs|toml|md)$/.test(name)

/** A title stands in the source as a string; a quote or backtick inside it may be escaped there. */
const stands = (title: string): boolean => source.includes(title) || source.replaceAll('\\', '').includes(title)

interface Vector {
  readonly text: string
  readonly files: readonly string[]
  readonly titles: readonly string[]
}

/** Splits a section into its list items, each on one line. */
const itemsOf = (section: string): readonly string[] =>
  [...section.matchAll(/^- (.+(?:\n {2}.+)*)/gm)].map(([, item = '']) => item.replaceAll(/\n {2}/g, ' '))

/** Parses `**vector**: defence. FILES; test: TITLES`; returns undefined for every other form. */
function vectorOf(item: string): Vector | undefined {
  const parts = /^\*\*[^ ].*?\*\*: \S.*\. ((?:`[^`]+`(?:, )?)+); test: (`.+)$/.exec(item)
  return parts === null ? undefined : { text: item, files: ticked(parts[1] ?? ''), titles: ticked(parts[2] ?? '') }
}

describe('docs/threats.md', () => {
  const text = page('docs/threats.md')
  const section = (title: string): string => text.split(`\n## ${title}\n`)[1]?.split('\n## ')[0] ?? ''
  const defended = section('What is defended')
  const items = itemsOf(defended)
  const threats = items.map(vectorOf).filter((vector) => vector !== undefined)

  it('opens with what is not defended', () => {
    expect(text.slice(0, 600)).toMatch(/not\W+(defended|defend)|does not/i)
  })

  it('gives every vector a defence, a file and a test', () => {
    expect(threats.length).toBeGreaterThan(10)
    expect(items.filter((item) => vectorOf(item) === undefined)).toEqual([])
  })

  it('lists vectors as list items only, without a table', () => {
    expect(defended.split('\n').filter((line) => /^(?:\s*[|*+]|\s+-)/.test(line))).toEqual([])
  })

  it('names only tests that exist', () => {
    const named = threats.flatMap(({ titles }) => titles)
    expect(named.length).toBeGreaterThan(10)
    const missing = named.filter((name) => (isFile(name) ? !tests.some((file) => file.endsWith(name)) : !stands(name)))
    expect(missing).toEqual([])
  })

  it('names only files that exist', () => {
    const named = threats.flatMap(({ text: item, files, titles }) => [
      ...files,
      ...ticked(item).filter((name) => !titles.includes(name) && /^(src|test|profiles)\//.test(name)),
    ])
    expect(named.filter((name) => !existsSync(join(ROOT, name)))).toEqual([])
  })

  it('lists the classes of attacks that npm run attack runs, with their suites', () => {
    const classes = itemsOf(section('Attack suites')).map((item) => /^\*\*(.+?)\*\* \(.+\): (.+)$/.exec(item))
    const listed = classes.map((parts) => `${parts?.[1]}: ${parts?.[2]?.replaceAll('`', '')}`)
    const run = CLASSES.map(([name, suites]) => `${name}: ${suites.map((suite) => `test/${suite}`).join(', ')}`)
    expect(listed).toEqual(run)
  })

  it('leaves no suite of escapes out of the classes, and names none that is gone', () => {
    const suites = CLASSES.flatMap(([, listed]) => listed)
    const isThere = (suite: string): boolean =>
      tests.some((file) => file.startsWith(`test/${suite}.`) || file.startsWith(`test/${suite}/`))
    expect(suites.filter((suite) => !isThere(suite))).toEqual([])
    const escapes = tests.filter((file) => /^test\/attacks\/.*\.test\.ts$/.test(file))
    const name = (file: string): string => file.replace(/^test\/|(?:-as-user)?\.test\.ts$/g, '')
    expect(escapes.filter((file) => !suites.includes(name(file)))).toEqual([])
  })
})
