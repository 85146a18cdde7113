// Runs the attack suites by class, as this user and, as root, once more as an ordinary user. Prints how many attacks
// of each class were tried and how many were defeated; ends with 1 if one was not. Usage: npm run attack [-- WORD IN
// A CLASS]
import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CLASSES } from './attack-classes.mjs'

const ROOT = join(import.meta.dirname, '..')
const NOBODY = 65_534
const word = process.argv[2] ?? ''
const isRoot = process.getuid?.() === 0

/**
 * Suites of a class that need the other user are left to vitest: `x-as-user.test.ts` drops to an ordinary user by
 * itself.
 */
function filesOf(suites, asUser) {
  return suites
    .flatMap((suite) => {
      const path = join(ROOT, 'test', suite)
      if (statSync(path, { throwIfNoEntry: false })?.isDirectory())
        return readdirSync(path)
          .filter((name) => name.endsWith('.test.ts'))
          .map((name) => join('test', suite, name))
      const own = statSync(`${path}-as-user.test.ts`, { throwIfNoEntry: false })
      return [`test/${suite}${asUser && own ? '-as-user' : ''}.test.ts`]
    })
    .filter((file) => statSync(join(ROOT, file), { throwIfNoEntry: false }))
}

function run(files, user) {
  const directory = mkdtempSync(join(tmpdir(), 'cordon-attack-'))
  const report = join(directory, 'report.json')
  chmodSync(directory, 0o700)
  if (user !== null) chownSync(directory, user, user)
  // By the other loader vite would write the configuration into node_modules, where another user cannot.
  const words = ['run', '--configLoader=runner', '--reporter=json', `--outputFile=${report}`, ...files]
  const own = user === null ? {} : { uid: user, gid: user }
  const env = { ...process.env, ...(user === null ? {} : { HOME: directory, TMPDIR: directory }) }
  const { stderr } = spawnSync(join(ROOT, 'node_modules/.bin/vitest'), words, {
    cwd: ROOT,
    env,
    ...own,
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
  })
  try {
    const { testResults } = JSON.parse(readFileSync(report, 'utf8'))
    const tests = testResults.flatMap(({ assertionResults }) => assertionResults)
    const broken = testResults.filter(
      ({ assertionResults, status }) => assertionResults.length === 0 && status === 'failed',
    )
    const failed = tests.filter(({ status }) => status === 'failed')
    if (/were not removed|still running/.test(stderr)) console.error(stderr.slice(-2_000))
    for (const { fullName } of failed) console.error(`not defeated: ${fullName}`)
    for (const { name } of broken) console.error(`did not run: ${name}`)
    const defeated = tests.filter(({ status }) => status === 'passed').length
    return { tried: defeated + failed.length + broken.length, defeated }
  } catch {
    console.error(stderr)
    return { tried: 1, defeated: 0 }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

const runs = isRoot
  ? [
      ['root', null, false],
      ['an ordinary user', NOBODY, true],
    ]
  : [['an ordinary user', null, true]]
let isWhole = true
console.log('| class | as | tried | defeated |\n|---|---|---|---|')
for (const [name, suites] of CLASSES.filter(([name]) => name.includes(word)))
  for (const [who, user, asUser] of runs) {
    const { tried, defeated } = run(filesOf(suites, asUser), user)
    if (tried !== defeated) isWhole = false
    console.log(`| ${name} | ${who} | ${tried} | ${defeated} |`)
  }
process.exitCode = isWhole ? 0 : 1
