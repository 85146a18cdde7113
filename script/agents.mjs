// Installs the coding agents that the tests drive and runs those tests. Usage: npm run test:agents [-- NAME…]
// The agents go to a cache outside the checkout (CORDON_TEST_AGENTS_DIR, or cordon-test-agents in the user's cache).
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'

const ROOT = join(import.meta.dirname, '..')
const { AGENTS, cacheOf } = await bundled('test/agents/support/agents.ts')
const names = process.argv.slice(2)
const unknown = names.filter((name) => !AGENTS.some((agent) => agent.name === name))
if (unknown.length > 0) {
  console.error(`There is no agent ${unknown.join(', ')}. Name one of: ${AGENTS.map(({ name }) => name).join(', ')}.`)
  process.exit(125)
}
const wanted = AGENTS.filter(({ name }) => names.length === 0 || names.includes(name))
for (const agent of wanted) install(agent)
const { status } = spawnSync('npx', ['vitest', 'run', 'test/agents'], {
  cwd: ROOT,
  stdio: 'inherit',
  env: { ...process.env, CORDON_TEST_AGENTS: wanted.map(({ name }) => name).join(',') },
})
process.exitCode = status ?? 1

function install(agent) {
  const folder = cacheOf(agent)
  if (existsSync(join(folder, 'node_modules', agent.program))) return
  console.error(`installing ${agent.package} in ${folder}`)
  mkdirSync(folder, { recursive: true })
  // `--force`: some packages ask for a newer Node, which their native program does not need.
  const words = ['install', '--prefix', folder, '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--force']
  const { status } = spawnSync('npm', [...words, '--loglevel=error', agent.package], { stdio: ['ignore', 2, 2] })
  if (status !== 0) process.exit(125)
}

async function bundled(file) {
  const out = join(ROOT, 'node_modules/.cache/cordon-agents')
  mkdirSync(out, { recursive: true })
  const bundle = await rolldown({ input: join(ROOT, file), platform: 'node', logLevel: 'silent' })
  await bundle.write({ file: join(out, 'agents.mjs'), format: 'esm' })
  await bundle.close()
  return import(pathToFileURL(join(out, 'agents.mjs')).href)
}
