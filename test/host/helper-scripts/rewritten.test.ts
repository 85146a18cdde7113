import { spawn } from 'node:child_process'
import { appendFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { rolldown } from 'rolldown'
import { expect, it } from 'vitest'
import { helperScripts } from '../../../script/helper-scripts.mjs'

const INPUT = resolve(import.meta.dirname, '../../../src/host/helper-scripts/helper-script.ts')
const ENGINE = `import { helperScript, perlHelper } from './helpers.mjs'
process.stdout.write('loaded')
process.stdin.once('data', () => process.stdout.write(helperScript('watchdog.bash') + perlHelper('zygote.pl')))
`

it('a running engine does not start a helper script that a command has rewritten in its package', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'cordon-rewritten-'))
  try {
    const bundle = await rolldown({ input: INPUT, platform: 'node', logLevel: 'silent', plugins: [helperScripts] })
    await bundle.write({ file: join(directory, 'helpers.mjs'), format: 'esm' })
    await bundle.close()
    writeFileSync(join(directory, 'engine.mjs'), ENGINE)
    const engine = spawn(process.execPath, [join(directory, 'engine.mjs')], { stdio: ['pipe', 'pipe', 'inherit'] })
    let heard = ''
    await new Promise<void>((loaded) => {
      engine.stdout.on('data', (chunk) => {
        heard += chunk
        loaded()
      })
    })
    const helpers = join(directory, 'helper-scripts')
    for (const name of readdirSync(helpers)) appendFileSync(join(helpers, name), '\n# planted\n')
    const ended = new Promise((done) => engine.once('close', done))
    engine.stdin.end('go')
    await ended
    expect(heard).toContain('cordon-zygote-host')
    expect(heard).not.toContain('planted')
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
})
