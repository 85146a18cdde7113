// Scripts made to be hard to read, each at its worst, and how long reading and deciding them takes. Usage: npm run
// hostile [-- CHARS [PART]]
import { builtinProfiles, bundledCore, noAnswers, surroundingsOf } from './core-bundle.mjs'
import { SHAPES } from './hostile-shapes.mjs'

const CHARS = Number(process.argv[2] ?? 65_536)
const PART = process.argv[3] ?? ''
const SLOW_MS = 250
const SHOWN = 20

const core = await bundledCore('analyse', 'decide', 'profiles')
const profile = builtinProfiles(core).profileFor(null, 'developer')
const surroundings = surroundingsOf(profile)
const cwd = '/home/user/proj'

/** Milliseconds of processor time, and the verdict. */
function decided(script) {
  const command = { mode: 'shell', script }
  const started = process.cpuUsage()
  const { facts, work } = core.analyse(command, { cwd, home: '/home/user', env: [] }, noAnswers())
  const { verdict } = core.decide({ command, text: script, facts, answers: noAnswers(), profile, surroundings, cwd })
  const { user, system } = process.cpuUsage(started)
  return { ms: (user + system) / 1000, verdict, work }
}

/** Takes the best of three runs of a slow script: one run may include a garbage collection. */
function quickest(script) {
  let best = decided(script)
  for (let i = 0; i < 2 && best.ms > SLOW_MS / 3; i++) {
    const next = decided(script)
    if (next.ms < best.ms) best = next
  }
  return best
}

for (let i = 0; i < 200; i++) decided('for i in a b; do echo "$i" | sed s/a/b/; done; x=$(cat f); [ -n "$x" ] && rm x')
const rows = []
for (const [name, shape] of SHAPES) {
  if (PART !== '' && !name.includes(PART)) continue
  const script = shape(CHARS)
  rows.push({ name, chars: script.length, ...quickest(script) })
}
rows.sort((a, b) => b.ms - a.ms)
for (const { name, chars, ms, verdict, work } of rows.slice(0, SHOWN))
  console.log(
    `${ms.toFixed(0).padStart(6)} ms  ${verdict.padEnd(5)} ${String(work ?? '').padStart(9)} ${String(chars).padStart(6)} chars  ${JSON.stringify(name)}`,
  )
const slow = rows.filter(({ ms }) => ms > SLOW_MS)
console.log(`${rows.length} shapes of ${CHARS} characters, ${slow.length} over ${SLOW_MS} ms`)
if (slow.length > 0) process.exit(1)
