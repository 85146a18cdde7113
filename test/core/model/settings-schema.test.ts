import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { settingsJsonSchema } from '../../../src/core/model/policy/settings.js'

const FILE = resolve(import.meta.dirname, '../../../docs/cordon.schema.json')

/** Every property below, with its place and its schema. */
function* properties(schema: unknown, at: string): Generator<readonly [string, Record<string, unknown>]> {
  if (typeof schema !== 'object' || schema === null) return
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'properties') {
      for (const [name, property] of Object.entries(value as Record<string, Record<string, unknown>>)) {
        yield [`${at}.${name}`, property]
        yield* properties(property, `${at}.${name}`)
      }
    } else yield* properties(value, at)
  }
}

describe('docs/cordon.schema.json', () => {
  it('is what the settings accept today (if not: npm run schema)', () => {
    expect(JSON.parse(readFileSync(FILE, 'utf8'))).toEqual(JSON.parse(JSON.stringify(settingsJsonSchema())))
  })

  it('the published schema describes every key', () => {
    const all = [...properties(settingsJsonSchema(), '')]
    expect(all.length).toBeGreaterThan(60)
    expect(
      all.filter(([, { description }]) => typeof description !== 'string' || description === '').map(([at]) => at),
    ).toEqual([])
  })
})
