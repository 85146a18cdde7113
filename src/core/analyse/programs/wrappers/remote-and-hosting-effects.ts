import { joined, known, without } from '../grammar/arguments.js'
import { reads, writes } from '../grammar/effect-builders.js'
import { splitWords } from '../grammar/effects-of.js'
import type { Arg, Call, Effect } from '../grammar/roles.js'

/** `socat EXEC:…`, `SYSTEM:…`, `TCP:…`, `OPEN:…`: addresses that run something, connect or write. */
export function socatEffects(call: Call): readonly Effect[] {
  return call.operands.flatMap((arg): readonly Effect[] => {
    const match = /^(EXEC|SYSTEM|SHELL)(:|=)/i.exec(arg.prefix)
    if (match) {
      const rest = without(arg, match[0].length)
      const text =
        rest.text === null
          ? rest
          : known(rest.text.replace(/,[a-z][\w=,-]*$/i, '').replace(/\\([:,!\\])/g, '$1'), rest.span)
      return match[1]?.toUpperCase() === 'EXEC'
        ? [{ does: 'run', argv: splitWords(text), via: 'socat EXEC' }]
        : [{ does: 'shell', text, via: 'socat SYSTEM' }]
    }
    const host = /^(?:TCP|UDP|SSL|OPENSSL|SOCKS|PROXY)[\w-]*:/i.exec(arg.prefix)
    if (host && !/^(?:TCP|UDP)[\w-]*LISTEN/i.test(arg.prefix))
      return [{ does: 'connect', host: without(arg, host[0].length), how: 'host' }]
    const file = /^(?:OPEN|FILE|CREATE|GOPEN):/i.exec(arg.prefix)
    if (!file) return /^[./]/.test(arg.prefix) ? [reads(withoutOptions(arg)), writes(withoutOptions(arg))] : []
    const path = withoutOptions(without(arg, file[0].length))
    return /^CREATE/i.test(arg.prefix) ? [writes(path)] : [reads(path), writes(path)]
  })
}

/** Returns the path of `OPEN:path,creat`. */
const withoutOptions = (arg: Arg): Arg => (arg.text === null ? arg : known(arg.text.split(',', 1)[0] ?? '', arg.span))

/** `ssh`: options of ssh_config that run something, a host, and a command for the remote host. */
export function sshEffects(call: Call): readonly Effect[] {
  const effects: Effect[] = []
  for (const { name, value } of call.options) {
    if (name !== '-o' || !value) continue
    const match =
      /^\s*(ProxyCommand|LocalCommand|KnownHostsCommand|RemoteCommand|PKCS11Provider|SecurityKeyProvider|XAuthLocation|SmartcardDevice|Match|Include|ProxyUseFdpass)\s*[=\s]\s*/i.exec(
        value.prefix,
      )
    if (!match && value.text === null && value.prefix === '')
      effects.push({ does: 'unknown', reason: 'an ssh option is unknown', at: value.span })
    if (!match) continue
    const option = match[1]?.toLowerCase() ?? ''
    const rest = without(value, match[0].length)
    if (option.endsWith('command') && rest.text !== 'none')
      effects.push({ does: 'shell', text: rest, via: `ssh -o ${match[1]}`, shell: 'bash' })
    else if (option === 'xauthlocation')
      effects.push({ does: 'run', argv: [rest], via: 'ssh -o XAuthLocation', more: true })
    else if (/^(pkcs11|securitykey|smartcard)/.test(option))
      effects.push({ does: 'foreign', reason: 'ssh loads a library', at: value.span })
  }
  const [host, ...command] = call.operands
  if (host) effects.push({ does: 'connect', host, how: host.prefix.startsWith('ssh://') ? 'url' : 'host' })
  if (command.length > 0) effects.push({ does: 'shell', text: joined(command, host?.span ?? [0, 0]), via: 'ssh' })
  return effects
}

/** `strace -o '|command'`: a shell receives the output. */
export function tracerOutput(call: Call): readonly Effect[] {
  const output = call.value('-o', '--output')
  const found = output ? /^[|!]/.exec(output.prefix) : null
  return output && found ? [{ does: 'shell', text: without(output, 1), via: 'strace -o' }] : []
}

/** `systemd-run -p ExecStartPre=COMMAND`. */
export function unitProperties({ options }: Call): readonly Effect[] {
  return options.flatMap(({ name, value }): readonly Effect[] => {
    const found = value && /^(?:-p|--property)$/.test(name) ? /^Exec\w*=[-@:+!|]*/.exec(value.prefix) : null
    return value && found
      ? [{ does: 'run', argv: splitWords(without(value, found[0].length)), via: 'systemd-run -p' }]
      : []
  })
}

/** `screen -X COMMAND`: a command for a running session. Otherwise the command of a new session. */
export function screenEffects(call: Call): readonly Effect[] {
  const [logged] = call.operands
  const logs = logged && call.argv.some((arg) => arg.text === '-Logfile')
  if (logs) return [writes(logged), ...screened(call, call.operands.slice(1))]
  return screened(call, call.operands)
}

function screened(call: Call, operands: readonly Arg[]): readonly Effect[] {
  const [verb, ...rest] = operands
  if (!verb) return call.has('-l', '-r', '-R', '-x', '-Q') ? [] : [{ does: 'foreign', reason: 'screen starts a shell' }]
  if (!call.has('-X')) return [{ does: 'run', argv: operands, via: 'screen' }]
  const unread: Effect = { does: 'foreign', reason: 'keys and commands for screen' }
  if (/^(?:exec|screen)$/.test(verb.text ?? '') && rest.length > 0)
    return [{ does: 'run', argv: rest, via: `screen ${verb.text}` }, unread]
  const typed = /^(?:stuff|eval|paste)$/.test(verb.text ?? '') ? rest : []
  return [...typed.map((arg): Effect => ({ does: 'shell', text: pressed(arg), via: `screen ${verb.text}` })), unread]
}

/** Removes the keys that end a line, and the word that makes screen run something. */
const pressed = (arg: Arg): Arg =>
  arg.text === null
    ? arg
    : known(arg.text.replace(/\\n|\\r|\^M|\\015|\\012/g, '\n').replace(/^(?:exec|screen|stuff)\s+/, ''), arg.span)

/** `mosh HOST [--] COMMAND`. */
export function moshCommand({ operands: [host, ...rest] }: Call): readonly Effect[] {
  const command = rest[0]?.text === '--' ? rest.slice(1) : rest
  return host && command.length > 0 ? [{ does: 'run', argv: command, via: 'mosh' }] : []
}

/** `start-stop-daemon --exec PROGRAM -- ARGUMENTS`. */
export function daemonEffects(call: Call): readonly Effect[] {
  const program = call.value('-a', '--startas') ?? call.value('-x', '--exec')
  return program ? [{ does: 'run', argv: [program, ...call.operands], via: 'start-stop-daemon' }] : []
}
