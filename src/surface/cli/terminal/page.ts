import { spawn } from 'node:child_process'
import { type Cli, sayOut } from './context.js'

const ROWS_OF_NOTHING = 24

/** Long text goes through the person's own pager, where a person watches; everybody else gets it as it is. */
export async function sayPaged(cli: Cli, text: string): Promise<void> {
  const { stdout, env } = cli.io
  const rows = process.stdout.rows || ROWS_OF_NOTHING
  const watched = stdout === process.stdout && stdout.isTTY === true && env.TERM !== 'dumb'
  if (!watched || text.split('\n').length <= rows || !(await paged(cli, env.PAGER || 'less', text)))
    await sayOut(cli, text)
}

/** False when there is no such pager. Ctrl-C ends the pager, which by itself would stay behind at the terminal. */
function paged({ io }: Cli, pager: string, text: string): Promise<boolean> {
  return new Promise((resolve) => {
    // Listens before the pager starts: the pager may write, and the person press Ctrl-C, before spawn() returns.
    const pressed = new AbortController()
    const stopListening = io.onInterrupt(() => pressed.abort())
    const child = spawn('sh', ['-c', pager], {
      stdio: ['pipe', 'inherit', 'inherit'],
      env: { LESS: 'FRX', ...process.env },
    })
    child.once('error', () => resolve(false))
    pressed.signal.addEventListener('abort', () => void child.kill(), { once: true })
    child.once('close', (status) => {
      stopListening()
      resolve(status !== 127)
    })
    child.stdin?.on('error', () => {})
    child.stdin?.end(text)
  })
}
