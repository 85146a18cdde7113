// Feeds the analyser hostile text. It must never throw, hang or grow. Usage: npm run fuzz [-- COUNT [SEED]]
// Or feeds one of the parsers in test/fuzz/targets.ts, or all of them for so long each: npm run fuzz -- TARGET|all
// --minutes N
import { spawnSync } from 'node:child_process'
import { bundledCore, noAnswers } from './core-bundle.mjs'

const [target = '', option, minutes = '1'] = process.argv.slice(2)
if (/^[a-z]/.test(target)) {
  if (option !== undefined && (option !== '--minutes' || !/^[\d.]+$/.test(minutes))) {
    console.error('usage: npm run fuzz -- TARGET --minutes N')
    process.exit(2)
  }
  const env = { CORDON_SEED: 'random', ...process.env, CORDON_FUZZ_TARGET: target, CORDON_FUZZ_MINUTES: minutes }
  const { status } = spawnSync('npx', ['vitest', 'run', 'test/fuzz/targets.test.ts'], { stdio: 'inherit', env })
  process.exit(status ?? 1)
}

const COUNT = Number(process.argv[2] ?? 1_000_000)
const SEED = Number(process.argv[3] ?? 1)
const SLOW_MS = 250
const PIECES =
  '$ ( ) ` " \' \\ \n ; & | < > { } # * ? [ ] ! ~ = + - / : @ % ^ , . 0 1 a x $( ${ $(( (( )) [[ ]] << <<- <<< <( >( >& <& &> >> >| && || ;; ;& $\' $" $@ $* $# $? $! $1 ${x} ${x:-} ${x/a/b} ${!x} ${#x} ${x@P} a=1 a[ ]= a+=( if then elif else fi for while until do done case esac in select function coproc time eval bash -c sh env xargs find -exec \\; sudo rm -rf cat EOF E {a,b} {1..9} export declare local read printf -v let test [ trap alias source . exec command builtin set -- shift cd pushd \t \r \0 é 💥 \u202e'.split(
    ' ',
  )

const { analyse } = await bundledCore('analyse')

let state = SEED >>> 0 || 1
const random = (below) => {
  state ^= state << 13
  state ^= state >>> 17
  state ^= state << 5
  return (state >>> 0) % below
}

function text() {
  const length = 1 + random(random(20) === 0 ? 400 : 24)
  let out = ''
  for (let i = 0; i < length; i++) out += PIECES[random(PIECES.length)] + (random(3) === 0 ? ' ' : '')
  return out
}

const context = { cwd: '/work', home: '/home/user', env: [] }
let slowest = { ms: 0, script: '' }
let gaveUp = 0
const cpuMs = (script) => {
  const started = process.cpuUsage()
  const { facts } = analyse({ mode: 'shell', script }, context, noAnswers())
  const spot = facts.opaque.find(({ reason }) => reason.startsWith('the reader gave up'))
  if (spot) {
    gaveUp++
    console.error(`gave up: ${JSON.stringify(script)} ${spot.reason}`)
  }
  const { user, system } = process.cpuUsage(started)
  return (user + system) / 1000
}

for (let i = 0; i < COUNT; i++) {
  const script = text()
  try {
    const first = cpuMs(script)
    // A pause of the collector is not the input's fault: what is slow must be slow twice.
    const ms = first > slowest.ms ? Math.min(first, cpuMs(script)) : first
    if (ms > slowest.ms) slowest = { ms, script }
  } catch (error) {
    console.error(`threw: ${JSON.stringify(script)}`, error)
    process.exit(1)
  }
  if (i % 100_000 === 99_999) console.log(`${i + 1} inputs, slowest ${slowest.ms.toFixed(1)} ms`)
}
console.log(
  `${COUNT} inputs, none threw, ${gaveUp} given up, slowest ${slowest.ms.toFixed(1)} ms: ${JSON.stringify(slowest.script.slice(0, 200))}`,
)
if (gaveUp > 0 || slowest.ms > SLOW_MS) process.exit(1)
