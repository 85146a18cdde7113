// Kills commands at random moments in every way there is, and counts what is left. Usage: npm run kills -- [count]
// [--seed N]
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import { helperScripts } from './helper-scripts.mjs'

const ROOT = join(import.meta.dirname, '..')
const NOBODY = 65_534

const args = process.argv.slice(2)
const option = (name) => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined)
const seed = Number(option('--seed') ?? Math.floor(Math.random() * 2 ** 31))
const count = Number(args.find((arg, index) => /^\d+$/.test(arg) && args[index - 1] !== '--seed') ?? 1_000)

// Root does half of it as an ordinary user, in a process of its own.
const asRoot = process.getuid?.() === 0
const own = asRoot ? Math.ceil(count / 2) : count
const report = await (await campaign())({
  ...(await import(pathToFileURL(join(ROOT, 'dist/index.js')).href)),
  library: pathToFileURL(join(ROOT, 'dist/index.js')).href,
  binary: join(ROOT, 'dist/bin.cjs'),
  count: own,
  seed,
  abreast: 6,
  onKill: (done) => process.stderr.isTTY && process.stderr.write(`\r${done} of ${own} kills`),
})
if (process.stderr.isTTY) process.stderr.write('\n')
process.exitCode = tell(asRoot ? 'as root' : 'as an ordinary user', report)
if (asRoot && count > own) {
  const words = [import.meta.filename, `${count - own}`, '--seed', `${seed + 1}`]
  const { status } = spawnSync(process.execPath, words, { stdio: 'inherit', uid: NOBODY, gid: NOBODY })
  process.exitCode ||= status ?? 1
}

async function campaign() {
  const dir = mkdtempSync(join(tmpdir(), 'cordon-campaign-'))
  const bundle = await rolldown({
    input: join(ROOT, 'test/attacks/suites/kill-campaign.ts'),
    platform: 'node',
    logLevel: 'silent',
    plugins: [helperScripts],
  })
  await bundle.write({ file: join(dir, 'campaign.mjs'), format: 'esm' })
  await bundle.close()
  const { killCampaign } = await import(pathToFileURL(join(dir, 'campaign.mjs')).href)
  rmSync(dir, { recursive: true, force: true })
  return killCampaign
}

function tell(who, { kills, ...left }) {
  const lists = Object.entries(left)
  for (const [name, list] of lists) for (const one of list) console.log(`${name}: ${JSON.stringify(one)}`)
  console.log(
    `${kills} kills ${who}, seed ${seed}: ${lists.map(([name, list]) => `${list.length} ${name}`).join(', ')}`,
  )
  return lists.every(([, list]) => list.length === 0) ? 0 : 1
}
