import { describe, expect, it } from 'vitest'
import { filesBelow, page } from './markdown.js'

const MOST_COLUMNS = 120
const MOST_WORDS = 30
/** A doc comment begins with a verb or a noun, never with a clause that hides the subject. */
const HIDDEN_SUBJECT =
  /^(?:What|Whatever|Who|Whoever|Nobody|Somebody|Anybody|Where|Whether|How|Of|So many|The same|That which)\b/

/** Lines of a page outside code blocks. */
function proseOf(text: string): readonly string[] {
  let inCode = false
  return text.split('\n').filter((line) => {
    const isFence = /^\s*(?:```|~~~)/.test(line)
    if (isFence) inCode = !inCode
    return !inCode && !isFence
  })
}

/** Paragraphs, list items and table cells of a page, each on one line and with a row of code pieces as one word. */
const blocksOf = (text: string): readonly string[] =>
  proseOf(text)
    .join('\n')
    .replace(/`[^`]*`|"[^"]*" \([^)]*\)/g, 'X')
    .replace(/\]\([^)]*\)/g, ']')
    .split(/\n\s*\n|\n(?=#|\s*(?:[-*]|\d+\.)\s)|[|·]/)
    .map((block) => block.replace(/\s+/g, ' ').replace(/X(?:,? X)+/g, 'X'))

const pages = ['.', 'docs', 'changes', 'examples', 'integrations']
  .flatMap((folder) =>
    folder === '.' ? ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'] : filesBelow(folder),
  )
  .filter((file) => file.endsWith('.md'))
const sources = ['src', 'test', 'bench', 'script']
  .flatMap(filesBelow)
  .filter((file) => /\.(ts|mjs|pl|pm|sh|bash)$/.test(file))

describe('prose', () => {
  it('of pages and change fragments has no line over 120 columns', () => {
    const long = pages.flatMap((file) =>
      proseOf(page(file)).flatMap((line) => ([...line].length > MOST_COLUMNS ? [`${file}: ${line.slice(0, 60)}`] : [])),
    )
    expect(long).toEqual([])
  })

  it('of pages and change fragments has no sentence over 30 words', () => {
    const long = pages.flatMap((file) =>
      blocksOf(page(file))
        .flatMap((block) => block.split(/(?<=[.!?:;]\**)\s+/))
        .flatMap((sentence) => (sentence.split(' ').length > MOST_WORDS ? [`${file}: ${sentence}`] : [])),
    )
    expect(long).toEqual([])
  })

  it('of doc comments begins with no noun clause', () => {
    const hidden = sources.flatMap((file) =>
      [...page(file).matchAll(/\/\*\*(?:\s|\*)*([^\n]*)/g)].flatMap(([, first = '']) =>
        HIDDEN_SUBJECT.test(first) ? [`${file}: ${first}`] : [],
      ),
    )
    expect(hidden).toEqual([])
  })

  it('of comments has no line over 120 columns', () => {
    const long = sources.flatMap((file) =>
      page(file)
        .split('\n')
        .flatMap((line, index) =>
          /^\s*(?:\/\/|\/\*|\* |#)/.test(line) && [...line].length > MOST_COLUMNS ? [`${file}:${index + 1}`] : [],
        ),
    )
    expect(long).toEqual([])
  })
})
