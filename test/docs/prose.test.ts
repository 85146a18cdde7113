import { describe, expect, it } from 'vitest'
import { filesBelow, page } from './markdown.js'

const MOST_COLUMNS = 120

/** Lines of a page outside code blocks. */
function proseOf(text: string): readonly string[] {
  let inCode = false
  return text.split('\n').filter((line) => {
    if (/^\s*(?:```|~~~)/.test(line)) inCode = !inCode
    return !inCode
  })
}

describe('prose', () => {
  it('of pages and change fragments has no line over 120 columns', () => {
    const pages = [
      'README.md',
      'CONTRIBUTING.md',
      'SECURITY.md',
      'CHANGELOG.md',
      ...filesBelow('docs'),
      ...filesBelow('changes'),
    ]
    const long = pages
      .filter((file) => file.endsWith('.md'))
      .flatMap((file) =>
        proseOf(page(file)).flatMap((line) =>
          [...line].length > MOST_COLUMNS ? [`${file}: ${line.slice(0, 60)}`] : [],
        ),
      )
    expect(long).toEqual([])
  })

  it('of comments has no line over 120 columns', () => {
    const sources = ['src', 'test', 'bench', 'script']
      .flatMap(filesBelow)
      .filter((file) => /\.(ts|mjs|pl|pm|sh|bash)$/.test(file))
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
