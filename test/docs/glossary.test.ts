import { describe, expect, it } from 'vitest'
import { filesBelow, page, rows } from './markdown.js'

const glossary = rows(page('docs/glossary.md'))
const avoided = glossary.flatMap(([, , avoid = '']) => avoid.split(', ').filter((word) => word !== ''))
const phrases = [
  ...(page('docs/glossary.md')
    .split('Phrases to replace:')[1]
    ?.matchAll(/"([^"]+)"/g) ?? []),
].map(([, phrase = '']) => phrase.replace(/\s+/g, ' '))
const sources = [...filesBelow('src'), ...filesBelow('test'), ...filesBelow('bench')].filter((file) =>
  /\.(ts|pl|pm|sh|bash)$/.test(file),
)
/** This test, and data that quotes other programs' words. */
const QUOTING = /glossary\.test\.ts$|\/(?:fixtures?|cases)\//

/** Splits names such as `runInTransaction` and `RUN_IN` into words. */
const wordsOf = (text: string): readonly string[] =>
  text.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g)?.map((word) => word.toLowerCase()) ?? []
const comments = (text: string): string =>
  [...text.matchAll(/^\s*\/\*\*?([\s\S]*?)\*\/|(?:^|\s)\/\/ (.*)$|^\s*# (.*)$/gm)]
    .map(([, a, b, c]) => a ?? b ?? c)
    .join('\n')
const titles = (text: string): string =>
  [...text.matchAll(/\b(?:it|test|describe)(?:\.\w+(?:\([^()]*\))?)*\(\s*(['"`])(.*?)\1/g)]
    .map(([, , title]) => title)
    .join('\n')
/** Texts for people and models: string literals with a word that tables of names do not have. */
const messages = (text: string): string =>
  [...text.matchAll(/(['"`])((?:(?!\1)[^\\\n]|\\.)*)\1/g)]
    .flatMap(([, , literal = '']) => (/ (?:the|is|are|be|it|of|cannot|not|was) /.test(literal) ? [literal] : []))
    .join('\n')
const declared = (text: string): readonly string[] =>
  [...text.matchAll(/\b(?:const|let|function|class|interface|type|enum|readonly)\s+([A-Za-z_]\w*)/g)].map(
    ([, name]) => name as string,
  )

/** The words of one file that the glossary avoids: in its name, declared names, comments, messages and test names. */
function foundIn(file: string): readonly string[] {
  const text = page(file)
  const prose = [comments(text), titles(text), file.startsWith('src/') ? messages(text) : ''].join('\n')
  const words = new Set([...wordsOf(file), ...declared(text).flatMap(wordsOf), ...wordsOf(prose)])
  const said = phrases.filter((phrase) => new RegExp(`\\b${phrase}\\b`, 'i').test(prose))
  return [...avoided.filter((word) => words.has(word)), ...said].map((word) => `${word} in ${file}`)
}

describe('docs/glossary.md', () => {
  it('has one row for each term, in order, with its meaning', () => {
    const terms = glossary.map(([term = '']) => term)
    expect(terms).toEqual([...new Set(terms)].sort())
    expect(glossary.filter(([, meaning = '']) => meaning === '')).toEqual([])
  })

  it('avoids no word that it uses as a term', () => {
    expect(glossary.flatMap(([term = '']) => term.split(' ')).filter((word) => avoided.includes(word))).toEqual([])
  })

  it('words to avoid are in no file name, declared name, comment, message or test name', () => {
    expect(sources.filter((file) => !QUOTING.test(file)).flatMap(foundIn)).toEqual([])
  })

  it('words to avoid are on no page', () => {
    const pages = filesBelow('docs').filter((file) => file.endsWith('.md') && !file.endsWith('glossary.md'))
    const used = [...pages, 'README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'].flatMap((file) => {
      const prose = page(file).replace(/`[^`]*`/g, '')
      const words = new Set(wordsOf(prose))
      const said = phrases.filter((phrase) => new RegExp(`\\b${phrase}\\b`, 'i').test(prose))
      return [...avoided.filter((word) => words.has(word)), ...said].map((word) => `${word} in ${file}`)
    })
    expect(used).toEqual([])
  })
})
