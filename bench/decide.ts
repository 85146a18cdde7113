import { homedir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parse } from 'unbash'
import { analyse } from '../src/core/analyse/analyse.js'
import { decide } from '../src/core/decide/decide.js'
import { noAnswers } from '../src/core/model/facts.js'
import { createObserver } from '../src/host/observe/observer.js'
import { loadProfiles } from '../src/host/settings/profiles.js'
import { median } from './median.js'

const ONE_LINERS = [
  'ls -la src',
  'git status --short',
  'git commit -m "Fix the parser"',
  'npm test',
  'grep -rn "TODO" src | head -20',
  'cat package.json | jq .version',
  'cd app && npm run build',
  'rm -rf node_modules',
  'find . -name "*.ts" -exec wc -l {} +',
  'for f in *.md; do echo "$f"; done',
  'echo "$(date): done" >> log.txt',
  'make -j4 && ./run --fast',
]

const SCRIPT = Array.from({ length: 200 }, (_, i) => ONE_LINERS[i % ONE_LINERS.length]).join('\n')

/** µs per one-liner and per 200-line script: reading and deciding against a bare parse of the same text, interleaved. */
export async function decideBench(): Promise<Record<string, number>> {
  const considered = consideration()
  const oneLiners = compare(ONE_LINERS, considered, 300)
  const script = compare([SCRIPT], considered, 60)
  return {
    'one-liner: bare parse, µs': oneLiners.bare,
    'one-liner: read and decided, µs': oneLiners.ours,
    'one-liner, times a bare parse': oneLiners.ours / oneLiners.bare,
    '200 lines: bare parse, µs': script.bare,
    '200 lines: read and decided, µs': script.ours,
    '200 lines, times a bare parse': script.ours / script.bare,
  }
}

/** analyse and decide, with the host's answers left out on both sides: they are the file system's time, not ours. */
function consideration(): (script: string) => void {
  const cwd = process.cwd()
  const host = { workspace: cwd, home: homedir(), env: process.env }
  const builtinDir = fileURLToPath(new URL('../profiles', import.meta.url))
  const profile = loadProfiles({ ...host, builtinDir }).profileFor(null, 'developer')
  const surroundings = createObserver(host).surroundings(profile)
  return (script) => {
    const command = { mode: 'shell', script } as const
    const answers = noAnswers()
    const { facts } = analyse(command, { cwd, home: host.home, env: [] }, answers)
    decide({ command, text: script, facts, answers, profile, surroundings, cwd })
  }
}

function compare(scripts: readonly string[], considered: (script: string) => void, rounds: number) {
  const bareTimes: number[] = []
  const ourTimes: number[] = []
  for (let round = -rounds; round < rounds; round++) {
    const times = [timed(scripts, parse), timed(scripts, considered)] as const
    if (round < 0) continue
    bareTimes.push(times[0])
    ourTimes.push(times[1])
  }
  return { bare: median(bareTimes), ours: median(ourTimes) }
}

function timed(scripts: readonly string[], act: (script: string) => unknown): number {
  const from = performance.now()
  for (const script of scripts) act(script)
  return ((performance.now() - from) * 1_000) / scripts.length
}
