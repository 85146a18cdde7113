import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { median } from './median.js'

const ROUNDS = 40
const BARE = 'bare node'
const CASES: Readonly<Record<string, readonly string[]>> = {
  [BARE]: ['-e', '0'],
  '--version': ['dist/bin.cjs', '--version'],
  "check -- 'echo hi'": ['dist/bin.cjs', 'check', '--', 'echo hi'],
  'run -- true': ['dist/bin.cjs', 'run', '--', 'true'],
}

/**
 * Start-up of the command line against `node -e 0`, interleaved, medians. Run from the root of the repository, after
 * a build.
 */
export async function startupBench(): Promise<Record<string, number>> {
  const state = mkdtempSync(join(tmpdir(), 'cordon-startup-'))
  try {
    return ratios({ ...process.env, XDG_STATE_HOME: state })
  } finally {
    rmSync(state, { recursive: true, force: true })
  }
}

function ratios(env: NodeJS.ProcessEnv): Record<string, number> {
  const times = new Map(Object.keys(CASES).map((name) => [name, [] as number[]]))
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, args] of Object.entries(CASES)) {
      const from = performance.now()
      const { status } = spawnSync(process.execPath, args, { stdio: 'ignore', env })
      if (status !== 0) throw new Error(`node ${args.join(' ')} exited with ${status}. Build first: npm run build`)
      times.get(name)?.push(performance.now() - from)
    }
  }
  const bare = median(times.get(BARE) ?? [])
  return Object.fromEntries([...times].map(([name, list]) => [`${name}, times node -e 0`, median(list) / bare]))
}
