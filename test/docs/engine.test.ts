import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, it } from 'vitest'
import { page, ROOT } from './markdown.js'

const STAGES = /request ─ (.*) ─▶ result/.exec(page('docs/README.md'))?.[1]?.split(' ─ ') ?? []
const walk = [...page('docs/engine.md').matchAll(/^\d+\. `(src\/[^`]+)`/gm)].map(([, file = '']) => file)
const source = (file: string): string => readFileSync(join(ROOT, file), 'utf8')
const importsOf = (file: string): readonly string[] =>
  [...source(file).matchAll(/(?:from |import\()'(\.[^']+)\.js'/g)].map(([, path = '']) =>
    normalize(join(dirname(file), `${path}.ts`)),
  )
const stageOf = (file: string): string => /^src\/engine\/stages\/(.+)\.ts$/.exec(file)?.[1] ?? ''

describe('the walk through the engine in docs/engine.md', () => {
  it('names about thirty files that exist, each once', () => {
    expect(walk.length).toBeGreaterThan(25)
    expect(walk.length).toBeLessThan(36)
    expect(new Set(walk).size).toBe(walk.length)
    expect(walk.filter((file) => !existsSync(join(ROOT, file)))).toEqual([])
  })

  it('names each file after one that imports it', () => {
    const isReached = (file: string, at: number): boolean =>
      walk.slice(0, at).some((by) => importsOf(by).includes(file))
    expect(walk.filter((file, at) => at > 0 && !isReached(file, at))).toEqual([])
  })

  it('names the stages in the order in which the index draws them and the pipeline calls them', () => {
    const named = walk.map(stageOf).filter((stage) => stage !== '')
    const calls = source('src/engine/pipeline.ts').matchAll(/\b(\w+)\((?!\))/g)
    const called = [...calls].map(([, name = '']) => name).filter((name) => named.includes(name))
    expect(named).toEqual([...STAGES, 'audit'])
    expect(new Set(called)).toEqual(new Set(named))
    // `transaction(… launch(…))` and `audit` stand where they are called; `audit` closes the function above the launch.
    expect(called.filter((name) => name !== 'audit')).toEqual(STAGES)
  })
})
