// Bundles dist/ (one file per entry and shared chunks: fewer files to open is most of the start-up time) and its types.
import { execFileSync } from 'node:child_process'
import { chmodSync, renameSync, rmSync } from 'node:fs'
import { rolldown } from 'rolldown'

// Built beside and moved into place: a build that fails, or a command that starts meanwhile, still has a whole dist/.
const fresh = `node_modules/.cordon-dist-${process.pid}`
process.on('exit', () => rmSync(fresh, { recursive: true, force: true }))
const bundle = await rolldown({
  input: { index: 'src/index.ts', bin: 'src/bin.ts', 'core/index': 'src/core/index.ts' },
  platform: 'node',
  external: ['better-sqlite3', /^@modelcontextprotocol\//],
})
// Less to parse is less to wait for: minified, the start of a command is a tenth shorter.
await bundle.write({ dir: fresh, format: 'esm', minify: true, chunkFileNames: 'chunk-[name]-[hash].js' })
await bundle.close()
chmodSync(`${fresh}/bin.js`, 0o755)
rmSync('dist', { recursive: true, force: true })
renameSync(fresh, 'dist')
if (!process.argv.includes('--fast')) {
  execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'], { stdio: 'inherit' })
}
