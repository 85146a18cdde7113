// Runs the cases of test/parity in plain bash and in Cordon and compares. Usage: npm run parity [-- FAMILY…]
// (docs/parity.md)
import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'

const ROOT = join(import.meta.dirname, '..')
const PARITY = join(ROOT, 'test/parity')
const FILE = join(ROOT, 'node_modules/.cache/cordon-parity/main.mjs')

const built = spawnSync(join(ROOT, 'script/setup'), ['--only-build'], { stdio: ['ignore', 'ignore', 'inherit'] })
if (built.status !== 0) process.exit(125)
mkdirSync(join(FILE, '..'), { recursive: true })
const bundle = await rolldown({
  input: join(PARITY, 'main.ts'),
  platform: 'node',
  // The bundle lies elsewhere and must still find the cases and the projects.
  transform: { define: { 'import.meta.dirname': JSON.stringify(PARITY) } },
  logLevel: 'silent',
})
await bundle.write({ file: FILE, format: 'esm' })
await bundle.close()
const { main } = await import(pathToFileURL(FILE))
process.exitCode = await main(process.argv.slice(2))
