// Bundles dist/ (one file per entry and shared chunks: fewer files to open is most of the start-up time) and its types.
import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { rolldown } from 'rolldown'
import { helperScripts } from './helper-scripts.mjs'

// Built beside and moved into place: a build that fails, or a command that starts meanwhile, still has a whole dist/.
const fresh = `node_modules/.cordon-dist-${process.pid}`
process.on('exit', () => rmSync(fresh, { recursive: true, force: true }))

const NATIVE = '@photostructure/sqlite'
const MCP = /^@modelcontextprotocol\//

/** Leaves the MCP server to the command that serves it: a bundle without chunks would load it first thing. */
const later = {
  name: 'later',
  resolveId: (id, importer) => {
    if (!MCP.test(id)) return null
    return importer?.startsWith('\0later:') ? { id, external: true } : `\0later:${id}`
  },
  load: (id) => (id.startsWith('\0later:') ? `module.exports = require(${JSON.stringify(id.slice(7))})` : null),
}

const BUILTIN = /^let (\w+) = require\("(node:[\w/]+)"\);$/gm

/** Loads Node's own modules when they are first used: what a command does not touch, it does not wait for. */
const whenUsed = {
  name: 'when-used',
  renderChunk: (code) => {
    const names = [...code.matchAll(BUILTIN)].map(([, name]) => name).join('|')
    return code
      .replace(
        BUILTIN,
        (_, name, id) => `let ${name}$once; const ${name}$ = () => (${name}$once ??= require("${id}"));`,
      )
      .replace(new RegExp(`\\b(${names})\\b(?!\\$)`, 'g'), '($1$())')
  },
}

/** A text of ASCII alone is read twice as fast, and takes half the memory. */
function toAscii(file) {
  const code = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  writeFileSync(file, readFileSync(file, 'utf8').replace(/[^\0-\x7f]/g, code))
}

/** Its main file finds its own parts by names that a bundler cannot follow. */
const resolve = { alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' } }

async function write(input, output) {
  // Less to parse is less to wait for: minified, and without the schemas nobody parses with (making one changes
  // nothing else), the start of a command is a fifth shorter.
  // The command line loads the Markdown parser only when it is needed; the library exports it.
  const checks = { ineffectiveDynamicImport: false }
  const options = { platform: 'node', resolve, checks, treeshake: { manualPureFunctions: ['z'] } }
  const bundle = await rolldown({ ...options, ...input })
  const { output: files } = await bundle.write({ dir: fresh, minify: true, ...output })
  await bundle.close()
  return files[0].fileName
}

// The library, readable: whoever sees a stack of theirs end in it can read on.
await write(
  {
    input: {
      index: 'src/index.ts',
      'core/index': 'src/core/index.ts',
      'sdk/ai-sdk': 'src/surface/sdk/ai-sdk.ts',
      'sdk/openai': 'src/surface/sdk/openai.ts',
      'sdk/openai-agents': 'src/surface/sdk/openai-agents.ts',
      'sdk/langchain': 'src/surface/sdk/langchain.ts',
      'sdk/anthropic': 'src/surface/sdk/anthropic.ts',
    },
    external: [NATIVE, MCP],
    plugins: [helperScripts],
  },
  { format: 'esm', minify: false, chunkFileNames: 'chunk-[name]-[hash].js' },
)

/** One script, whose compiled code can be kept. */
async function bundled(input) {
  const name = await write(
    { input, external: [NATIVE], plugins: [later, whenUsed] },
    {
      format: 'cjs',
      codeSplitting: false,
      entryFileNames: '[name]-[hash].cjs',
      postBanner: "(function (exports, require, __filename) { 'use strict'",
      postFooter: '})',
    },
  )
  toAscii(`${fresh}/${name}`)
  return name
}

/**
 * Keeps what was compiled by one use. A host without a sandbox refuses the command; what was compiled by then is
 * kept.
 */
function compile(name, words, input = '') {
  execFileSync(process.execPath, ['script/compile.mjs', `${fresh}/${name}`, ...words], {
    input,
    stdio: 'pipe',
  })
}

// The command line, the hook, which starts faster without the rest, and the few lines that start them.
const COMMAND_LINE = await bundled({ cli: 'src/cli.ts' })
const HOOK = await bundled({ hook: 'src/hook-main.ts' })
const names = { COMMAND_LINE: JSON.stringify(COMMAND_LINE), HOOK: JSON.stringify(HOOK) }
await write(
  { input: { bin: 'src/bin.ts' }, transform: { define: names } },
  { format: 'cjs', entryFileNames: '[name].cjs' },
)
await write({ input: { shell: 'src/shell.ts' } }, { format: 'cjs', entryFileNames: '[name].cjs' })
for (const program of ['bin', 'shell']) chmodSync(`${fresh}/${program}.cjs`, 0o755)
compile(COMMAND_LINE, ['run', '--', 'true'])
const call = { cordon_extension: 'pi', tool: 'bash', input: { command: 'git status && ls | head -3 && npm test' } }
compile(HOOK, ['hook'], JSON.stringify(call))
// The package has an install script, which npm would ask about; its binaries need none. A checkout uses the package
// itself.
if (!process.argv.includes('--fast')) {
  const from = `node_modules/${NATIVE}`
  await write(
    { input: { index: `${from}/dist/index.cjs` } },
    { dir: `${fresh}/sqlite/dist`, format: 'cjs', minify: false, entryFileNames: '[name].cjs' },
  )
  for (const part of ['prebuilds', 'LICENSE']) cpSync(`${from}/${part}`, `${fresh}/sqlite/${part}`, { recursive: true })
}
rmSync('dist', { recursive: true, force: true })
renameSync(fresh, 'dist')
if (!process.argv.includes('--fast')) {
  execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'], { stdio: 'inherit' })
}
