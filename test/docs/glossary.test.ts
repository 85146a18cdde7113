import { basename } from 'node:path'
import { describe, expect, it } from 'vitest'
import { filesBelow, page, rows } from './markdown.js'

const sources = filesBelow('src').filter((file) => file.endsWith('.ts'))
const wordsOf = (name: string): readonly string[] =>
  name.split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/).map((word) => word.toLowerCase())
const declared = (text: string): readonly string[] =>
  [...text.matchAll(/\b(?:const|let|function|class|interface|type|enum|readonly)\s+([A-Za-z_]\w*)/g)].map(
    (m) => m[1] ?? '',
  )

describe('docs/glossary.md', () => {
  const glossary = rows(page('docs/glossary.md'))
  const avoided = new Set(glossary.flatMap(([, , avoid = '']) => avoid.split(', ')))

  it('has one line for each word, in order, each with what it is and what not to call it', () => {
    const words = glossary.map(([word = '']) => word)
    expect(words).toEqual([...new Set(words)].sort())
    for (const cells of glossary) expect(cells.every((cell) => cell !== '')).toBe(true)
  })

  it('avoids no word that it also uses', () => {
    expect(glossary.map(([word = '']) => word).filter((word) => avoided.has(word))).toEqual([])
  })

  it('the words to avoid name no file', () => {
    expect(sources.filter((file) => wordsOf(basename(file, '.ts')).some((word) => avoided.has(word)))).toEqual([])
  })

  it('the words to avoid name nothing that is declared', () => {
    const uses = sources.flatMap((file) =>
      declared(page(file))
        .filter((name) => wordsOf(name).some((word) => avoided.has(word)))
        .map((name) => `${name} in ${file}`),
    )
    expect(uses).toEqual([])
  })
})
