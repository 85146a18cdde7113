// Runs the commands of files of JSON lines ({ command }) inside the wall of every walled profile, as though the
// reader had let them through, and counts denied programs that executed. Usage: npm run walled -- FILE.jsonl…
// [--list] [--without-masks]
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import { helperScripts } from './helper-scripts.mjs'

const ROOT = join(import.meta.dirname, '..')
const PROFILES = ['strict', 'workspace', 'developer', 'readonly']
const INSIDE = '--in-own-namespace'

const args = process.argv.slice(2)
const files = args.filter((arg) => !arg.startsWith('-'))
if (files.length === 0) {
  console.error('usage: npm run walled -- FILE.jsonl… [--list] [--without-masks]')
  process.exit(125)
}

// In a mount namespace of its own, root can put recorders in the place of the system's own programs too.
if (process.getuid?.() === 0 && !args.includes(INSIDE)) {
  const words = ['--mount', '--propagation', 'private', process.execPath, import.meta.filename, ...args, INSIDE]
  process.exit(spawnSync('unshare', words, { stdio: 'inherit' }).status ?? 1)
}

const commands = files.flatMap((file) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line).command),
)
const { runEvasions, loadProfiles } = await bundled()
const profiles = loadProfiles({ workspace: ROOT, home: '/nonexistent', env: {}, builtinDir: join(ROOT, 'profiles') })
const { runs, stopped, executed } = await runEvasions({
  commands,
  profiles: PROFILES.map((name) => profiles.profileFor(null, name)),
  masks: !args.includes('--without-masks'),
  ownNamespace: args.includes(INSIDE),
  abreast: 4,
  onRun: (done) =>
    process.stderr.isTTY && process.stderr.write(`\r${done} of ${commands.length * PROFILES.length} runs`),
})
if (process.stderr.isTTY) process.stderr.write('\n')
if (args.includes('--list')) for (const one of executed) console.log(JSON.stringify(one))
console.log(
  `${runs} runs in ${PROFILES.length} profiles: ${executed.length} executed a denied program, ${stopped} met a mask`,
)
process.exitCode = executed.length === 0 ? 0 : 1

async function bundled() {
  const dir = mkdtempSync(join(tmpdir(), 'cordon-walled-'))
  const bundle = await rolldown({
    input: {
      run: join(ROOT, 'test/attacks/support/evasion-run.ts'),
      profiles: join(ROOT, 'src/host/settings/profiles.ts'),
    },
    platform: 'node',
    logLevel: 'silent',
    plugins: [helperScripts],
  })
  await bundle.write({ dir, format: 'esm' })
  await bundle.close()
  const [run, settings] = await Promise.all(
    ['run', 'profiles'].map((name) => import(pathToFileURL(join(dir, `${name}.js`)).href)),
  )
  rmSync(dir, { recursive: true, force: true })
  return { ...run, ...settings }
}
