// npm run bench [-- name…] [--json]: bundles bench/<name>.ts, runs it in a process of its own and prints its ratios.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const cache = join(root, 'node_modules/.cache/cordon-bench')
const NAMES = ['library', 'startup', 'launch', 'decide', 'output', 'transaction']

/** The helpers are beside the module that reads them. */
const ownHelpers = {
  name: 'own-helpers',
  transform: (code, id) =>
    id.endsWith('/helper-script.ts')
      ? code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
      : null,
}

async function bundled(name) {
  const file = join(cache, `${name}.mjs`)
  mkdirSync(cache, { recursive: true })
  const bundle = await rolldown({
    input: join(root, `bench/${name}.ts`),
    platform: 'node',
    // Sources find profiles and the manifest relative to themselves; a bundle elsewhere must still find the real ones.
    transform: { define: { 'import.meta.url': JSON.stringify(pathToFileURL(join(root, 'src/bench.ts')).href) } },
    external: [/^[^./]/],
    plugins: [ownHelpers],
    logLevel: 'silent',
  })
  await bundle.write({ file, format: 'esm', codeSplitting: false })
  await bundle.close()
  return pathToFileURL(file).href
}

/** A process of its own: one bench's heap must not slow the next one's forks. */
async function measured(name) {
  const script = `const m = await import(${JSON.stringify(await bundled(name))})
    process.stdout.write('\\n' + JSON.stringify(await m.${name}Bench()) + '\\n', () => process.exit(0))`
  const { status, stdout } = spawnSync(process.execPath, ['--expose-gc', '--input-type=module', '-e', script], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 64 * 1024 * 1024,
  })
  if (status !== 0) {
    console.error(`The bench ${name} failed with status ${status}.`)
    process.exit(1)
  }
  return JSON.parse(stdout.trim().split('\n').at(-1))
}

const words = process.argv.slice(2)
const unknown = words.filter((word) => word !== '--json' && !NAMES.includes(word))
if (unknown.length > 0) {
  console.error(`There is no bench ${unknown.join(', ')}. There are ${NAMES.join(', ')}.`)
  process.exit(125)
}
const asked = words.filter((word) => word !== '--json')
const names = (asked.length > 0 ? asked : NAMES).filter((name) => existsSync(join(root, `bench/${name}.ts`)))
const results = {}
for (const name of names) {
  results[name] = await measured(name)
  console.log(`\n${name}`)
  const width = Math.max(...Object.keys(results[name]).map((key) => key.length))
  for (const [key, value] of Object.entries(results[name])) {
    console.log(`  ${key.padEnd(width)}  ${Number.isInteger(value) ? value : value.toFixed(2)}`)
  }
}
// One bench prints its own object; several print an object by name.
if (words.includes('--json')) console.log(JSON.stringify(names.length === 1 ? results[names[0]] : results))
