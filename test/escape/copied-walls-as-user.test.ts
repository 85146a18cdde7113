import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const NOBODY = 65_534
const ROOT = resolve(import.meta.dirname, '../..')

// A process that only changed its user is closed to the nursery in /proc, so the attacks run in one that was started as that user.
it.runIf(process.getuid?.() === 0)(
  'no attack on a copy succeeds for an ordinary user either',
  async () => {
    const words = ['run', '--configLoader=runner', '--no-cache', '--reporter=json', 'test/escape/copied-walls.test.ts']
    const told = await promisify(execFile)(process.execPath, [`${ROOT}/node_modules/vitest/vitest.mjs`, ...words], {
      uid: NOBODY,
      gid: NOBODY,
      cwd: ROOT,
      env: { PATH: process.env.PATH, HOME: '/nonexistent' },
    }).catch((error: { stdout: string }) => error)
    const report = JSON.parse(told.stdout.slice(told.stdout.indexOf('{'))) as {
      numPassedTests: number
      testResults: { assertionResults: { status: string; fullName: string }[] }[]
    }
    const all = report.testResults.flatMap(({ assertionResults }) => assertionResults)
    expect(all.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName)).toEqual([])
    expect(report.numPassedTests).toBeGreaterThan(40)
  },
  240_000,
)
