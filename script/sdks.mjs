// Installs the SDKs that the examples use and runs the examples. Usage: npm run test:sdks [-- NAME…]
// The SDKs go to a cache outside the checkout (CORDON_TEST_SDKS_DIR, or cordon-test-sdks in the user's cache).
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'

const ROOT = join(import.meta.dirname, '..')
const { SDKS, NODE_22, folderOf, nodeFor } = await bundled('test/sdks/support/sdks.ts')
const names = process.argv.slice(2)
const unknown = names.filter((name) => !SDKS.some((sdk) => sdk.name === name))
if (unknown.length > 0) {
  console.error(`There is no SDK ${unknown.join(', ')}. Name one of: ${SDKS.map(({ name }) => name).join(', ')}.`)
  process.exit(125)
}
const wanted = SDKS.filter(({ name }) => names.length === 0 || names.includes(name))
for (const sdk of wanted) {
  install(folderOf(sdk), join(folderOf(sdk), 'node_modules'), sdk.packages)
  if (sdk.isNode22) install(NODE_22.folder, nodeFor(sdk), [NODE_22.package])
}
const { status } = spawnSync('npx', ['vitest', 'run', 'test/sdks'], {
  cwd: ROOT,
  stdio: 'inherit',
  env: { ...process.env, CORDON_TEST_SDKS: wanted.map(({ name }) => name).join(',') },
})
process.exitCode = status ?? 1

function install(folder, product, packages) {
  if (existsSync(product)) return
  console.error(`installing ${packages.join(' ')} in ${folder}`)
  mkdirSync(folder, { recursive: true })
  // `--legacy-peer-deps`: all peers are named here, and looking for others takes minutes.
  const words = ['install', '--prefix', folder, '--no-save', '--ignore-scripts', '--legacy-peer-deps']
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
  const { status } = spawnSync('npm', [...words, ...quiet, ...packages], { stdio: ['ignore', 2, 2] })
  if (status !== 0) process.exit(125)
}

async function bundled(file) {
  const out = join(ROOT, 'node_modules/.cache/cordon-sdks')
  mkdirSync(out, { recursive: true })
  const bundle = await rolldown({ input: join(ROOT, file), platform: 'node', logLevel: 'silent' })
  await bundle.write({ file: join(out, 'sdks.mjs'), format: 'esm' })
  await bundle.close()
  return import(pathToFileURL(join(out, 'sdks.mjs')).href)
}
