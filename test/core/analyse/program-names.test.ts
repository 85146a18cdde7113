import { describe, expect, it } from 'vitest'
import { factsOf, hasUnknown, lines } from './facts-of.js'

describe('a project program with the name of a system program', () => {
  it.each(['yes | ./script', './script', 'echo y | ./install', './su', 'scripts/env x', './configure && make'])(
    'a path to a project program is foreign code: %s',
    (script) => {
      expect(hasUnknown(factsOf(script))).toBe(false)
    },
  )

  it.each([
    '/usr/bin/script',
    'cd /usr/bin; ./script',
    '.venv/bin/python -c "import os"',
    'node_modules/.bin/env sudo id',
  ])('a path into a tool directory is the program of that name: %s', (script) => {
    const facts = factsOf(script)
    expect(facts.opaque.some(({ inherent }) => !inherent) || lines(facts).some((line) => /sudo id/.test(line))).toBe(
      true,
    )
  })
})

describe('git-NAME programs', () => {
  it.each(['git-push --force origin main', '/usr/lib/git-core/git-push --force origin main'])(
    'git-NAME is the git subcommand NAME: %s',
    (script) => {
      expect(lines(factsOf(script))).toEqual(['git push --force origin main'])
    },
  )

  it.each(['git-lfs push origin main', './git-push x'])(
    'git-NAME is a separate program if git has no such subcommand: %s',
    (script) => {
      expect(lines(factsOf(script))).toEqual([script])
    },
  )
})

describe('invalid find expressions', () => {
  it.each(['find --version', 'find . -foo', 'find . -newerXY x', 'find . -name x -printf0', 'find -E . -regex x'])(
    'an expression that find rejects runs nothing: %s',
    (script) => {
      expect(hasUnknown(factsOf(script))).toBe(false)
    },
  )

  it.each(['find . -foo -exec rm {} +', 'find . -foo -delete', 'find . -foo -fprint x'])(
    'an expression that find may reject lists what it can run, delete or write: %s',
    (script) => {
      const facts = factsOf(script)
      expect(
        facts.deletes.length + facts.writes.length + lines(facts).filter((line) => /rm/.test(line)).length,
      ).toBeGreaterThan(0)
    },
  )

  it('a find expression with an unknown part is unknown', () => {
    expect(hasUnknown(factsOf('find . $(cat x)'))).toBe(true)
  })
})

describe('history expansion', () => {
  it.each(['set -H', 'set -H; echo hi', 'set -o histexpand; [ 1 != 2 ]'])(
    'history expansion without an event changes nothing: %s',
    (script) => {
      expect(factsOf(script).shapes).toEqual([])
      expect(hasUnknown(factsOf(script))).toBe(false)
    },
  )

  it('a script with a history event is unknown', () => {
    expect(hasUnknown(factsOf('set -H -o history\necho rm\n!! -rf /'))).toBe(true)
  })
})
