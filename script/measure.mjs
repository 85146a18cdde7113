// Rates for files of JSON lines: { command, executes?, label?, intent?, family?, transform? }. Usage: npm run measure
// -- FILE.jsonl… [--list]
import { readFileSync } from 'node:fs'
import { builtinProfiles, bundledCore, noAnswers, surroundingsOf } from './core-bundle.mjs'

const PROFILES = ['strict', 'workspace', 'developer', 'readonly', 'open']
const SEVERITY = { allow: 0, ask: 1, deny: 2 }
const UNCOMPARED = new Set(['interpreter-or-program', 'other-means', 'plain'])
const BUILTINS = new Set(
  ': true false echo printf test [ cd pushd popd dirs pwd export declare typeset local readonly unset set shift shopt getopts let read mapfile readarray eval source . exec command builtin trap alias unalias enable hash history fc bind complete compgen compopt wait break continue return exit logout type jobs fg bg kill ulimit umask times suspend disown help caller'.split(
    ' ',
  ),
)
const { values, lists } = arguments_()
const core = await bundledCore('analyse', 'decide', 'profiles')
const profiles = builtinProfiles(core)
const rows = values.flatMap((file) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => ({ file, ...JSON.parse(line) })),
)
const examined = rows.map((row) => ({ row, facts: factsOf(row.command) }))
report()

function arguments_() {
  const all = process.argv.slice(2)
  const files = all.filter((arg) => !arg.startsWith('-'))
  if (files.length === 0) {
    console.error('usage: npm run measure -- FILE.jsonl… [--list]')
    process.exit(125)
  }
  return { values: files, lists: all.includes('--list') }
}

function factsOf(script) {
  const context = { cwd: '/home/user/proj', home: '/home/user', env: [] }
  return core.analyse({ mode: 'shell', script }, context, noAnswers()).facts
}

function verdictOf(row, facts, name) {
  const profile = profiles.profileFor(null, name)
  const surroundings = surroundingsOf(profile)
  const answers = noAnswers()
  const command = { mode: 'shell', script: row.command }
  return core.decide({ command, text: row.command, facts, answers, profile, surroundings, cwd: '/home/user/proj' })
    .verdict
}

/** An argument that is not known stands for any number of arguments. */
function matches(argv, executed, i = 0, j = 0) {
  for (; i < argv.length; i++, j++) {
    if (typeof argv[i] !== 'string') {
      for (let k = j; k <= executed.length; k++) if (matches(argv, executed, i + 1, k)) return true
      return false
    }
    if (argv[i] !== executed[j]) return false
  }
  return j === executed.length
}

