import { baseName } from '../../../model/basics/path.js'
import { known } from '../grammar/arguments.js'
import type { Call, Effect } from '../grammar/roles.js'

/** `chroot`, `su`, `runuser`, `script`: without a command they start a shell. */
export function suEffects(call: Call): readonly Effect[] {
  if (call.has('-c', '--command', '--session-command')) return []
  const name = baseName(call.program)
  const shell = call.value('-s', '--shell')
  if (call.has('-u', '--user') && name === 'runuser' && call.operands.length > 0)
    return [{ does: 'run', argv: call.operands, via: name }]
  const at = call.operands.findIndex((arg) => arg.text !== '-')
  const args = at < 0 ? [] : call.operands.slice(at + 1)
  const head = call.argv[0]?.span ?? [0, 0]
  return [{ does: 'run', argv: [shell ?? known('sh', head), ...args], via: name }]
}

/** `sudo -i`, `sudo -s`, `sudo -e`. */
export function sudoEffects(call: Call): readonly Effect[] {
  if (call.has('-e', '--edit')) return call.operands.map((path) => ({ does: 'write', path, recursive: false }))
  const shell = call.has('-i', '-s', '--login', '--shell')
  if (shell && call.operands.length === 0) return [{ does: 'shell-stdin', via: 'sudo' }]
  return []
}

/** `sg GROUP [-c] COMMAND`. ast-grep has the same name, takes long options and runs nothing. */
export function sgEffects(call: Call): readonly Effect[] {
  const [, second] = call.operands
  const other = call.argv.some((arg) => arg.prefix.startsWith('--'))
  return second && call.operands.length === 2 && !other ? [{ does: 'shell', text: second, via: 'sg' }] : []
}
