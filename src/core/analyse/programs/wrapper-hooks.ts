import { baseName } from '../../model/path.js'
import { joined, known, without } from './arguments.js'
import { splitWords } from './effects-of.js'
import type { Arg, Call, Effect } from './knowledge.js'
import { withArgument } from './quoted-items.js'

const ENV_ESCAPES: Readonly<Record<string, string>> = {
  _: ' ',
  n: '\n',
  t: '\t',
  r: '\r',
  f: '\f',
  v: '\v',
  '#': '#',
  $: '$',
}

/** `env -S`: one string split by rules of its own (`\_` is a blank, `\c` ends it), standing before the remaining words. */
export function envSplit(call: Call): readonly Effect[] {
  const at = call.argv.findIndex((arg) => /^(-[^-]*S|--split-string|--s)/.test(arg.head))
  if (at < 0) return []
  const arg = call.argv[at] as Arg
  const long = arg.head.startsWith('--')
  const cut = long ? arg.head.indexOf('=') + 1 : arg.head.indexOf('S') + 1
  const attached = long ? cut > 0 : cut < arg.head.length
  const value = attached ? without(arg, cut) : call.argv[at + 1]
  if (!value) return []
  if (value.text === null || /[$`]/.test(value.text))
    return [{ does: 'hidden', reason: 'env -S is given a string that is not known', at: value.span }]
  const words = splitWords({ ...value, text: envUnescape(value.text) }).map((w) =>
    w.text === null ? w : known(w.text.replaceAll('\u0001', ' '), w.span),
  )
  const rest = call.argv.slice(at + (attached ? 1 : 2))
  return [{ does: 'run', argv: [known('env', arg.span), ...words, ...rest], via: 'env -S' }]
}

function envUnescape(text: string): string {
  let out = ''
  for (let i = 0; i < text.length; i++) {
    const c = text[i] as string
    const next = text[i + 1]
    if (c !== '\\' || next === undefined) out += c
    else if (next === 'c') return out
    else if (next === '_') {
      out += ' '
      i++
    } else if (ENV_ESCAPES[next] !== undefined) {
      out += `\\${ENV_ESCAPES[next]}`
      i++
    } else {
      out += `\\${next}`
      i++
    }
  }
  return out
}

/** `parallel`: a template run once for each word after `:::`, or for each line of standard input, through a shell. */
export function parallelEffects(call: Call): readonly Effect[] {
  const { operands } = call
  const split = operands.findIndex((arg) => /^:::[:+]*$/.test(arg.text ?? ''))
  const template = split < 0 ? operands : operands.slice(0, split)
  const span = call.argv[0]?.span ?? [0, 0]
  const via = 'parallel'
  if (template.some((arg) => arg.text === null))
    return [{ does: 'hidden', reason: 'what parallel runs is not known', at: span }]
  const file = call.value('-a', '--arg-file') ?? undefined
  const marker = call.value('-I', '--replace', '-U')?.text ?? '{}'
  if (split < 0) {
    if (template.length === 0 && !file) return [{ does: 'shell-stdin', via }]
    if (template.length === 0 && file) return [{ does: 'script', path: file, args: [], via }]
    return [
      {
        does: 'run-stdin',
        argv: [known('sh', span), known('-c', span), joined(template, span)],
        via,
        style: { delimiter: '\n', replace: marker, perCommand: 1, file, isQuoted: true },
      },
    ]
  }
  const lists: Arg[][] = []
  for (const arg of operands.slice(split)) {
    if (/^:::[:+]*$/.test(arg.text ?? '')) lists.push([])
    else lists.at(-1)?.push(arg)
  }
  if (operands.slice(split).some((arg) => /^::::/.test(arg.text ?? '')))
    return [{ does: 'hidden', reason: 'parallel reads what it runs from a file', at: span }]
  return combinations(lists).map((items) => {
    const unknown = items.find((item) => item.text === null)
    const text = unknown ? withArgument(joined(template, span).text ?? '', marker) : null
    return unknown && text !== null
      ? { does: 'shell', text: known(text, span), args: [known('sh', span), { ...unknown, several: false }], via }
      : { does: 'shell', text: fill(template, items, span, marker), via }
  })
}

/** More than anybody follows: what is behind is refused with the rest. */
const ROWS = 12_000

function combinations(lists: readonly (readonly Arg[])[]): readonly (readonly Arg[])[] {
  let rows: (readonly Arg[])[] = [[]]
  for (const list of lists) rows = rows.flatMap((row) => list.map((item) => [...row, item])).slice(0, ROWS)
  return rows
}

function fill(template: readonly Arg[], items: readonly Arg[], span: readonly [number, number], marker: string): Arg {
  const unknown = items.find((item) => item.text === null)
  const text = (joined(template, span).text ?? '').replaceAll(marker, '{}')
  if (unknown) return { ...unknown, head: text.split('{')[0] ?? '' }
  const all = items.map((item) => item.text).join(' ')
  if (text === '') return known(all, span)
  const marked = /\{(\d*)\}/.test(text)
  const filled = text.replace(/\{(\d*)\}/g, (_, n: string) => (n === '' ? all : (items[Number(n) - 1]?.text ?? '')))
  return known(marked ? filled : `${text} ${all}`, span)
}

/** A lone command string as `su -c` and `script -c` take it, for the user's shell. */
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

/** `flock FILE -c STRING`, `flock FILE CMD…`, `flock 9`. */
export function flockEffects(call: Call): readonly Effect[] {
  const [file, ...rest] = call.operands
  const effects: Effect[] = []
  if (file && rest.length > 0) effects.push({ does: 'write', path: file, recursive: false })
  const [first, second] = rest
  if (first && /^(-[a-z]*c|--command)$/.test(first.text ?? '')) {
    if (second) effects.push({ does: 'shell', text: second, via: 'flock -c' })
  } else if (first) effects.push({ does: 'run', argv: rest, via: 'flock' })
  return effects
}

/** `busybox APPLET …`: the applet is the program. */
export function busyboxEffects(call: Call): readonly Effect[] {
  const first = call.argv[1]
  if (!first) return []
  if (/^--install/.test(first.head))
    return [{ does: 'hidden', reason: 'busybox installs programs under other names', at: first.span }]
  if (first.head.startsWith('--')) return []
  return [{ does: 'run', argv: call.argv.slice(1), via: baseName(call.program) }]
}

/** `xargs`: a command that gets words of standard input appended. */
export function xargsEffects(call: Call): readonly Effect[] {
  const here = call.argv[0]?.span ?? [0, 0]
  const argv = call.operands.length > 0 ? call.operands : [known('echo', here)]
  const delimiter = call.value('-d', '--delimiter')
  const replace = call.has('-i', '--replace')
    ? (call.value('-i', '--replace')?.text ?? '{}')
    : (call.value('-I')?.text ?? null)
  const lines = call.has('-L', '-l', '--max-lines')
  const max = call.value('-n', '--max-args')?.text ?? null
  return [
    {
      does: 'run-stdin',
      argv,
      via: 'xargs',
      style: {
        delimiter: call.has('-0', '--null')
          ? '\0'
          : delimiter
            ? escaped(delimiter.text ?? '\0')
            : replace !== null
              ? '\n'
              : null,
        replace,
        perCommand: replace !== null ? 1 : max === null ? null : Math.max(1, Number(max) || 1),
        perLines: lines ? Math.max(1, Number(call.value('-L', '-l', '--max-lines')?.text) || 1) : undefined,
        file: call.value('-a', '--arg-file') ?? undefined,
      },
    },
  ]
}

const escaped = (text: string): string => ({ '\\n': '\n', '\\t': '\t', '\\0': '\0' })[text] ?? text

/** `watch` hands its words to a shell, or with `-x` executes them. */
export function watchEffects(call: Call): readonly Effect[] {
  if (call.operands.length === 0) return []
  return call.has('-x', '--exec')
    ? [{ does: 'run', argv: call.operands, via: 'watch' }]
    : [{ does: 'shell', text: joined(call.operands, call.argv[0]?.span ?? [0, 0]), via: 'watch' }]
}

/** `chroot`, `su`, `runuser`, `script`: with no command they start a shell. */
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

const ARCHITECTURE =
  /^(linux(32|64)|i[3-6]86|x86_64|amd64|uname26|athlon|arm\w*|aarch64|ppc\w*|powerpc\w*|s390x?|mips\w*|sparc\w*|alpha|riscv\w*|ia64|parisc\w*|sh4|loongarch\w*)$/

/** `setarch [ARCH] [options] CMD…`: options may stand behind the architecture too. */
export function setarchEffects(call: Call): readonly Effect[] {
  const [first, ...rest] = call.operands
  if (!first) return [{ does: 'shell-stdin', via: 'setarch' }]
  if (!ARCHITECTURE.test(first.text ?? '')) return [{ does: 'run', argv: call.operands, via: 'setarch' }]
  let skip = 0
  while (/^-/.test(rest[skip]?.text ?? '')) skip++
  return skip < rest.length ? [{ does: 'run', argv: rest.slice(skip), via: 'setarch' }] : []
}

/** `sg GROUP [-c] COMMAND`. ast-grep, which has the same name, takes long options and runs nothing. */
export function sgEffects(call: Call): readonly Effect[] {
  const [, second] = call.operands
  const other = call.argv.some((arg) => arg.head.startsWith('--'))
  return second && call.operands.length === 2 && !other ? [{ does: 'shell', text: second, via: 'sg' }] : []
}

/** `start-stop-daemon --exec PROGRAM -- ARGUMENTS`. */
export function daemonEffects(call: Call): readonly Effect[] {
  const program = call.value('-a', '--startas') ?? call.value('-x', '--exec')
  return program ? [{ does: 'run', argv: [program, ...call.operands], via: 'start-stop-daemon' }] : []
}

/** Joined for a shell by some versions, run as they are by others: both are read. */
export function watchedEffects(call: Call): readonly Effect[] {
  return call.operands.some((arg) => /\s/.test(arg.text ?? ' '))
    ? [{ does: 'run', argv: call.operands, via: 'watchexec' }]
    : []
}

/** A number as `strtod` reads it: what does not begin like one is no duration, and timeout runs nothing. */
const DURATION = /^\s*[+-]?(?:\d|\.\d|inf|nan)/i

/** `timeout DURATION COMMAND`. */
export function timeoutEffects({ operands: [duration, ...command] }: Call): readonly Effect[] {
  if (!duration || command.length === 0 || (duration.text !== null && !DURATION.test(duration.text))) return []
  return [{ does: 'run', argv: command, via: 'timeout' }]
}

/** `entr COMMAND`, and with `-s` a string for the shell of the user. */
export function entrEffects(call: Call): readonly Effect[] {
  const [first] = call.operands
  if (!first) return []
  return call.has('-s')
    ? [{ does: 'shell', text: first, args: call.operands.slice(1), via: 'entr -s', shell: 'bash' }]
    : [{ does: 'run', argv: call.operands, via: 'entr' }]
}

/** `script` starts the shell of the user, with a command or to type into. */
export function scriptEffects(call: Call): readonly Effect[] {
  const text = call.value('-c', '--command')
  if (text) return [{ does: 'shell', text, via: 'script', shell: 'bash' }]
  return [{ does: 'shell-stdin', via: 'script' }]
}
