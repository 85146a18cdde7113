import { afterEach, expect, it } from 'vitest'
import { localTime } from '../../../src/surface/cli/terminal/local-time.js'

const zone = process.env.TZ
afterEach(() => {
  if (zone === undefined) delete process.env.TZ
  else process.env.TZ = zone
})

it.each([
  ['Europe/Berlin', '2026-11-18T19:15:30.000Z', '2026-11-18 20:15 +01:00'],
  ['Europe/Berlin', '2026-07-01T22:30:00.000Z', '2026-07-02 00:30 +02:00'],
  ['America/St_Johns', '2026-01-01T01:00:00.000Z', '2025-12-31 21:30 -03:30'],
  ['UTC', '2026-01-02T03:04:05.000Z', '2026-01-02 03:04 +00:00'],
])('a time is shown in the zone %s with its offset', (name, iso, shown) => {
  process.env.TZ = name
  expect(localTime(iso)).toBe(shown)
})
