import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadProfiles } from '../../../src/host/settings/profiles.js'
import { EVASIONS } from '../suites/evasions.js'
import { runEvasions } from '../support/evasion-run.js'

const builtinDir = resolve(import.meta.dirname, '../../../profiles')
const profiles = loadProfiles({ workspace: '/', home: '/nonexistent', env: {}, builtinDir })
const setting = { ownNamespace: false, abreast: 4 } as const
const inProfile = (name: string) => [profiles.profileFor(null, name)]

describe('denied programs in obfuscated commands that the analyser lets through', () => {
  it.each(['workspace', 'readonly'])(
    'no denied program runs in the sandbox of %s',
    async (name) => {
      const report = await runEvasions({ ...setting, commands: EVASIONS, profiles: inProfile(name), masks: true })
      expect(report.executed).toEqual([])
      expect(report.runs).toBe(EVASIONS.length)
      // The others try a missing program, or fail for another reason.
      expect(report.stopped).toBeGreaterThan(0.8 * EVASIONS.length)
    },
    240_000,
  )

  it('nearly all obfuscated commands run without masks, so they are valid', async () => {
    const commands = EVASIONS.filter((_, index) => index % 4 === 0)
    const report = await runEvasions({ ...setting, commands, profiles: inProfile('workspace'), masks: false })
    expect(report.executed.length).toBeGreaterThan(0.8 * commands.length)
  }, 120_000)
})
