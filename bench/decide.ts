import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { homedir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { analyse } from '../src/core/analyse/analyse.js'
import { decide } from '../src/core/decide/decide.js'
import { noAnswers } from '../src/core/model/run/facts.js'
import { createObserver } from '../src/host/observe/observer.js'
import { loadProfiles } from '../src/host/settings/profiles.js'
import { median } from './median.js'
import { ONE_LINERS } from './one-liners.js'

const ROUNDS = 200

/**
 * Compares reading and deciding a one-liner with starting a shell that does nothing. The two take turns, so a busy
 * moment hurts both.
 */
export async function decideBench(): Promise<Record<string, number>> {
  const readAndDecide = createReader()
  const deciding: number[] = []
  const spawning: number[] = []
  for (let round = -ROUNDS; round < ROUNDS; round++) {
    const start = performance.now()
    for (const script of ONE_LINERS) readAndDecide(script)
    const decided = performance.now()
    await once(spawn('bash', ['-c', 'true'], { stdio: 'ignore' }), 'exit')
    const exited = performance.now()
    // The first rounds only let V8 compile.
    if (round < 0) continue
    deciding.push(((decided - start) * 1_000) / ONE_LINERS.length)
    spawning.push((exited - decided) * 1_000)
  }
  return {
    'read and decide a one-liner, µs': median(deciding),
    'spawn of bash -c true, µs': median(spawning),
    'read and decide / spawn, %': (median(deciding) / median(spawning)) * 100,
  }
}

/** Parses, analyses and decides a script, without the host's answers: those are the file system's time. */
function createReader(): (script: string) => unknown {
  const cwd = process.cwd()
  const host = { workspace: cwd, home: homedir(), env: process.env }
  const builtinDir = fileURLToPath(new URL('../profiles', import.meta.url))
  const profile = loadProfiles({ ...host, builtinDir }).profileFor(null, 'developer')
  const surroundings = createObserver(host).surroundings(profile)
  const answers = noAnswers()
  return (script) => {
    const command = { mode: 'shell', script } as const
    const { facts } = analyse(command, { cwd, home: host.home, env: [] }, answers)
    return decide({ command, text: script, facts, answers, profile, surroundings, cwd })
  }
}
