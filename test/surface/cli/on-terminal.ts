import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { shellLine } from '../../../src/core/model/run/display.js'
import { BINARY, type Ground } from '../binary.js'

/** Input to type once the terminal shows a text. */
type Typed = readonly [after: string, typed: string]

/** Runs the binary on a real terminal and types `typed` once `after` is shown. `script` opens the terminal. */
export async function onTerminal(
  { workspace, env }: Ground,
  argv: readonly string[],
  typed = '',
  after = '',
  then?: Typed,
) {
  // Without exec, the shell of `script` would end by Ctrl-C itself.
  const command = `exec ${shellLine(process.execPath, [BINARY, ...argv])}`
  const child = spawn('script', ['-qefc', command, '/dev/null'], {
    cwd: workspace,
    env: { ...env, TERM: 'xterm', SHELL: '/bin/sh' },
  })
  let shown = ''
  const ahead: Typed[] = [...(typed === '' ? [] : [[after, typed] as const]), ...(then ? [then] : [])]
  child.stdout.on('data', (chunk) => {
    shown += chunk
    const [next] = ahead
    if (next === undefined || !shown.includes(next[0])) return
    ahead.shift()
    child.stdin.write(next[1])
  })
  const [status] = await once(child, 'close')
  return { status, shown }
}
