import { reads, writes } from './arg-parts.js'
import { joined, known, without } from './arguments.js'
import { splitWords } from './effects-of.js'
import type { Arg, Call, Effect } from './knowledge.js'

/** `socat EXEC:…`, `SYSTEM:…`, `TCP:…`, `OPEN:…`: addresses that run something, connect or write. */
export function socatEffects(call: Call): readonly Effect[] {
  return call.operands.flatMap((arg): readonly Effect[] => {
    const match = /^(EXEC|SYSTEM|SHELL)(:|=)/i.exec(arg.head)
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
    const host = /^(?:TCP|UDP|SSL|OPENSSL|SOCKS|PROXY)[\w-]*:/i.exec(arg.head)
    if (host && !/^(?:TCP|UDP)[\w-]*LISTEN/i.test(arg.head))
      return [{ does: 'connect', host: without(arg, host[0].length), how: 'host' }]
    const file = /^(?:OPEN|FILE|CREATE|GOPEN):/i.exec(arg.head)
    if (!file) return /^[./]/.test(arg.head) ? [reads(withoutOptions(arg)), writes(withoutOptions(arg))] : []
    const path = withoutOptions(without(arg, file[0].length))
    return /^CREATE/i.test(arg.head) ? [writes(path)] : [reads(path), writes(path)]
  })
}

/** `OPEN:path,creat`: the path. */
const withoutOptions = (arg: Arg): Arg => (arg.text === null ? arg : known(arg.text.split(',', 1)[0] ?? '', arg.span))

/** `ssh`: options of ssh_config that run something, a host, and a command for the other side. */
export function sshEffects(call: Call): readonly Effect[] {
  const effects: Effect[] = []
  for (const { name, value } of call.options) {
    if (name !== '-o' || !value) continue
    const match =
      /^\s*(ProxyCommand|LocalCommand|KnownHostsCommand|RemoteCommand|PKCS11Provider|SecurityKeyProvider|XAuthLocation|SmartcardDevice|Match|Include|ProxyUseFdpass)\s*[=\s]\s*/i.exec(
        value.head,
      )
    if (!match && value.text === null && value.head === '')
      effects.push({ does: 'unknown', reason: 'an option of ssh is not known', at: value.span })
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
  if (host) effects.push({ does: 'connect', host, how: host.head.startsWith('ssh://') ? 'url' : 'host' })
  if (command.length > 0) effects.push({ does: 'shell', text: joined(command, host?.span ?? [0, 0]), via: 'ssh' })
  return effects
}

/** `strace -o '|command'`: what it writes goes through a shell. */
export function tracerOutput(call: Call): readonly Effect[] {
  const output = call.value('-o', '--output')
  const found = output ? /^[|!]/.exec(output.head) : null
  return output && found ? [{ does: 'shell', text: without(output, 1), via: 'strace -o' }] : []
}

/** `systemd-run -p ExecStartPre=COMMAND`. */
export function unitProperties({ options }: Call): readonly Effect[] {
  return options.flatMap(({ name, value }): readonly Effect[] => {
    const found = value && /^(?:-p|--property)$/.test(name) ? /^Exec\w*=[-@:+!|]*/.exec(value.head) : null
    return value && found
      ? [{ does: 'run', argv: splitWords(without(value, found[0].length)), via: 'systemd-run -p' }]
      : []
  })
}

/** `screen -X COMMAND`: commands for a session that runs already; without it, what the session starts with. */
export function screenEffects(call: Call): readonly Effect[] {
  const [logged] = call.operands
  const logs = logged && call.argv.some((arg) => arg.text === '-Logfile')
  if (logs) return [writes(logged), ...screened(call, call.operands.slice(1))]
  return screened(call, call.operands)
}

function screened(call: Call, operands: readonly Arg[]): readonly Effect[] {
  const [verb, ...rest] = operands
  if (!verb)
    return call.has('-l', '-r', '-R', '-x', '-Q')
      ? []
      : [{ does: 'foreign', reason: 'screen starts a shell of its own' }]
  if (!call.has('-X')) return [{ does: 'run', argv: operands, via: 'screen' }]
  const said: Effect = { does: 'foreign', reason: 'keys and commands for screen' }
  if (/^(?:exec|screen)$/.test(verb.text ?? '') && rest.length > 0)
    return [{ does: 'run', argv: rest, via: `screen ${verb.text}` }, said]
  const typed = /^(?:stuff|eval|paste)$/.test(verb.text ?? '') ? rest : []
  return [...typed.map((arg): Effect => ({ does: 'shell', text: pressed(arg), via: `screen ${verb.text}` })), said]
}

/** Without the keys that end a line, and the word that makes screen run something. */
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
