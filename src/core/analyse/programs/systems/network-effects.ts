import { known, without } from '../grammar/arguments.js'
import { after, cut, foreign, nameOf, reads, writes } from '../grammar/effect-builders.js'
import type { Arg, Call, Effect } from '../grammar/roles.js'

/** Returns the last part of an address, which names the downloaded file. */
function remoteName(address: Arg): Arg {
  const path = (address.text ?? '').replace(/^[a-z]+:\/\//i, '').split(/[?#]/, 1)[0] ?? ''
  const name = path.includes('/') ? path.slice(path.lastIndexOf('/') + 1) : ''
  return known(name ? name : 'index.html', address.span)
}

/** `-d @file`, `-F name=@file`, `-F name=<file`: data from files. */
const DATA = /^(?:-d|--data|--data-ascii|--data-binary|--data-urlencode|--json|-H|--header|-w|--write-out|--url-query)$/
const FORM = /^(?:-F|--form)$/
/** `--data-urlencode name@file`. */
const NAMED = /^--(?:data-urlencode|url-query|variable)$/

/** Returns the file of `file:///path` and `file://localhost/path`, in any letter case. */
function localFile(address: Arg): Arg | null {
  const found = /^file:(?:\/\/(?:localhost|127\.0\.0\.1)?)?(?=\/)/i.exec(address.prefix)
  return found ? without(address, found[0].length) : null
}

const SCHEME = /^([a-z][a-z0-9+.-]*):\/\//i
const CURL_SCHEMES =
  /^(?:dict|file|ftps?|gophers?|https?|imaps?|ipfs|ipns|ldaps?|mqtts?|pop3s?|rtmp(?:t?[es]?|ts)|rtsp|scp|sftp|smbs?|smtps?|telnet|tftp|wss?)$/i

/** Tells whether curl rejects the scheme of an address before it connects. */
const isUnknownScheme = ({ text }: Arg): boolean => {
  const scheme = text === null ? undefined : SCHEME.exec(text)?.[1]
  return scheme !== undefined && !CURL_SCHEMES.test(scheme)
}

/** `--connect-to HOST:PORT:HOST2:PORT2`, `--resolve HOST:PORT:ADDRESS`: the real target. */
function redirected(name: string, value: Arg): readonly Effect[] {
  const [, , ...rest] = value.prefix.split(':')
  const target = (name === '--resolve' ? rest.join(':').split(',', 1)[0] : rest[0]) ?? ''
  return target === '' ? [] : [{ does: 'connect', host: known(target, value.span), how: 'host' }]
}

export function curlEffects(call: Call): readonly Effect[] {
  const addresses = call.operands.slice()
  for (const { name, value } of call.options) if (name === '--url' && value) addresses.push(value)
  const effects: Effect[] = []
  for (const host of addresses) {
    if (isUnknownScheme(host)) continue
    const file = localFile(host)
    effects.push(file ? reads(file) : { does: 'connect', host, how: 'url' })
  }
  if (call.has('-K', '--config')) effects.push(foreign('settings that can name any file and address'))
  if (call.has('-O', '--remote-name', '--remote-name-all', '-J'))
    for (const address of addresses) effects.push(writes(remoteName(address)))
  for (const { name, value } of call.options) {
    if (!value) continue
    if (name === '--connect-to' || name === '--resolve') effects.push(...redirected(name, value))
    const named = NAMED.test(name) ? cut(value, '@') : null
    if (named && /^[\w%]*=?$/.test(named[0])) effects.push(reads(named[1]))
    if (/^(?:-b|--cookie)$/.test(name) && !value.prefix.includes('=')) effects.push(reads(value))
    if (/^--(?:alt-svc|hsts)$/.test(name)) effects.push(writes(value))
    const file = DATA.test(name) ? after(value, '@') : FORM.test(name) ? cut(value, '=')?.[1] : null
    const path = file && FORM.test(name) ? (after(file, '@') ?? after(file, '<')) : file
    if (path) effects.push(reads(path.text === null ? path : known(path.text.split(';', 1)[0] ?? '', path.span)))
  }
  return effects
}

export function wgetEffects(call: Call): readonly Effect[] {
  const effects: Effect[] = call.operands.map((host) => ({ does: 'connect', host, how: 'url' }))
  if (call.has('--config')) effects.push(foreign('settings that can name any file and program'))
  if (!call.has('-O', '--output-document', '--spider'))
    for (const address of call.operands)
      effects.push({
        does: 'write',
        path: remoteName(address),
        recursive: call.has('-r', '--recursive', '-m', '--mirror'),
        cwd: call.value('-P', '--directory-prefix') ?? undefined,
      })
  for (const { name, value } of call.options) {
    const setting = (name === '-e' || name === '--execute') && value ? cut(value, '=') : null
    if (!setting) continue
    const [key, text] = setting
    if (/askpass/i.test(key)) effects.push({ does: 'run', argv: [text], via: 'wget use_askpass', more: true })
    else if (/^\s*(?:post|body|input).?file/i.test(key)) effects.push(reads(text))
    else if (/output|logfile|file$/i.test(key)) effects.push(writes(text))
    else if (/proxy$/i.test(key)) effects.push({ does: 'connect', host: text, how: 'url' })
  }
  return effects
}

const SSH_RUNS = /^\s*(ProxyCommand|LocalCommand|KnownHostsCommand|RemoteCommand)\s*[=\s]\s*/i
const SSH_LOADS = /^\s*(?:PKCS11Provider|SecurityKeyProvider|SmartcardDevice|Include|Match)\s*[=\s]/i

/** `-o ProxyCommand=…` of scp, sftp and other programs that pass options to ssh. */
export function sshOptions(call: Call): readonly Effect[] {
  const program = nameOf(call)
  return call.options.flatMap(({ name, value }): readonly Effect[] => {
    if (name !== '-o' || !value) return []
    const mounts = /(?:^|,)(?:ssh_command|sftp_server)=([^,]*)/.exec(value.prefix)
    if (mounts)
      return [
        { does: 'shell', text: known(mounts[1] ?? '', value.span), via: `${program} -o ssh_command` },
        foreign('a program in place of ssh', value),
      ]
    const runs = SSH_RUNS.exec(value.prefix)
    if (runs) return [{ does: 'shell', text: without(value, runs[0].length), via: `${program} -o ${runs[1]}` }]
    if (SSH_LOADS.test(value.prefix)) return [foreign('ssh loads a library or more settings', value)]
    return value.text === null && value.prefix === ''
      ? [{ does: 'unknown', reason: `an option of ${program} is unknown`, at: value.span }]
      : []
  })
}

/** `ip netns exec NAME COMMAND`, `ip vrf exec NAME COMMAND`, and their abbreviations. */
export function ipEffects({ operands }: Call): readonly Effect[] {
  const [object, verb, , ...command] = operands
  const runs =
    /^(?:n|ne|net|netn|netns|v|vr|vrf)$/.test(object?.text ?? '') && /^e(?:x|xe|xec)?$/.test(verb?.text ?? '')
  return runs && command.length > 0 ? [{ does: 'run', argv: command, via: 'ip exec' }] : []
}

/** `nc HOST PORT`, unless it listens. */
export function netcatEffects(call: Call): readonly Effect[] {
  const host = call.operands[0]
  return host && !call.has('-l', '--listen') ? [{ does: 'connect', host, how: 'host' }] : []
}

/** `rsync SRC… DEST`: writes the last operand. With `--delete` it also deletes there, if it is local. */
export function rsyncEffects(call: Call): readonly Effect[] {
  const target = call.operands.length > 1 ? call.operands.at(-1) : undefined
  const local = target && !/^[^/]*:/.test(target.prefix)
  const removing = call.options.some((o) => /^--del/.test(o.name))
  const effects: Effect[] = local && removing ? [{ does: 'delete', path: target, recursive: true }] : []
  if (call.has('--remove-source-files'))
    for (const path of call.operands.slice(0, -1)) effects.push({ does: 'delete', path, recursive: true })
  return effects
}

/** `openssl s_client -connect host:port`. Roles cover the rest. */
export function opensslEffects({ argv }: Call): readonly Effect[] {
  return argv.flatMap((arg, i): readonly Effect[] => {
    const value = argv[i + 1]
    if (!value) return []
    if (/^--?(?:connect|proxy|host|url)$/.test(arg.prefix)) return [{ does: 'connect', host: value, how: 'host' }]
    if (i === 1 && arg.text === 'engine' && /[/]/.test(value.prefix)) return [foreign('openssl loads a library', value)]
    if (/^--?(?:engine|provider|provider-path)$/.test(arg.prefix)) return [foreign('openssl loads a library', value)]
    if (/^--?(?:out|keyout|writerand|CAserial|sigout)$/.test(arg.prefix)) return [writes(value)]
    if (
      /^--?(?:in|inkey|key|CAfile|CA|CAkey|cert|config|extfile|rand|kfile|certfile|signkey|sigfile|verify)$/.test(
        arg.prefix,
      )
    )
      return [reads(value)]
    return i > 0 &&
      /^[/.~]/.test(value.prefix) &&
      !/^--?(?!sha|md|blake|sm3|rmd|hex|binary|[rcd]$)[A-Za-z]/.test(arg.prefix)
      ? [reads(value)]
      : []
  })
}

/** `http [METHOD] URL [ITEM…]`. `:3000/x` is a port of the local host. */
export function httpTarget({ operands }: Call): readonly Effect[] {
  const [first, second] = operands
  const target = first?.text && /^[A-Z]+$/.test(first.text) ? second : first
  if (!target) return []
  const local = target.text !== null && /^:(?:\d|\/|$)/.test(target.text)
  const files = operands.flatMap((arg) => {
    const found = arg === target ? null : /^[^=:@]*(?::?=)?@(?=[^@\s]*$)/.exec(arg.prefix)
    return found ? [reads(without(arg, found[0].length))] : []
  })
  return [
    ...files,
    { does: 'connect', host: local ? known(`http://localhost${target.text}`, target.span) : target, how: 'url' },
  ]
}
