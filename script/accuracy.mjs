// Measures the analyser on the corpora of the tests: false alarms, misses and obfuscations. Usage: npm run accuracy
// [-- --list]
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { builtinProfiles, bundledCore, noAnswers, ROOT, surroundingsOf } from './core-bundle.mjs'

const PROFILES = ['workspace', 'developer', 'readonly', 'open']
const CWD = '/home/user/proj'
const core = await bundledCore('analyse', 'decide', 'profiles')
const profiles = builtinProfiles(core)
const isListing = process.argv.includes('--list')

const ordinary = read('test/core/decide/trades.jsonl')
const dangerous = read('test/core/decide/dangers.jsonl')
const obfuscated = read('test/oracle/obfuscations.jsonl')

row(
  'profile',
  'ordinary, interrupted',
  'of these denied',
  'dangerous, allowed',
  'obfuscated, allowed, nothing reported',
)
row('---', '---', '---', '---', '---')
for (const name of PROFILES) {
  const interrupted = ordinary.filter((script) => decided(script, name).verdict !== 'allow')
  const denied = interrupted.filter((script) => decided(script, name).verdict === 'deny')
  const missed = dangerous.filter((script) => decided(script, name).verdict === 'allow')
  const silent = obfuscated.filter((script) => {
    const { verdict, facts } = decided(script, name)
    return verdict === 'allow' && facts.opaque.length === 0
  })
  row(name, share(interrupted, ordinary), share(denied, ordinary), share(missed, dangerous), share(silent, obfuscated))
  if (!isListing) continue
  for (const [kind, list] of Object.entries({ interrupted, missed, silent }))
    for (const script of list) console.log(`    ${kind} ${name}: ${script}`)
}

function decided(script, name) {
  const context = { cwd: CWD, home: '/home/user', env: [] }
  const command = { mode: 'shell', script }
  const { facts } = core.analyse(command, context, noAnswers())
  const profile = profiles.profileFor(null, name)
  const surroundings = surroundingsOf(profile)
  const input = { command, text: script, facts, answers: noAnswers(), profile, surroundings, cwd: CWD }
  return { verdict: core.decide(input).verdict, facts }
}

function read(file) {
  const lines = readFileSync(join(ROOT, file), 'utf8').split('\n')
  return lines.filter((line) => line.trim() !== '').map((line) => JSON.parse(line))
}

function share(part, whole) {
  return `${part.length} of ${whole.length} (${((100 * part.length) / whole.length).toFixed(1)} %)`
}

function row(...cells) {
  console.log(`| ${cells.join(' | ')} |`)
}
