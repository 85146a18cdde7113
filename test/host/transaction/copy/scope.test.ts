import { describe, expect, it } from 'vitest'
import { scopeOf } from '../../../../src/host/transaction/copy/scope.js'

const inScope = (scope: readonly string[], workspace = '/w') => {
  const rootPaths = [workspace, '/other'].map((root) => ({ root, storePath: '', scratch: '' }))
  const matches = scopeOf(scope, workspace, rootPaths)
  return (path: string, root = 0): boolean => matches(root, path)
}

describe('the scope of what is put back', () => {
  it.each(['**', '.', './', '/w', '/w/'])('is the workspace of any name and all in it: %s', (glob) => {
    const isIn = inScope([glob])
    expect(['', 'a', 'a/b', '.git/x', "od'd\nname", 'a\\b', '\xff\xfe', '..a'].map((path) => isIn(path))).toEqual(
      Array(8).fill(true),
    )
    expect([isIn('', 1), isIn('a', 1)]).toEqual([false, false])
  })

  it.each(['/a*b', '/[x]', '/{a,b}', '/!(x)', '/two words', '/(a|b)', '/back\\slash', '/a\nb'])(
    'takes no character of the name of the workspace for a pattern: %j',
    (workspace) => {
      const isIn = inScope(['src/**', '*.txt'], workspace)
      expect(['src', 'src/a', 'a.txt', 'b/a.txt', ''].map((path) => isIn(path))).toEqual([
        true,
        true,
        true,
        false,
        false,
      ])
    },
  )

  it('is what its patterns name, and what is below that', () => {
    const isIn = inScope(['.env', './src', '/other/cache'])
    expect(['.env', 'env', 'src', 'src/a/b', 'srcs'].map((path) => isIn(path))).toEqual([
      true,
      false,
      true,
      true,
      false,
    ])
    expect(['cache', 'cache/x', 'x', ''].map((path) => isIn(path, 1))).toEqual([true, true, false, false])
  })

  it('is everything when nothing is said', () => {
    expect([inScope([])(''), inScope([])('x', 1)]).toEqual([true, true])
  })
})
