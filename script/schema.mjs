// Writes docs/cordon.schema.json, which editors use to check and complete cordon.toml.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'

const scratch = mkdtempSync(resolve('node_modules/.cordon-schema-'))
try {
  const bundle = await rolldown({ input: 'src/core/model/policy/settings.ts', platform: 'node' })
  await bundle.write({ file: `${scratch}/settings.mjs`, format: 'esm' })
  await bundle.close()
  const { settingsJsonSchema } = await import(pathToFileURL(`${scratch}/settings.mjs`).href)
  writeFileSync('docs/cordon.schema.json', `${JSON.stringify(settingsJsonSchema(), null, 2)}\n`)
  execFileSync('node_modules/.bin/biome', ['format', '--write', 'docs/cordon.schema.json'], { stdio: 'ignore' })
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
