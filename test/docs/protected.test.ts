import { readFileSync } from 'node:fs'
import { parse } from 'smol-toml'
import { describe, expect, it } from 'vitest'

const textOf = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

describe('docs/protected.md', () => {
  it('gives a reason for each path that the profiles protect, and for no other', () => {
    const { paths } = parse(textOf('profiles/workspace.toml')) as unknown as { paths: { protected: string[] } }
    const items = textOf('docs/protected.md').match(/^- `[^:]*(?=:)/gm) ?? []
    const named = items.flatMap((item) => [...item.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path))
    expect([...named].sort()).toEqual([...paths.protected].sort())
  })
})
