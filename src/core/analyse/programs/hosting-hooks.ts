import { joined, known, without } from './arguments.js'
import { splitWords } from './effects-of.js'
import type { Call, Effect } from './knowledge.js'

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
    return file ? [{ does: 'write', path: without(arg, file[0].length), recursive: false }] : []
  })
}

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
      effects.push({ does: 'hidden', reason: 'an option of ssh is not known', at: value.span })
    if (!match) continue
    const option = match[1]?.toLowerCase() ?? ''
    const rest = without(value, match[0].length)
    if (option.endsWith('command') && rest.text !== 'none')
      effects.push({ does: 'shell', text: rest, via: `ssh -o ${match[1]}`, shell: 'bash' })
    else if (/^(pkcs11|securitykey|smartcard)/.test(option))
      effects.push({ does: 'foreign', reason: 'ssh loads a library', at: value.span })
  }
  const [host, ...command] = call.operands
  if (host) effects.push({ does: 'connect', host, how: host.head.startsWith('ssh://') ? 'url' : 'host' })
  if (command.length > 0) effects.push({ does: 'shell', text: joined(command, host?.span ?? [0, 0]), via: 'ssh' })
  return effects
}

/** `start-stop-daemon --exec PROGRAM -- ARGUMENTS`. */
export function daemonEffects(call: Call): readonly Effect[] {
  const program = call.value('-a', '--startas') ?? call.value('-x', '--exec')
  return program ? [{ does: 'run', argv: [program, ...call.operands], via: 'start-stop-daemon' }] : []
}
