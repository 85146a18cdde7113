import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { toWire } from '../../src/core/present/wire.js'
import * as library from '../../src/index.js'
import { openWorkbench, type Workbench } from '../conformance/workbench.js'
import { blocks, page, rows } from './markdown.js'

const text = page('docs/library.md')
const json = (first: string): Record<string, unknown> => {
  const block = blocks(text).find(({ language, text: body }) => language === 'json' && body.includes(`"${first}"`))
  return JSON.parse(block?.text ?? '')
}
const ticked = (cell = ''): readonly string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)

describe('docs/library.md', () => {
  let bench: Workbench
  beforeAll(async () => {
    bench = await openWorkbench()
  })
  afterAll(() => bench.close())

  it('shows the JSON of a result field by field', async () => {
    const real = toWire(await bench.cordon.run('echo hi'))
    const documented = json('exit_code')
    expect(Object.keys(documented)).toEqual(
      Object.keys(real).filter((key) => key !== 'filter' && key !== 'transaction'),
    )
    expect(documented).toMatchObject({ stdout: real.stdout, exit_code: real.exit_code, decision: { verdict: 'allow' } })
  })

  it('names calls that are there', () => {
    const calls = rows(text.slice(0, text.indexOf('## Options'))).flatMap(([call]) => ticked(call))
    expect(calls.length).toBeGreaterThan(15)
    for (const call of calls) {
      const path = call.replace(/\(.*$/, '').split('.')
      const value = path.reduce<unknown>((at, key) => Reflect.get(Object(at), key), bench.cordon)
      expect(value, call).toBeDefined()
    }
  })

  it('names every option of a request, and no other', () => {
    const section = text.slice(text.indexOf('## Options'), text.indexOf('## JSON'))
    const api = /interface RunOptions \{([\s\S]*?)\n\}/.exec(page('src/engine/api.ts'))?.[1] ?? ''
    const real = [...api.matchAll(/readonly (\w+)\?:/g)].map(([, name = '']) => name)
    expect(real.length).toBeGreaterThan(8)
    expect(rows(section).flatMap(([name]) => ticked(name))).toEqual(real)
  })

  it('names exports that are there', () => {
    for (const name of ['createCordon', 'CordonError', 'escapeArg', 'buildCommand', 'toText', 'toWire']) {
      expect(text).toContain(name)
      expect(library).toHaveProperty(name)
    }
  })
})
