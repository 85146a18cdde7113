import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const CORDON = fileURLToPath(new URL('../dist/bin.cjs', import.meta.url))
const PATIENCE_MS = 8_000

/** Tools that run commands or write files. All others are called without a question. */
const JUDGED = new Set(['bash', 'write', 'edit', 'multiedit', 'patch', 'apply_patch'])

/**
 * Asks Cordon about a tool call. Resolves to the reason of a refusal, or null. Whatever is no answer is a refusal: Cordon missing, killed,
 * too slow, or anything on its stdout that is not one.
 */
export async function refusalOf({ agent, tool, input, cwd, shell }) {
  if (!JUDGED.has(tool)) return null
  try {
    const call = { cordon_extension: agent, tool, input, cwd, shell }
    const { verdict, reason } = JSON.parse(await answerTo(agent, JSON.stringify(call)))
    if (verdict === 'none') return null
    if (verdict !== 'deny') throw new Error('it sent no answer')
    return String(reason)
  } catch (error) {
    return `Cordon did not answer, so this is not run: ${error.message}.`
  }
}

function answerTo(agent, call) {
  return new Promise((resolve, reject) => {
    const child = spawn(CORDON, ['hook', agent], {
      // What a preloaded module prints would be no answer.
      env: { ...process.env, NODE_OPTIONS: '' },
      stdio: ['pipe', 'pipe', 'pipe'],
      timeout: PATIENCE_MS,
      killSignal: 'SIGKILL',
    })
    let stdout = ''
    let stderr = ''
    child.stdout.on('data', (chunk) => (stdout += chunk))
    child.stderr.on('data', (chunk) => (stderr += chunk))
    child.stdin.on('error', () => {})
    child.once('error', reject)
    child.once('close', (status, signal) => {
      if (status === 0) resolve(stdout)
      else reject(new Error(stderr.trim() || `it ended with ${signal ?? status}`))
    })
    child.stdin.end(call)
  })
}
