import { describe, expect, it } from 'vitest'
import { locate } from '../../../src/host/settings/locate.js'

const TEXT = `# a comment [x]
profile = "a"

[profiles.one] # here
sandbox = "off"
list = [
  "a = 1",
  "[b]",
]
text = """
[profiles.two]
sandbox = 1
"""
  [profiles.one.paths]
  roots = ["."]

[[profiles.one.rules]]
id = "first"
[[profiles.one.rules]]
  id = "second"
[profiles."q.r"]
a.b = 1
`

describe('locate', () => {
  it.each([
    [['profile'], 2, 1],
    [['profiles', 'one'], 4, 1],
    [['profiles', 'one', 'sandbox'], 5, 1],
    [['profiles', 'one', 'list', 1], 6, 1],
    [['profiles', 'one', 'paths', 'roots'], 15, 3],
    [['profiles', 'one', 'rules', 0, 'id'], 18, 1],
    [['profiles', 'one', 'rules', 1, 'id'], 20, 3],
    [['profiles', 'one', 'rules', 1, 'missing'], 19, 1],
    [['profiles', 'q.r', 'a', 'b'], 22, 1],
    [['profiles', 'two', 'sandbox'], 4, 1],
    [['nothing'], 1, 1],
  ])('finds %j at %i:%i', (path, line, column) => {
    expect(locate(TEXT, path)).toEqual({ line, column })
  })

  it('is not led astray by lines that end in a carriage return', () => {
    expect(locate('[a]\r\nb = 1\r\n', ['a', 'b'])).toEqual({ line: 2, column: 1 })
  })
})
