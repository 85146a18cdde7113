import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const NOBODY = 65_534
const ROOT = resolve(import.meta.dirname, '../../..')

// In /proc, a process that only changed its user is closed to the zygote host. So the attacks run in one started as
// that user.
it.runIf(process.getuid?.() === 0)(
  'no attack on a clone succeeds for an ordinary user',
  async () => {
    const words = [
      'run',
      '--configLoader=runner',
      '--no-cache',
      '--reporter=json',
      'test/attacks/sandbox/cloned-sandboxes.test.ts',
    ]
    const output = await promisify(execFile)(process.execPath, [`${ROOT}/node_modules/vitest/vitest.mjs`, ...words], {
      uid: NOBODY,
      gid: NOBODY,
      cwd: ROOT,
      env: { PATH: process.env.PATH, HOME: '/nonexistent' },
    }).catch((error: { stdout: string }) => error)
    const report = JSON.parse(output.stdout.slice(output.stdout.indexOf('{'))) as {
      numPassedTests: number
      testResults: { assertionResults: { status: string; fullName: string }[] }[]
    }
    const all = report.testResults.flatMap(({ assertionResults }) => assertionResults)
    expect(all.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName)).toEqual([])
    expect(report.numPassedTests).toBeGreaterThan(40)
  },
  240_000,
)
