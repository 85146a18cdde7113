import { describe, expect, it } from 'vitest'
import { factsOf, hidden, lines } from './facts-of.js'

describe('a program of the project with the name of one of the system', () => {
  it.each(['yes | ./script', './script', 'echo y | ./install', './su', 'scripts/env x', './configure && make'])(
    'is a program of its own: %s',
    (script) => {
      expect(hidden(factsOf(script))).toBe(false)
    },
  )

  it.each([
    '/usr/bin/script',
    'cd /usr/bin; ./script',
    '.venv/bin/python -c "import os"',
    'node_modules/.bin/env sudo id',
  ])('is the system’s where tools are put by their names: %s', (script) => {
    const facts = factsOf(script)
    expect(facts.opaque.some(({ inherent }) => !inherent) || lines(facts).some((line) => /sudo id/.test(line))).toBe(
      true,
    )
  })
})

describe('a program that git keeps for a subcommand', () => {
  it.each(['git-push --force origin main', '/usr/lib/git-core/git-push --force origin main'])(
    'is that subcommand: %s',
    (script) => {
      expect(lines(factsOf(script))).toEqual(['git push --force origin main'])
    },
  )

  it.each(['git-lfs push origin main', './git-push x'])('is its own where git has none by that name: %s', (script) => {
    expect(lines(factsOf(script))).toEqual([script])
  })
})

describe('an expression that find refuses', () => {
  it.each(['find --version', 'find . -foo', 'find . -newerXY x', 'find . -name x -printf0', 'find -E . -regex x'])(
    'is no question: %s',
    (script) => {
      expect(hidden(factsOf(script))).toBe(false)
    },
  )

  it.each(['find . -foo -exec rm {} +', 'find . -foo -delete', 'find . -foo -fprint x'])(
    'tells what it could run, delete or write: %s',
    (script) => {
      const facts = factsOf(script)
      expect(
        facts.deletes.length + facts.writes.length + lines(facts).filter((line) => /rm/.test(line)).length,
      ).toBeGreaterThan(0)
    },
  )

  it('is unknown where a part of it is', () => {
    expect(hidden(factsOf('find . $(cat x)'))).toBe(true)
  })
})

describe('history expansion', () => {
  it.each(['set -H', 'set -H; echo hi', 'set -o histexpand; [ 1 != 2 ]'])(
    'changes nothing without an event: %s',
    (script) => {
      expect(factsOf(script).shapes).toEqual([])
      expect(hidden(factsOf(script))).toBe(false)
    },
  )

  it('is unknown with one', () => {
    expect(hidden(factsOf('set -H -o history\necho rm\n!! -rf /'))).toBe(true)
  })
})
