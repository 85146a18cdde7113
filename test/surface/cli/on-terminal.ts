import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { buildCommand } from '../../../src/core/model/display.js'
import { BINARY, type Ground } from '../binary.js'

/** The binary on a real terminal, at which `typed` is typed once `after` is shown. `script` lends the terminal. */
export async function onTerminal({ workspace, env }: Ground, argv: readonly string[], typed = '', after = '') {
  // Without exec, the shell of `script` would end by Ctrl-C itself.
  const command = `exec ${buildCommand(process.execPath, [BINARY, ...argv])}`
  const child = spawn('script', ['-qefc', command, '/dev/null'], {
    cwd: workspace,
    env: { ...env, TERM: 'xterm', SHELL: '/bin/sh' },
  })
  let shown = ''
  let waiting = typed !== ''
  child.stdout.on('data', (chunk) => {
    shown += chunk
    if (waiting && shown.includes(after)) {
      waiting = false
      child.stdin.write(typed)
    }
  })
  const [status] = await once(child, 'close')
  return { status, shown }
}
