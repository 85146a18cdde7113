import { describe, expect, it } from 'vitest'
import { linesBeforeError } from '../../../src/host/observe/syntax.js'

describe('bash, asked for errors in a text', () => {
  it.each([
    ['if then', 0],
    ['echo a\nif then', 1],
    ['echo a; echo b\nfor x in 1; do\n  echo $x\nfi', 1],
    ['echo a\nif true; then\n  echo b', 1],
    ['echo a\n\necho )', 2],
    ["echo 'a", 0],
  ])('names the lines that it runs before one: %j', (text, lines) => {
    expect(linesBeforeError(text)).toBe(lines)
  })

  it.each(['echo a', 'cat <<E\nx', '', 'f() { :; }'])('finds none: %j', (text) => {
    expect(linesBeforeError(text)).toBe(-1)
  })

  it('asks /bin/sh where the text says so', () => {
    expect(linesBeforeError('sh\0echo a\necho b\nif then')).toBe(2)
    expect(linesBeforeError('sh\0echo a')).toBe(-1)
    expect(linesBeforeError('sh\0echo a\0')).toBe(-1)
  })

  it('is given up where bash takes long for each of its beginnings', () => {
    const began = performance.now()
    linesBeforeError('echo "$(echo \'\n'.repeat(4_000))
    // Without an end, it takes seconds.
    expect(performance.now() - began).toBeLessThan(700)
  })

  it('runs nothing of the text', () => {
    expect(linesBeforeError('echo $(kill -9 $$)\nexit 3\nif then')).toBe(2)
  })
})