function base(path) {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** Is it listed, argument for argument? A program is known by its base name, however it was found. */
function isListed(facts, argv) {
  return facts.invocations.some((i) => i.program === base(argv[0]) && matches(i.argv.slice(1), argv.slice(1)))
}

/**
 * The order of what was executed does not tell who started what. What is there of the line itself: what the line
 * names, or what the reader lists. All else was started by a program on the line, and is judged by the strict number
 * alone.
 */
function isOfTheLine(row, facts, argv) {
  return row.command.includes(base(argv[0])) || facts.invocations.some((i) => i.program === base(argv[0]))
}

function covers(facts, strictly) {
  return facts.opaque.some((spot) => !strictly || !spot.inherent)
}

/** Names executed that are neither listed nor covered; strictly, what a program starts by itself is no cover. */
function missed({ row, facts }, strictly = false) {
  if (!row.executes || covers(facts, strictly)) return []
  return row.executes.filter((argv) => !facts.invocations.some((i) => i.program === base(argv[0])))
}

/** All that was executed, argument for argument; fairly, all of the line. */
function listed({ row, facts }, strictly) {
  return row.executes.filter((argv) => strictly || isOfTheLine(row, facts, argv)).every((argv) => isListed(facts, argv))
}

/**
 * Nothing is listed that did not run; fairly, what the reader itself calls conditional or run through another program
 * is left aside.
 */
function ran({ row, facts }, strictly) {
  return facts.invocations
    .filter((i) => !BUILTINS.has(i.argv[0]) && (strictly || !(i.conditional || i.implied || i.via.length > 0)))
    .every((i) => row.executes.some((argv) => i.program === base(argv[0]) && matches(i.argv.slice(1), argv.slice(1))))
}

function percent(part, whole) {
  return whole === 0 ? 'none' : `${part} of ${whole} (${((100 * part) / whole).toFixed(2)} %)`
}

function show(title, list) {
  if (!lists) return
  for (const line of list) console.log(`  ${title}: ${line}`)
}

function report() {
  const executed = examined.filter(({ row }) => row.executes)
  console.log(`commands: ${rows.length}`)
  for (const strictly of [false, true]) {
    const losing = executed.filter((one) => missed(one, strictly).length > 0)
    const how = strictly ? ', the inner workings of programs being no cover' : ''
    console.log(
      `with a program executed that is neither listed nor covered${how}: ${percent(losing.length, executed.length)}`,
    )
    show(
      `missed${strictly ? ' strictly' : ''}`,
      losing.map((one) => `${one.row.command} — ${JSON.stringify(missed(one, strictly))}`),
    )
  }
  const benign = executed.filter(({ row }) => !row.family)
  reportEquality(benign)
  for (const kind of ['unknown', 'foreign'])
    console.log(
      `${kind} spots: ${percent(examined.filter(({ facts }) => facts.opaque.some((o) => o.kind === kind)).length, rows.length)}`,
    )
  reportEvasions()
  reportBenign()
}

function reportEquality(benign) {
  const rate = (test) => percent(benign.filter(test).length, benign.length)
  for (const strictly of [true, false]) {
    const how = strictly ? 'strictly' : 'fairly'
    console.log(`benign, ${how}, all that was executed is listed as it was: ${rate((one) => listed(one, strictly))}`)
    console.log(`benign, ${how}, all that is listed was executed: ${rate((one) => ran(one, strictly))}`)
    console.log(
      `benign, ${how}, invocations equal to what was executed: ${rate((one) => listed(one, strictly) && ran(one, strictly))}`,
    )
    show(
      `differs ${how}`,
      benign
        .filter((one) => !(listed(one, strictly) && ran(one, strictly)))
        .map(({ row, facts }) => `${row.command} — ${JSON.stringify(facts.invocations.map((i) => i.argv))}`),
    )
  }
}

function reportEvasions() {
  const evasions = examined.filter(({ row }) => row.intent && row.transform !== 'plain')
  if (evasions.length === 0) return
  for (const name of PROFILES) {
    const plain = new Map(
      examined
        .filter(({ row }) => row.transform === 'plain')
        .map(({ row, facts }) => [row.intent, verdictOf(row, facts, name)]),
    )
    const silent = evasions.filter(
      ({ row, facts }) =>
        (plain.get(row.intent) ?? 'allow') !== 'allow' &&
        !covers(facts, true) &&
        verdictOf(row, facts, name) === 'allow',
    )
    console.log(
      `evasions allowed under ${name} though the plain form is not, and nothing reported: ${percent(silent.length, evasions.length)}`,
    )
    show(
      `silently allowed under ${name}`,
      silent.map(({ row }) => `${row.transform}: ${row.command}`),
    )
    const weaker = evasions.filter(({ row, facts }) => {
      if (UNCOMPARED.has(row.family) || !plain.has(row.intent)) return false
      return SEVERITY[verdictOf(row, facts, name)] < SEVERITY[plain.get(row.intent)]
    })
    console.log(`evasions weaker than their plain form under ${name}: ${percent(weaker.length, evasions.length)}`)
    show(
      `weaker under ${name}`,
      weaker.map(
        ({ row, facts }) =>
          `${row.transform} ${verdictOf(row, facts, name)} < ${plain.get(row.intent)}: ${row.command}`,
      ),
    )
  }
  const unnamed = evasions.filter(
    ({ row, facts }) => row.family === 'interpreter-or-program' && missed({ row, facts }, true).length > 0,
  )
  console.log(`interpreter-or-program not named foreign or stronger: ${unnamed.length}`)
}

function reportBenign() {
  const benign = examined.filter(({ row }) => row.label)
  if (benign.length === 0) return
  for (const name of PROFILES) {
    const ordinary = benign.filter(({ row }) => row.label === 'benign')
    const held = ordinary.filter(({ row, facts }) => verdictOf(row, facts, name) !== 'allow')
    console.log(`benign not allowed under ${name}: ${percent(held.length, ordinary.length)}`)
    if (name === 'developer')
      show(
        'held',
        held.map(({ row, facts }) => `${verdictOf(row, facts, name)}: ${row.command}`),
      )
  }
}
